import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, callAt, type Json } from '../api.ts'
import { type RunningService, startService, temporaryFolder } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'
import { isWhole } from './faults.ts'
import { startFleet } from './fleet.ts'

const key = 'fc-00000000000000000000000000000000'
const leaseSeconds = 3
const settings = { TEAM_CREDITS: '1000', LEASE_SECONDS: String(leaseSeconds) }
const folder = temporaryFolder()
let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(async () => {
  await site.stop()
  folder.remove()
})

const stores: Record<string, () => Promise<{ services: RunningService[]; stop(): Promise<void> }>> = {
  async SQLite() {
    const service = await startService({
      ...{ DATA_DIR: join(folder.path, 'data'), API_KEY: key, ALLOW_PRIVATE_NETWORK: '127.0.0.1' },
      ...{ LOG_LEVEL: 'warn', ...settings },
    })
    return { services: [service], stop: () => service.kill() }
  },
  PostgreSQL: () => startFleet(['all', 'all'], settings),
}

/** The short form takes the store on which another process answers the repeated call. */
const tested = isWhole ? Object.keys(stores) : ['PostgreSQL']

describe.each(tested)('a call that is repeated with its idempotency key, on %s', (name) => {
  let services: RunningService[]
  let stop: () => Promise<void>
  beforeAll(async () => {
    ;({ services, stop } = (await stores[name]?.()) ?? { services: [], stop: async () => {} })
  })
  afterAll(() => stop())

  const first = () => services[0]?.url ?? ''
  /** The process that answers the repeated call: another one where there is one. */
  const last = () => services.at(-1)?.url ?? ''
  const post = (at: string, path: string, body: object, idempotencyKey: string): Promise<Answer> =>
    callAt(at, 'POST', path, { key, body, headers: { 'x-idempotency-key': idempotencyKey } })
  const remaining = async (): Promise<number> =>
    (await callAt(last(), 'GET', '/v2/team/credit-usage', { key })).body.data.remainingCredits
  const hits = (url: string) => site.hits(new URL(url).pathname + new URL(url).search)
  const page = () => `${site.url}/pages/${randomUUID()}`

  /** Sends a call and never reads its response. */
  async function sendOnly(path: string, body: object, idempotencyKey: string) {
    const { hostname, port } = new URL(first())
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    await once(socket, 'connect')
    const text = JSON.stringify(body)
    socket.write(
      `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\nx-idempotency-key: ${idempotencyKey}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
    return socket
  }

  /** Repeats a call for as long as the first one still runs. */
  async function repeat(path: string, body: object, idempotencyKey: string): Promise<Answer> {
    for (let tries = 0; tries < 200; tries += 1) {
      const answer = await post(last(), path, body, idempotencyKey)
      if (answer.status !== 409) return answer
      expect(answer.headers.get('retry-after')).not.toBeNull()
      await sleep(100)
    }
    throw new Error('The first call never ended.')
  }

  it('returns what the caller who left was charged for, and charges nothing', async () => {
    const before = await remaining()
    const body = { url: page(), maxAge: 0, formats: ['markdown', 'rawHtml'] }
    const id = randomUUID()
    const socket = await sendOnly('/v2/scrape', body, id)
    await expect.poll(remaining).toBe(before - 1)
    socket.resetAndDestroy()
    const again = await repeat('/v2/scrape', body, id)
    expect(again).toMatchObject({
      status: 200,
      body: { success: true, data: { metadata: { statusCode: 200 } } },
    })
    expect([hits(body.url), before - (await remaining())]).toEqual([1, 1])
  })

  it('is charged once in all after the process was paused for longer than its lease', {
    timeout: 90_000,
  }, async () => {
    const before = await remaining()
    const body = { url: `${site.url}/slow?ms=500&n=${randomUUID()}`, maxAge: 0, timeout: 60_000 }
    const id = randomUUID()
    const socket = await sendOnly('/v2/scrape', body, id)
    await expect.poll(() => hits(body.url)).toBe(1)
    services[0]?.process.kill('SIGSTOP')
    await sleep((isWhole ? 45 : leaseSeconds + 3) * 1000)
    socket.destroy()
    services[0]?.process.kill('SIGCONT')
    const again = await repeat('/v2/scrape', body, id)
    expect([again.status, again.body.data?.metadata.statusCode]).toEqual([200, 200])
    // The call that was paused has an end too, whatever it was.
    await expect.poll(running).toBe(0)
    expect(before - (await remaining())).toBe(1)
  })

  it('runs once when it is sent twice at the same time', async () => {
    const before = await remaining()
    const body = { url: `${site.url}/slow?ms=700&n=${randomUUID()}`, maxAge: 0 }
    const id = randomUUID()
    const answers = await Promise.all([first(), last()].map((at) => post(at, '/v2/scrape', body, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.headers.get('retry-after')).not.toBeNull()
    expect([hits(body.url), before - (await remaining())]).toEqual([1, 1])
  })

  it('runs again after it failed and cost nothing', async () => {
    const body = { url: `${site.url}/slow?ms=3000&n=${randomUUID()}`, maxAge: 0, timeout: 1000 }
    const id = randomUUID()
    for (const round of [1, 2]) {
      expect((await post(first(), '/v2/scrape', body, id)).body.code).toBe('SCRAPE_TIMEOUT')
      expect(hits(body.url)).toBe(round)
    }
  })

  it('is refused for another request, and where nothing was kept', async () => {
    const id = randomUUID()
    await post(first(), '/v2/scrape', { url: page() }, id)
    const other = await post(last(), '/v2/scrape', { url: page() }, id)
    expect(other).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(other.body.error).toContain('another request')
    expect((await post(last(), '/v2/map', { url: site.url }, id)).status).toBe(409)
    const lockdown = { url: page(), lockdown: true }
    await post(first(), '/v2/scrape', { url: lockdown.url }, randomUUID())
    const keyOfPrivate = randomUUID()
    expect((await post(first(), '/v2/scrape', lockdown, keyOfPrivate)).status).toBe(200)
    const again = await post(last(), '/v2/scrape', lockdown, keyOfPrivate)
    expect(again).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(again.body.error).toContain('was not kept')
  })

  it('returns maps, searches with their pages, and files as they were', { timeout: 90_000 }, async () => {
    const word = `w${randomUUID().replaceAll('-', '')}`
    await callAt(first(), 'POST', '/v2/scrape', { key, body: { url: `${site.url}/pages/${word}` } })
    const search = { query: word, scrapeOptions: { formats: ['markdown'], maxAge: 0 } }
    const found = await expect
      .poll(
        async () =>
          (await callAt(last(), 'POST', '/v2/search', { key, body: { query: word } })).body.data.web,
      )
      .not.toEqual([])
      .then(() => repeatedly('/v2/search', search))
    expect(found.data.web).not.toEqual([])
    const later = await repeatedly('/v2/search', { ...search, asyncScraping: true })
    expect(later.scrapeIds.web).toHaveLength(later.data.web.length)
    expect(
      (await repeatedly('/v2/map', { url: `${site.url}/ring/1?of=5`, sitemap: 'skip', limit: 5 })).links,
    ).not.toEqual([])
    const parsed = await repeatedly('/v2/parse', () => {
      const form = new FormData()
      form.append('file', new Blob([`# ${word}`]), 'note.md')
      return form
    })
    expect(parsed.data.markdown).toContain(word)
  })

  async function running(): Promise<number> {
    return (await callAt(first(), 'GET', '/v2/team/queue-status', { key })).body.jobsInQueue
  }

  /** Makes a call three times with one key, and returns what all of them returned. */
  async function repeatedly(path: string, body: object | (() => FormData)): Promise<Json> {
    const id = randomUUID()
    const make = async () => {
      if (typeof body !== 'function') return (await post(first(), path, body, id)).body
      const headers = { authorization: `Bearer ${key}`, 'x-idempotency-key': id }
      return (await fetch(last() + path, { method: 'POST', headers, body: body() })).json()
    }
    const response = await make()
    expect(response.success).toBe(true)
    // Pages of a search that does not wait for them are charged after its response.
    await expect.poll(running, { timeout: 30_000 }).toBe(0)
    const before = await remaining()
    for (let round = 0; round < 2; round += 1) expect(await make()).toEqual(response)
    expect(await remaining()).toBe(before)
    return response
  }
})
