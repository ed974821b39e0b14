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

/** The short form uses the store on which another process handles the repeated call. */
const testedStores = isWhole ? Object.keys(stores) : ['PostgreSQL']

describe.each(testedStores)('a call that is repeated with its idempotency key, on %s', (name) => {
  let services: RunningService[]
  let stop: () => Promise<void>
  beforeAll(async () => {
    ;({ services, stop } = (await stores[name]?.()) ?? { services: [], stop: async () => {} })
  })
  afterAll(() => stop())

  const first = () => services[0]?.url ?? ''
  /** URL of the process that handles the repeated call: another process, if there is one. */
  const last = () => services.at(-1)?.url ?? ''
  const post = (baseUrl: string, path: string, body: object, idempotencyKey: string): Promise<Answer> =>
    callAt(baseUrl, 'POST', path, { key, body, headers: { 'x-idempotency-key': idempotencyKey } })
  const remaining = async (): Promise<number> =>
    (await callAt(last(), 'GET', '/v2/team/credit-usage', { key })).body.data.remainingCredits
  const hits = (url: string) => site.hits(new URL(url).pathname + new URL(url).search)
  const page = () => `${site.url}/pages/${randomUUID()}`

  /** Sends a call without reading its response. */
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

  /** Repeats a call as long as the first one still runs. */
  async function repeat(path: string, body: object, idempotencyKey: string): Promise<Answer> {
    for (let tries = 0; tries < 200; tries += 1) {
      const response = await post(last(), path, body, idempotencyKey)
      if (response.status !== 409) return response
      expect(response.headers.get('retry-after')).not.toBeNull()
      await sleep(100)
    }
    throw new Error('The first call never ended.')
  }

  it('returns the result that the disconnected caller was charged for, and charges nothing', async () => {
    const before = await remaining()
    const body = { url: page(), maxAge: 0, formats: ['markdown', 'rawHtml'] }
    const id = randomUUID()
    const socket = await sendOnly('/v2/scrape', body, id)
    await expect.poll(remaining).toBe(before - 1)
    socket.resetAndDestroy()
    const repeated = await repeat('/v2/scrape', body, id)
    expect(repeated).toMatchObject({
      status: 200,
      body: { success: true, data: { metadata: { statusCode: 200 } } },
    })
    expect([hits(body.url), before - (await remaining())]).toEqual([1, 1])
  })

  it('is charged once in total if the process was paused for longer than its lease', {
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
    const repeated = await repeat('/v2/scrape', body, id)
    expect([repeated.status, repeated.body.data?.metadata.statusCode]).toEqual([200, 200])
    // The paused call ends too, with any result.
    await expect.poll(running).toBe(0)
    expect(before - (await remaining())).toBe(1)
  })

  it('runs once if it is sent twice concurrently', async () => {
    const before = await remaining()
    const body = { url: `${site.url}/slow?ms=700&n=${randomUUID()}`, maxAge: 0 }
    const id = randomUUID()
    const responses = await Promise.all([first(), last()].map((url) => post(url, '/v2/scrape', body, id)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(responses.find(({ status }) => status === 409)?.headers.get('retry-after')).not.toBeNull()
    expect([hits(body.url), before - (await remaining())]).toEqual([1, 1])
  })

  it('runs again after it failed without a charge', async () => {
    const body = { url: `${site.url}/slow?ms=3000&n=${randomUUID()}`, maxAge: 0, timeout: 1000 }
    const id = randomUUID()
    for (const round of [1, 2]) {
      expect((await post(first(), '/v2/scrape', body, id)).body.code).toBe('SCRAPE_TIMEOUT')
      expect(hits(body.url)).toBe(round)
    }
  })

  it('is rejected for another request, and if the result was not stored', async () => {
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
    const repeated = await post(last(), '/v2/scrape', lockdown, keyOfPrivate)
    expect(repeated).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } })
    expect(repeated.body.error).toContain('was not kept')
  })

  it('returns maps, searches with their pages, and files unchanged', { timeout: 90_000 }, async () => {
    const word = `w${randomUUID().replaceAll('-', '')}`
    await callAt(first(), 'POST', '/v2/scrape', { key, body: { url: `${site.url}/pages/${word}` } })
    const search = { query: word, scrapeOptions: { formats: ['markdown'], maxAge: 0 } }
    const searched = await expect
      .poll(
        async () =>
          (await callAt(last(), 'POST', '/v2/search', { key, body: { query: word } })).body.data.web,
      )
      .not.toEqual([])
      .then(() => callThreeTimes('/v2/search', search))
    expect(searched.data.web).not.toEqual([])
    const later = await callThreeTimes('/v2/search', { ...search, asyncScraping: true })
    expect(later.scrapeIds.web).toHaveLength(later.data.web.length)
    expect(
      (await callThreeTimes('/v2/map', { url: `${site.url}/ring/1?of=5`, sitemap: 'skip', limit: 5 })).links,
    ).not.toEqual([])
    const parsed = await callThreeTimes('/v2/parse', () => {
      const form = new FormData()
      form.append('file', new Blob([`# ${word}`]), 'note.md')
      return form
    })
    expect(parsed.data.markdown).toContain(word)
  })

  async function running(): Promise<number> {
    return (await callAt(first(), 'GET', '/v2/team/queue-status', { key })).body.jobsInQueue
  }

  /** Sends a call three times with one key. Returns the response, which must be the same each time. */
  async function callThreeTimes(path: string, body: object | (() => FormData)): Promise<Json> {
    const id = randomUUID()
    const send = async () => {
      if (typeof body !== 'function') return (await post(first(), path, body, id)).body
      const headers = { authorization: `Bearer ${key}`, 'x-idempotency-key': id }
      return (await fetch(last() + path, { method: 'POST', headers, body: body() })).json()
    }
    const response = await send()
    expect(response.success).toBe(true)
    // If a search does not wait for its pages, they are charged after its response.
    await expect.poll(running, { timeout: 30_000 }).toBe(0)
    const before = await remaining()
    for (let round = 0; round < 2; round += 1) expect(await send()).toEqual(response)
    expect(await remaining()).toBe(before)
    return response
  }
})
