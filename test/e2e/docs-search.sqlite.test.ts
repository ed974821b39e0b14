import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type OwnService, startOwnService } from '../api.ts'
import { temporaryFolder } from '../service.ts'

const path = '/v2/support/docs-search'
const backups = 'How do I make a backup of the database?'

describe('a question about the service', () => {
  it('answers with sentences of the documentation, with their locations', async () => {
    const { status, body } = await call('POST', path, { body: { question: backups } })
    expect(status).toBe(200)
    expect(body.requestId).toMatch(/^req_[\w-]+$/)
    expect(body.evidence[0].pathOrUrl).toBe('docs/self-hosting.md#backup')
    expect(body.evidence[0].reason).toContain('Backup')
    expect(body.answer).toContain('docs/self-hosting.md#backup')
    expect(body.usage).toEqual({ inputTokens: 0, outputTokens: 0, totalTokens: 0 })
    expect(body.durationMs).toBeGreaterThanOrEqual(0)
  })

  it('finds errors, settings and options by name', async () => {
    const firstSource = async (question: string) =>
      (await call('POST', path, { body: { question } })).body.evidence[0].pathOrUrl
    expect(await firstSource('What does SCRAPE_TIMEOUT mean?')).toBe('docs/errors.md#SCRAPE_TIMEOUT')
    expect(await firstSource('TEAM_CONCURRENCY')).toBe('docs/configuration.md#TEAM_CONCURRENCY')
    expect(await firstSource('skipTlsVerification')).toMatch(/^docs\/openapi\.json#.*\/skipTlsVerification$/)
  })

  it('is answered with a notice if the documentation does not cover it', async () => {
    const { status, body } = await call('POST', path, { body: { question: 'Who won the chess olympiad?' } })
    expect([status, body.evidence]).toEqual([200, []])
    expect(body.answer).toContain('does not answer this')
  })

  it('requires a key and 1 to 8000 characters', async () => {
    const send = async (body: unknown, key?: null) => {
      const answer = await call('POST', path, { body, ...(key === null ? { key } : {}) })
      return [answer.status, answer.body.code]
    }
    expect(await send({ question: backups }, null)).toEqual([401, 'UNAUTHORIZED'])
    for (const body of [
      {},
      { question: '' },
      { question: ' ' },
      { question: 1 },
      { question: 'x'.repeat(8001) },
    ])
      expect(await send(body)).toEqual([400, 'BAD_REQUEST'])
    expect(await send({ question: 'key '.repeat(2000) })).toEqual([200, undefined])
  })
})

describe('a question about the service with a language model', () => {
  const folder = temporaryFolder()
  let own: OwnService
  beforeAll(async () => {
    const script = join(folder.path, 'script.json')
    const answers = [
      ['real', { answer: 'Copy the database first, then the blobs.', sections: [1, 99] }],
      ['uncited', { answer: 'Copy the database first.', sections: [99] }],
      ['invented', { answer: 'Use the tool Quickdump within 17 minutes.', sections: [1] }],
    ] as const
    const turns = answers.map(([when, value]) => ({ when: `${when} one`, turns: [{ value }] }))
    writeFileSync(script, JSON.stringify([...turns, { when: 'failing one', turns: [{ fails: 'busy' }] }]))
    own = await startOwnService({ MODEL_URL: `script:${script}` })
  })
  afterAll(async () => {
    await own.remove()
    folder.remove()
  })
  const ask = async (kind: string) =>
    (await own.call('POST', path, { body: { question: `${backups} A ${kind} one.` } })).body

  it('is answered by the model from the sections that it cites', async () => {
    const body = await ask('real')
    expect(body.answer).toBe('Copy the database first, then the blobs.')
    expect(body.evidence.map(({ pathOrUrl }: { pathOrUrl: string }) => pathOrUrl)).toEqual([
      'docs/self-hosting.md#backup',
    ])
    expect(body.usage.inputTokens).toBeGreaterThan(0)
    expect(body.usage.totalTokens).toBe(body.usage.inputTokens + body.usage.outputTokens)
    expect(body.warning).toBeUndefined()
  })

  it.each(['uncited', 'invented', 'failing'])(
    'is answered by quotes after an %s reply of the model',
    async (kind) => {
      const body = await ask(kind)
      expect(body.answer).toContain('(docs/self-hosting.md#backup)')
      expect(body.warning).toContain('quoted from the documentation')
    },
  )
})
