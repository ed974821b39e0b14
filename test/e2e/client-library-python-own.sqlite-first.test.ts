import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { librarySources, programOf, resultOf, stepsIn } from '../python-library.ts'
import { onFreePort } from '../servers/free-port.ts'
import { testPython } from '../servers/moto.ts'
import { temporaryFolder } from '../service.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const kinds = ['Winnow', 'AsyncWinnow'] as const
const skipNote =
  testPython === undefined ? ' (skipped: the packages of the tests could not be installed)' : ''
const prompt = 'Who leads the house'
const schema = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'City' },
    director: { type: 'string', description: 'Who leads it' },
  },
}
const expected = { city: 'Lund', director: 'Ada Berg' }

const folder = temporaryFolder()
const outcomes: Record<string, Record<string, Json>> = {}
let site: Site
let own: OwnService
beforeAll(async () => {
  site = await startSite({ routes })
  if (testPython === undefined) return
  writeFileSync(join(folder.path, 'script.json'), JSON.stringify(script(site.url)))
  const settings = { MODEL_URL: `script:${join(folder.path, 'script.json')}`, RATE_PER_MINUTE: '40' }
  own = await onFreePort((port) => startOwnService({ ...settings, PORT: String(port) }))
  const programs = kinds.map(startProgram)
  await Promise.all(programs.map(({ firstPage }) => firstPage))
  await own.stop()
  own = await own.again()
  const results = await Promise.all(programs.map(({ ended }) => ended))
  for (const [index, kind] of kinds.entries()) outcomes[kind] = results[index] ?? {}
}, 180_000)
afterAll(async () => {
  await own?.remove()
  await site.stop()
  folder.remove()
})

const routes = {
  '/house': (exchange: Parameters<typeof sendHtml>[0]) =>
    sendHtml(exchange, page('About us', '<p>Our house opened in Lund in 1998.</p>')),
  '/house/people': (exchange: Parameters<typeof sendHtml>[0]) =>
    sendHtml(exchange, page('People', '<p>It is led by Ada Berg.</p>')),
}

/** Returns the scripted replies of the language model. The prompt selects the script. */
function script(url: string) {
  const claim = (value: string, quote: string) => ({ value, quote })
  const toolCall = (name: string, args: object) => ({ calls: [{ name, arguments: args }] })
  return [
    {
      when: `The task: ${prompt}`,
      turns: [toolCall('scrape', { urls: [`${url}/house/people`] }), toolCall('done', { sources: [] })],
    },
    { when: 'The task: Wait', turns: [toolCall('scrape', { urls: [`${url}/hang`] })] },
    {
      when: 'led by Ada Berg',
      turns: [{ value: { city: null, director: claim('Ada Berg', 'led by Ada Berg') } }],
    },
    { when: 'opened in Lund', turns: [{ value: { city: claim('Lund', 'opened in Lund'), director: null } }] },
    {
      turns: [
        {
          value: {
            fields: Object.entries(schema.properties).map(([name, { description }]) => ({
              ...{ name, type: 'string', itemFields: [], description },
            })),
          },
        },
      ],
    },
  ]
}

/** Starts a program. `firstPage` resolves when it has read one page of the job during which the service restarts. */
function startProgram(kind: string) {
  const input = { kind, url: own.url, key: own.key, site: site.url, schema, prompt, library: librarySources }
  const args = ['-I', '-B', programOf('library_own.py'), JSON.stringify(input)]
  const child = spawn(testPython ?? '', args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const firstPage = new Promise<void>((resolve) => {
    child.stdout.on('data', (part: Buffer) => part.includes('first_page') && resolve())
    child.once('close', () => resolve())
  })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr]) => {
      expect({ code: child.exitCode, stderr }).toMatchObject({ code: 0 })
      return stepsIn(stdout)
    },
  )
  return { firstPage, ended }
}

describe.skipIf(skipNote !== '').each(kinds)(
  `our Python client, %s, with a separate service${skipNote}`,
  (kind) => {
    const outcome = (step: string): Json => resultOf(outcomes[kind], step)

    it('extracts values, and waits for an extract by its id', () => {
      const { first, ended, whole } = outcome('extracts')
      expect(['processing', 'completed']).toContain(first)
      expect(ended).toMatchObject({ status: 'completed', data: expected })
      expect(ended.sources.director).toEqual([`${site.url}/house/people`])
      expect(whole.data).toEqual(expected)
    })

    it('runs and cancels an agent', () => {
      expect(outcome('agents')).toMatchObject({
        ended: { status: 'completed', data: expected },
        running: 'processing',
        cancelled: { kind: 'JobFailedError', outcome: 'cancelled' },
      })
    })

    it('raises after the last page of a failed job, and returns the error to callers that wait', () => {
      const { read, waited } = outcome('failing_job')
      expect(read).toMatchObject({ kind: 'JobFailedError', outcome: 'failed', job_id: expect.any(String) })
      expect(waited).toMatchObject({ status: 'failed', data: [], error: expect.any(String) })
    })

    it('creates, changes and lists teams and keys, and revokes a key', () => {
      const { team, overview, ...rest } = outcome('operators')
      expect(team).toMatchObject({ name: `made by ${kind}` })
      expect(overview).toHaveProperty('queue')
      expect(rest).toMatchObject({
        ...{ listed: true, known: true },
        taken: { kind: 'ConflictError', code: 'TEAM_NAME_TAKEN' },
        changed: { id: team.id },
        of_the_team: { team: { id: team.id } },
        revoked: { kind: 'AuthenticationError', status: 401 },
      })
    })

    it('reports the retry delay if it is rate limited', () => {
      const { limited } = outcome('operators')
      expect(limited).toMatchObject({ kind: 'RateLimitError', code: 'RATE_LIMITED', attempts: 1 })
      expect(limited.retry_after).toBeGreaterThan(0)
      expect(limited.retry_after).toBeLessThanOrEqual(60)
    })

    it('verifies webhook deliveries of the service, and rejects others', () => {
      const { event, ...rest } = outcome('operators').webhooks
      expect(event).toMatchObject({
        type: 'batch_scrape.page',
        metadata: { of: 'mine' },
        webhookId: expect.any(String),
      })
      expect(event.data[0].metadata.sourceURL).toBe(`${site.url}/pages/1`)
      expect(rest).toEqual({
        ...{ while_it_changes: 'batch_scrape.page', changed: 'wrong', other_secret: 'wrong' },
        ...{ no_signature: 'missing', no_hex: 'malformed', no_secret: expect.stringContaining('empty') },
        ...{ timed: 'batch_scrape.page', timed_changed: 'wrong', timed_again: 'wrong', expired: 'expired' },
        ...{ old_but_wanted: 'batch_scrape.page', no_tolerance: expect.stringContaining('tolerance') },
      })
    })

    it('reads every page once, even if the service restarts in between', () => {
      expect(outcome('restarted')).toEqual({ all: true, count: 5 })
    })
  },
)
