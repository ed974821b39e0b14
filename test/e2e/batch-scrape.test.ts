import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json, newTeam } from '../api.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
beforeAll(async () => {
  site = await startSite()
})
afterAll(() => site.stop())

const pages = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => `${site.url}/pages/${from + index}`)

async function start(body: object, headers: Record<string, string> = {}): Promise<Json> {
  const answer = await call('POST', '/v2/batch/scrape', { body, headers })
  expect(answer.status).toBe(200)
  return answer.body
}

const status = async (id: string, query = '') => (await call('GET', `/v2/batch/scrape/${id}${query}`)).body

async function finished(id: string): Promise<Json> {
  await expect
    .poll(async () => (await status(id, '?limit=1')).status, { timeout: 30_000 })
    .not.toBe('scraping')
  return status(id)
}

describe('batch scrape', () => {
  it('scrapes every URL in the background', async () => {
    const { id, url, invalidURLs } = await start({ urls: pages(12), formats: ['markdown', 'links'] })
    expect(url).toMatch(new RegExp(`^http.*/v2/batch/scrape/${id}$`))
    expect(invalidURLs).toEqual([])
    const done = await finished(id)
    expect(done).toMatchObject({
      success: true,
      status: 'completed',
      total: 12,
      completed: 12,
      creditsUsed: 12,
    })
    expect(done.data).toHaveLength(12)
    expect(done.next).toBeUndefined()
    const titles = done.data.map((document: Json) => document.metadata.title).sort()
    expect(titles).toContain('Page 12')
    expect(done.data[0].links.length).toBeGreaterThan(0)
  })

  it('leaves invalid URLs out and names them', async () => {
    const { id, invalidURLs } = await start({
      urls: ['not a url', `${site.url}/pages/1`, 'ftp://a.example/'],
    })
    expect(invalidURLs).toEqual(['not a url', 'ftp://a.example/'])
    expect((await finished(id)).total).toBe(1)
  })

  it('refuses the call for invalid URLs when told so', async () => {
    const body = { urls: ['not a url', `${site.url}/pages/1`], ignoreInvalidURLs: false }
    const answer = await call('POST', '/v2/batch/scrape', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_URL', invalidURLs: ['not a url'] } })
    const none = await call('POST', '/v2/batch/scrape', { body: { urls: ['not a url'] } })
    expect(none).toMatchObject({ status: 400, body: { code: 'NO_VALID_URLS' } })
  })

  it('pages through its documents without losing or repeating one', async () => {
    const { id } = await start({ urls: pages(25) })
    await finished(id)
    const seen: string[] = []
    let page = await status(id, '?limit=10')
    for (;;) {
      seen.push(...page.data.map((document: Json) => document.metadata.sourceURL))
      if (page.next === undefined) break
      const next = new URL(page.next)
      page = (await call('GET', next.pathname + next.search)).body
    }
    expect(new Set(seen).size).toBe(25)
    expect(seen).toHaveLength(25)
  })

  it('lists the URLs that failed with their reason and still completes', async () => {
    const { id } = await start({ urls: [`${site.url}/reset`, `${site.url}/pages/1`, 'http://127.0.0.2/'] })
    const done = await finished(id)
    expect(done).toMatchObject({ status: 'completed', completed: 1, total: 1, creditsUsed: 1 })
    const { errors, robotsBlocked } = (await call('GET', `/v2/batch/scrape/${id}/errors`)).body
    const codes = Object.fromEntries(errors.map((error: Json) => [new URL(error.url).pathname, error.code]))
    expect(codes).toEqual({ '/reset': 'SCRAPE_SITE_ERROR', '/': 'TARGET_FORBIDDEN' })
    expect(robotsBlocked).toEqual([])
  })

  it('stops when it is cancelled and keeps what was done', async () => {
    const urls = [...pages(3), ...Array.from({ length: 30 }, (_, index) => `${site.url}/hang?${index}`)]
    const { id } = await start({ urls, timeout: 60_000 })
    await expect.poll(async () => (await status(id)).completed, { timeout: 20_000 }).toBe(3)
    const cancelled = await call('DELETE', `/v2/batch/scrape/${id}`)
    expect(cancelled).toMatchObject({ status: 200, body: { success: true, status: 'cancelled' } })
    expect(await status(id)).toMatchObject({ status: 'cancelled', completed: 3, total: 3 })
    const again = await call('DELETE', `/v2/batch/scrape/${id}`)
    expect(again).toMatchObject({ status: 409, body: { code: 'JOB_ALREADY_ENDED' } })
    // The slots of the hanging pages must be free again: another batch gets through.
    const after = await start({ urls: pages(3, 100) })
    expect((await finished(after.id)).completed).toBe(3)
  })

  it('starts one job per idempotency key', async () => {
    const headers = { 'x-idempotency-key': `key-${Math.random()}` }
    const { id } = await start({ urls: pages(2) }, headers)
    const again = await call('POST', '/v2/batch/scrape', { body: { urls: pages(2) }, headers })
    expect(again).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED', id } })
  })

  it('starts one job when one idempotency key is used many times at once', async () => {
    const headers = { 'x-idempotency-key': `key-${Math.random()}` }
    const calls = Array.from({ length: 8 }, () =>
      call('POST', '/v2/batch/scrape', { body: { urls: pages(1) }, headers }),
    )
    const statuses = (await Promise.all(calls)).map((answer) => answer.status).sort()
    expect(statuses).toEqual([200, ...Array(7).fill(409)])
  })

  it('takes ten thousand URLs in one call, and is acknowledged with all of them', {
    timeout: 120_000,
  }, async () => {
    const urls = Array.from(
      { length: 10_000 },
      (_, index) => `${site.url}/pages/${(index % 50) + 1}?n=${index}`,
    )
    const { id } = await start({ urls })
    expect(await status(id, '?limit=1')).toMatchObject({ status: 'scraping', total: 10_000 })
    await call('DELETE', `/v2/batch/scrape/${id}`)
    const after = await status(id, '?limit=1')
    expect(after).toMatchObject({ status: 'cancelled' })
    expect(after.total).toBe(after.completed)
    const tooMany = await call('POST', '/v2/batch/scrape', { body: { urls: [...urls, urls[0]] } })
    expect(tooMany.status).toBe(400)
  })

  it('grows by URLs that are added while it runs and after it has completed', async () => {
    const { id } = await start({ urls: pages(3) })
    const more = await start({ urls: [...pages(2, 10), 'nonsense'], appendToId: id })
    expect(more).toMatchObject({ id, invalidURLs: ['nonsense'] })
    expect(await finished(id)).toMatchObject({ total: 5, completed: 5 })
    await start({ urls: pages(1, 20), appendToId: id })
    expect(await finished(id)).toMatchObject({ status: 'completed', total: 6, completed: 6, creditsUsed: 6 })
  })

  it('does not grow when it was cancelled, is unknown or has a webhook of its own', async () => {
    const { id } = await start({ urls: [`${site.url}/hang?append`] })
    await call('DELETE', `/v2/batch/scrape/${id}`)
    const append = (body: object) => call('POST', '/v2/batch/scrape', { body: { urls: pages(1), ...body } })
    expect(await append({ appendToId: id })).toMatchObject({
      status: 409,
      body: { code: 'JOB_ALREADY_ENDED' },
    })
    const unknown = '00000000-0000-7000-8000-000000000000'
    expect(await append({ appendToId: unknown })).toMatchObject({ status: 404 })
    expect(await append({ appendToId: 'nonsense' })).toMatchObject({ status: 400 })
    const told = await append({ appendToId: id, webhook: 'https://a.example/hook' })
    expect(told).toMatchObject({ status: 400, body: { option: 'webhook' } })
  })

  it('never has more pages under way than it may', async () => {
    let now = 0
    let most = 0
    const allowed = Promise.withResolvers<void>()
    const slow = await startSite({
      routes: {
        '/few/:number': async ({ response }) => {
          now += 1
          most = Math.max(most, now)
          // The first ones wait for as many as may be under way; the others give one too many the time to come.
          if (now === 3) allowed.resolve()
          await allowed.promise
          await new Promise((resolve) => setTimeout(resolve, 30))
          now -= 1
          response.setHeader('content-type', 'text/html')
          response.end('<title>Few</title><p>Some words.</p>')
        },
      },
    })
    const urls = Array.from({ length: 12 }, (_, index) => `${slow.url}/few/${index}`)
    const { id } = await start({ urls, maxConcurrency: 3, maxAge: 0 })
    expect(await status(id)).toMatchObject({ total: 12 })
    expect((await finished(id)).completed).toBe(12)
    expect(most).toBe(3)
    await slow.stop()
  })

  it('that is short does not wait for a long one before it', async () => {
    const team = await newTeam({ concurrency: 2 })
    const urls = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => `${site.url}/slow?ms=40&${name}=${index}`)
    const begin = async (count: number, name: string) =>
      (await team.call('POST', '/v2/batch/scrape', { body: { urls: urls(count, name) } })).body.id
    const stateOf = async (id: string) => (await team.call('GET', `/v2/batch/scrape/${id}?limit=1`)).body
    const long = await begin(300, 'long')
    const short = await begin(3, 'short')
    await expect.poll(async () => (await stateOf(short)).status, { timeout: 30_000 }).toBe('completed')
    expect(await stateOf(long)).toMatchObject({ status: 'scraping', total: 300 })
    await team.call('DELETE', `/v2/batch/scrape/${long}`)
  })

  it('refuses zero retention, since its results are kept to be read', async () => {
    const body = { urls: pages(1), zeroDataRetention: true }
    const answer = await call('POST', '/v2/batch/scrape', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'OPTION_NOT_AVAILABLE' } })
  })

  it('refuses an id of another kind of job', async () => {
    const { body } = await call('POST', '/v2/scrape', { body: { url: `${site.url}/pages/1` } })
    const answer = await call('GET', `/v2/batch/scrape/${body.data.metadata.scrapeId}`)
    expect(answer.status).toBe(404)
  })
})
