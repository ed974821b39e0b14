import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type OwnService, startOwnService } from '../api.ts'
import { temporaryFolder } from '../service.ts'

const path = '/v2/support/docs-search'
const backups = 'How do I make a backup of the database?'

describe('a question about the service', () => {
  it('is answered by sentences of its documentation, with their places', async () => {
    const { status, body } = await call('POST', path, { body: { question: backups } })
    expect(status).toBe(200)
    expect(body.requestId).toMatch(/^req_[\w-]+$/)
    expect(body.evidence[0].pathOrUrl).toBe('docs/self-hosting.md#backup')
    expect(body.evidence[0].reason).toContain('Backup')
    expect(body.answer).toContain('docs/self-hosting.md#backup')
    expect(body.usage).toEqual({ inputTokens: 0, outputTokens: 0, totalTokens: 0 })
    expect(body.durationMs).toBeGreaterThanOrEqual(0)
  })

  it('finds errors, settings and options by their names', async () => {
    const first = async (question: string) =>
      (await call('POST', path, { body: { question } })).body.evidence[0].pathOrUrl
    expect(await first('What does SCRAPE_TIMEOUT mean?')).toBe('docs/errors.md#SCRAPE_TIMEOUT')
    expect(await first('TEAM_CONCURRENCY')).toBe('docs/configuration.md#TEAM_CONCURRENCY')
    expect(await first('skipTlsVerification')).toMatch(/^docs\/openapi\.json#.*\/skipTlsVerification$/)
  })

  it('gets an answer that says so where the documentation has nothing about it', async () => {
    const { status, body } = await call('POST', path, { body: { question: 'Who won the chess olympiad?' } })
    expect([status, body.evidence]).toEqual([200, []])
    expect(body.answer).toContain('does not answer this')
  })

  it('needs a key and one to 8000 characters', async () => {
    const refused = async (body: unknown, key?: null) => {
      const answer = await call('POST', path, { body, ...(key === null ? { key } : {}) })
      return [answer.status, answer.body.code]
    }
    expect(await refused({ question: backups }, null)).toEqual([401, 'UNAUTHORIZED'])
    for (const body of [
      {},
      { question: '' },
      { question: ' ' },
      { question: 1 },
      { question: 'x'.repeat(8001) },
    ])
      expect(await refused(body)).toEqual([400, 'BAD_REQUEST'])
    expect(await refused({ question: 'key '.repeat(2000) })).toEqual([200, undefined])
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

  it('is answered in its words from the sections that it cites', async () => {
    const body = await ask('real')
    expect(body.answer).toBe('Copy the database first, then the blobs.')
    expect(body.evidence.map(({ pathOrUrl }: { pathOrUrl: string }) => pathOrUrl)).toEqual([
      'docs/self-hosting.md#backup',
    ])
    expect(body.usage.inputTokens).toBeGreaterThan(0)
    expect(body.usage.totalTokens).toBe(body.usage.inputTokens + body.usage.outputTokens)
    expect(body.warning).toBeUndefined()
  })

  it.each(['uncited', 'invented', 'failing'])('is answered by quotes after an %s answer', async (kind) => {
    const body = await ask(kind)
    expect(body.answer).toContain('(docs/self-hosting.md#backup)')
    expect(body.warning).toContain('quoted from the documentation')
  })
})
