import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { WebSocket } from 'ws'
import { call, type Json, teamKey } from '../api.ts'
import { lampRoutes } from '../site/lamps.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let board = '<p>The ferry leaves at nine.</p>'
beforeAll(async () => {
  site = await startSite({
    routes: { ...lampRoutes, '/board': (exchange) => sendHtml(exchange, page('Board', board)) },
  })
})
afterAll(() => site.stop())

const post = async (path: string, body: object): Promise<Json> => {
  const answer = await call('POST', path, { body })
  expect(answer).toMatchObject({ status: 200 })
  return answer.body
}
const read = async (path: string): Promise<Json> => (await call('GET', path)).body

async function finished(path: string): Promise<Json> {
  await expect.poll(async () => (await read(path)).status, { interval: 50 }).not.toBe('scraping')
  return read(path)
}

const schema = { type: 'object', properties: { price: { type: 'number', description: 'Price' } } }
const values = { price: 1299 }

describe('a crawl of the first version', () => {
  it('returns pages of a crawl in the first version, and completely in the second', async () => {
    const { id, url } = await post('/v1/crawl', {
      ...{ url: `${site.url}/tree`, limit: 5, ignoreSitemap: true, allowBackwardLinks: false },
      scrapeOptions: { formats: ['markdown', 'links'] },
    })
    expect(new URL(url).pathname).toBe(`/v1/crawl/${id}`)
    expect(await finished(`/v1/crawl/${id}`)).toMatchObject({ success: true, status: 'completed', total: 5 })
    const pages: Json[] = []
    for (let next: string | undefined = `/v1/crawl/${id}?limit=2`; next !== undefined; ) {
      expect(next).toMatch(/^\/v1\/crawl\//)
      const resultPage = await read(next)
      pages.push(...resultPage.data)
      const nextUrl: URL | null = URL.parse(resultPage.next ?? '')
      next = nextUrl ? nextUrl.pathname + nextUrl.search : undefined
    }
    expect(pages).toHaveLength(5)
    const second = await read(`/v2/crawl/${id}`)
    expect(second.data).toEqual(pages)
  })

  it('counts the depth by path segments', async () => {
    const options = { url: `${site.url}/lamps`, allowBackwardLinks: true, ignoreSitemap: true }
    const flat = await post('/v1/crawl', { ...options, maxDepth: 0 })
    const deep = await post('/v1/crawl', { ...options, maxDepth: 1, regexOnFullURL: true })
    expect((await finished(`/v1/crawl/${flat.id}`)).total).toBe(1)
    expect((await finished(`/v1/crawl/${deep.id}`)).total).toBe(3)
  })

  it('can be listed and cancelled, and returns its errors for GET and DELETE', async () => {
    const { id } = await post('/v1/crawl', { url: `${site.url}/hang?v1` })
    const { crawls } = await read('/v1/crawl/active')
    expect(crawls.map((item: Json) => item.id)).toContain(id)
    expect((await call('DELETE', `/v1/crawl/${id}`)).body).toMatchObject({ status: 'cancelled' })
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await call(method, `/v1/crawl/${id}/errors`)
      expect([status, body]).toEqual([200, { success: true, errors: [], robotsBlocked: [] }])
    }
    expect((await read(`/v2/crawl/${id}`)).status).toBe('cancelled')
  })

  it.each([
    ['/v1/crawl', 404, 'JOB_NOT_FOUND', '00000000-0000-7000-8000-000000000000'],
    ['/v1/batch/scrape', 404, 'JOB_NOT_FOUND', '00000000-0000-7000-8000-000000000000'],
    ['/v1/extract', 400, 'INVALID_JOB_ID', 'nonsense'],
  ])('of %s returns %i %s for an unknown id', async (path, status, code, id) => {
    const answer = await call('GET', `${path}/${id}`)
    expect([answer.status, answer.body.code, answer.body.success]).toEqual([status, code, false])
  })
})

describe('a batch of the first version', () => {
  it('returns a batch at the path of a crawl, with its values under both names', async () => {
    const formats = { formats: ['extract'], extract: { schema } }
    const { id, url } = await post('/v1/batch/scrape', { urls: [`${site.url}/lamps/desk`], ...formats })
    expect(new URL(url).pathname).toBe(`/v1/batch/scrape/${id}`)
    const done = await finished(`/v1/crawl/${id}`)
    expect(done).toMatchObject({ status: 'completed', completed: 1 })
    expect(done.data[0]).toMatchObject({ json: values, extract: values })
    expect(await read(`/v1/batch/scrape/${id}`)).toEqual(done)
    expect((await read(`/v2/batch/scrape/${id}`)).data[0].extract).toBeUndefined()
    expect(await read(`/v1/crawl/${id}/errors`)).toMatchObject({ errors: [] })
  })

  it('rejects invalid URLs unless ignoreInvalidURLs is true', async () => {
    const urls = [`${site.url}/pages/1`, 'nonsense']
    const rejected = await call('POST', '/v1/batch/scrape', { body: { urls } })
    expect([rejected.status, rejected.body.code]).toEqual([400, 'BAD_URL'])
    const { invalidURLs } = await post('/v1/batch/scrape', { urls, ignoreInvalidURLs: true })
    expect(invalidURLs).toEqual(['nonsense'])
  })

  it('returns changes in the shape of the first version', async () => {
    const changes = {
      formats: ['markdown', 'changeTracking'],
      changeTrackingOptions: { modes: ['git-diff'] },
    }
    const track = async () => {
      const { id } = await post('/v1/batch/scrape', { urls: [`${site.url}/board`], ...changes })
      const [document] = (await finished(`/v1/batch/scrape/${id}`)).data
      return document.changeTracking
    }
    expect(await track()).toMatchObject({ changeStatus: 'new', previousScrapeAt: null })
    board = '<p>The ferry leaves at ten.</p>'
    const { changeStatus, diff, diffJson } = await track()
    expect({ changeStatus, diffJson }).toEqual({ changeStatus: 'changed', diffJson: undefined })
    expect(diff.text).toContain('+The ferry leaves at ten.')
    expect(diff.json.files[0].chunks[0].changes).toContainEqual(
      expect.objectContaining({ type: 'add', content: 'The ferry leaves at ten.' }),
    )
  })
})

describe('jobs of the second version', () => {
  it('can be read and cancelled in the first version', async () => {
    const crawl = await post('/v2/crawl', { url: `${site.url}/hang?v2` })
    const extract = await post('/v2/extract', { urls: [`${site.url}/lamps/desk`], schema })
    expect(await read(`/v1/crawl/${crawl.id}`)).toMatchObject({ status: 'scraping' })
    expect((await call('DELETE', `/v1/crawl/${crawl.id}`)).status).toBe(200)
    await expect.poll(async () => (await read(`/v1/extract/${extract.id}`)).status).toBe('completed')
    expect((await read(`/v1/extract/${extract.id}`)).data).toEqual(values)
  })
})

describe('a watcher of the first version', () => {
  /** Collects everything that a socket receives until it is closed. */
  function listen(id: string): Promise<{ messages: Json[]; code: number; reason: string }> {
    const base = (inject('deployment').urls[0] ?? '').replace('http', 'ws')
    const socket = new WebSocket(`${base}/v1/crawl/${id}`, teamKey())
    const messages: Json[] = []
    socket.on('message', (text) => messages.push(JSON.parse(text.toString())))
    return new Promise((resolve, reject) => {
      socket.on('error', reject)
      socket.on('close', (code, reason) => resolve({ messages, code, reason: reason.toString() }))
    })
  }

  it('sends each document of a batch and one final message', async () => {
    const urls = [1, 2, 3].map((number) => `${site.url}/slow?ms=${number * 200}&v1`)
    const { id } = await post('/v1/batch/scrape', { urls, formats: ['markdown'] })
    const { messages, code, reason } = await listen(id)
    expect({ code, reason }).toEqual({ code: 1000, reason: '{}' })
    const documents = messages.flatMap(({ type, data }) => (type === 'catchup' ? data.data : [data]))
    expect(documents.filter(({ metadata }) => metadata)).toHaveLength(3)
    expect(messages.map(({ type }) => type).filter((type) => type === 'done')).toEqual(['done'])
  })

  it('receives a cancellation as an error', async () => {
    const { id } = await post('/v1/crawl', { url: `${site.url}/hang?watched` })
    const [{ messages }] = await Promise.all([listen(id), call('DELETE', `/v1/crawl/${id}`)])
    expect(messages.at(-1)).toEqual({ type: 'error', error: expect.stringContaining('cancelled') })
  })
})
