import { expect, it } from 'vitest'
import type { JobTrace } from '../../../client/src/types.ts'
import { hasLittleContent } from './little-content.ts'
import { playgroundRequest } from './playground-request.ts'

const trace: JobTrace = {
  id: '1',
  kind: 'scrape',
  state: 'completed',
  target: 'https://a.test/',
  parentId: null,
  attempts: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  startedAt: null,
  finishedAt: null,
  credits: 1,
  error: null,
  steps: [
    {
      step: 'plan',
      at: 0,
      formats: ['markdown'],
      cache: 'read',
      keeps: true,
      proxy: 'auto',
      timeoutMs: 60_000,
      onlyMainContent: true,
      includeTags: 0,
      excludeTags: 0,
      waitForMs: 2000,
      actions: 0,
    },
  ],
  pages: null,
  deliveries: [],
}

it('merges a fix into the request that is known from the trace', () => {
  expect(playgroundRequest(trace, { onlyMainContent: false, waitFor: null })).toEqual({
    call: 'scrape',
    request: { url: 'https://a.test/', formats: ['markdown'], onlyMainContent: false },
  })
  expect(playgroundRequest({ ...trace, kind: 'search', target: 'tides' }, { limit: 5 })).toEqual({
    call: 'search',
    request: { query: 'tides', limit: 5 },
  })
  expect(playgroundRequest({ ...trace, target: null }, { limit: 5 })).toBeUndefined()
})

it('treats a completed page with little text or a small kept share as thin', () => {
  const read = { step: 'read', at: 1, pageCharacters: 9000, keptCharacters: 1000, leftOut: [] } as const
  const write = { step: 'write', at: 2, ms: 1, markdownCharacters: 1000, warnings: [] as string[] } as const
  expect(hasLittleContent({ ...trace, steps: [{ ...read, leftOut: [] }, write] })).toBe(true)
  expect(hasLittleContent({ ...trace, steps: [{ ...read, leftOut: [], keptCharacters: 8000 }, write] })).toBe(
    false,
  )
  expect(hasLittleContent({ ...trace, steps: [{ ...write, markdownCharacters: 20 }] })).toBe(true)
  expect(hasLittleContent({ ...trace, state: 'failed', steps: [] })).toBe(false)
})
