import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, createTeam, type Json } from '../api.ts'
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

  it('skips invalid URLs and lists them', async () => {
    const { id, invalidURLs } = await start({
      urls: ['not a url', `${site.url}/pages/1`, 'ftp://a.example/'],
    })
    expect(invalidURLs).toEqual(['not a url', 'ftp://a.example/'])
    expect((await finished(id)).total).toBe(1)
  })

  it('rejects invalid URLs if ignoreInvalidURLs is false', async () => {
    const body = { urls: ['not a url', `${site.url}/pages/1`], ignoreInvalidURLs: false }
    const answer = await call('POST', '/v2/batch/scrape', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_URL', invalidURLs: ['not a url'] } })
    const allInvalid = await call('POST', '/v2/batch/scrape', { body: { urls: ['not a url'] } })
    expect(allInvalid).toMatchObject({ status: 400, body: { code: 'NO_VALID_URLS' } })
  })

  it('returns each document once across its result pages', async () => {
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

  it('lists failed URLs with their reason, and completes', async () => {
    const { id } = await start({ urls: [`${site.url}/reset`, `${site.url}/pages/1`, 'http://127.0.0.2/'] })
    const done = await finished(id)
    expect(done).toMatchObject({ status: 'completed', completed: 1, total: 1, creditsUsed: 1 })
    const { errors, robotsBlocked } = (await call('GET', `/v2/batch/scrape/${id}/errors`)).body
    const codes = Object.fromEntries(errors.map((error: Json) => [new URL(error.url).pathname, error.code]))
    expect(codes).toEqual({ '/reset': 'SCRAPE_SITE_ERROR', '/': 'TARGET_FORBIDDEN' })
    expect(robotsBlocked).toEqual([])
  })

  it('stops when it is cancelled, and keeps its completed pages', async () => {
    const urls = [...pages(3), ...Array.from({ length: 30 }, (_, index) => `${site.url}/hang?${index}`)]
    const { id } = await start({ urls, timeout: 60_000 })
    await expect.poll(async () => (await status(id)).completed, { timeout: 20_000 }).toBe(3)
    const cancelled = await call('DELETE', `/v2/batch/scrape/${id}`)
    expect(cancelled).toMatchObject({ status: 200, body: { success: true, status: 'cancelled' } })
    expect(await status(id)).toMatchObject({ status: 'cancelled', completed: 3, total: 3 })
    const again = await call('DELETE', `/v2/batch/scrape/${id}`)
    expect(again).toMatchObject({ status: 409, body: { code: 'JOB_ALREADY_ENDED' } })
    // The slots of the hanging pages must be free again, so that another batch can complete.
    const after = await start({ urls: pages(3, 100) })
    expect((await finished(after.id)).completed).toBe(3)
  })

  it('starts one job per idempotency key', async () => {
    const headers = { 'x-idempotency-key': `key-${Math.random()}` }
    const { id } = await start({ urls: pages(2) }, headers)
    const again = await call('POST', '/v2/batch/scrape', { body: { urls: pages(2) }, headers })
    expect(again).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED', id } })
  })

  it('starts one job if an idempotency key is used in concurrent requests', async () => {
    const headers = { 'x-idempotency-key': `key-${Math.random()}` }
    const calls = Array.from({ length: 8 }, () =>
      call('POST', '/v2/batch/scrape', { body: { urls: pages(1) }, headers }),
    )
    const statuses = (await Promise.all(calls)).map((answer) => answer.status).sort()
    expect(statuses).toEqual([200, ...Array(7).fill(409)])
  })

  it('accepts ten thousand URLs in one call, and reports all of them', {
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

  it('does not grow if it was cancelled, is unknown, or the call has its own webhook', async () => {
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
    const withWebhook = await append({ appendToId: id, webhook: 'https://a.example/hook' })
    expect(withWebhook).toMatchObject({ status: 400, body: { option: 'webhook' } })
  })

  it('never has more pages under way than it may', async () => {
    let active = 0
    let maxActive = 0
    const limitReached = Promise.withResolvers<void>()
    const slow = await startSite({
      routes: {
        '/few/:number': async ({ response }) => {
          active += 1
          maxActive = Math.max(maxActive, active)
          // The first pages wait until the limit is reached. The delay gives an excess page time to start.
          if (active === 3) limitReached.resolve()
          await limitReached.promise
          await new Promise((resolve) => setTimeout(resolve, 30))
          active -= 1
          response.setHeader('content-type', 'text/html')
          response.end('<title>Few</title><p>Some words.</p>')
        },
      },
    })
    const urls = Array.from({ length: 12 }, (_, index) => `${slow.url}/few/${index}`)
    const { id } = await start({ urls, maxConcurrency: 3, maxAge: 0 })
    expect(await status(id)).toMatchObject({ total: 12 })
    expect((await finished(id)).completed).toBe(12)
    expect(maxActive).toBe(3)
    await slow.stop()
  })

  it('completes before a long batch that was started earlier', async () => {
    const team = await createTeam({ concurrency: 2 })
    const urls = (count: number, name: string) =>
      Array.from({ length: count }, (_, index) => `${site.url}/slow?ms=40&${name}=${index}`)
    const startBatch = async (count: number, name: string) =>
      (await team.call('POST', '/v2/batch/scrape', { body: { urls: urls(count, name) } })).body.id
    const readStatus = async (id: string) => (await team.call('GET', `/v2/batch/scrape/${id}?limit=1`)).body
    const long = await startBatch(300, 'long')
    const short = await startBatch(3, 'short')
    await expect.poll(async () => (await readStatus(short)).status, { timeout: 30_000 }).toBe('completed')
    expect(await readStatus(long)).toMatchObject({ status: 'scraping', total: 300 })
    await team.call('DELETE', `/v2/batch/scrape/${long}`)
  })

  it('rejects zero retention, because its results are stored', async () => {
    const body = { urls: pages(1), zeroDataRetention: true }
    const answer = await call('POST', '/v2/batch/scrape', { body })
    expect(answer).toMatchObject({ status: 400, body: { code: 'OPTION_NOT_AVAILABLE' } })
  })

  it('returns 404 for the id of another kind of job', async () => {
    const { body } = await call('POST', '/v2/scrape', { body: { url: `${site.url}/pages/1` } })
    const answer = await call('GET', `/v2/batch/scrape/${body.data.metadata.scrapeId}`)
    expect(answer.status).toBe(404)
  })
})
