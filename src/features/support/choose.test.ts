import { describe, expect, it } from 'vitest'
import type { JobTrace } from '../job-trace.ts'
import { choosePage } from './choose.ts'
import { namedIn } from './read-case.ts'

const traceOf = (target: string, changes: Partial<JobTrace> = {}): JobTrace => ({
  ...{ id: target, kind: 'scrape', state: 'completed', target, parentId: '1', attempts: 1, createdAt: '' },
  ...{ startedAt: null, finishedAt: '', credits: 1, error: null, steps: [], pages: null, deliveries: [] },
  ...changes,
})

const writeStep = (characters: number): JobTrace['steps'] => [
  { step: 'write', at: 1, ms: 1, markdownCharacters: characters, warnings: [] },
]
const failure = { code: 'SCRAPE_TIMEOUT', error: '', detail: {} }
const batch = traceOf('https://a.example/', { kind: 'batch_scrape', parentId: null })

describe('choosePage', () => {
  it('returns the failed page', () => {
    const pages = [traceOf('https://a.example/1'), traceOf('https://a.example/2', { error: failure })]
    expect(choosePage('Why?', { job: batch, pages })?.target).toBe('https://a.example/2')
  })

  it('returns the page with the least text if no page failed', () => {
    const pages = [
      traceOf('https://a.example/1', { steps: writeStep(9000) }),
      traceOf('https://a.example/2', { steps: writeStep(3) }),
    ]
    expect(choosePage('Why?', { job: batch, pages })?.target).toBe('https://a.example/2')
  })

  it('returns the page that the question refers to, among similar pages', () => {
    const pages = [traceOf('https://a.example/salt'), traceOf('https://a.example/pepper.html')]
    expect(choosePage('Pepper is wrong.', { job: batch, pages })?.target).toContain('pepper')
  })

  it('does not prefer the start of a crawl', () => {
    const crawl = { ...batch, kind: 'crawl' }
    const pages = [
      traceOf('https://a.example/', { steps: writeStep(100) }),
      traceOf('https://a.example/b', { steps: writeStep(900) }),
    ]
    expect(choosePage('Why?', { job: crawl, pages })?.target).toBe('https://a.example/b')
  })
})

describe('namedIn', () => {
  it('returns no URL if all of them match', () => {
    const targets = ['https://a.example/shoe-1', 'https://a.example/shoe-2']
    expect(namedIn('No shoe is there.', targets).size).toBe(0)
  })
})
