import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { call, type Json } from '../api.ts'
import { until } from '../servers/until.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** Pages that break off their connection until they are mended. */
let isMended = false
const asked: { path: string; secret: string | undefined }[] = []

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/broken/:name': (exchange) => {
        const { secret } = exchange.request.headers
        asked.push({ path: exchange.url.pathname, secret: secret as string | undefined })
        if (isMended) sendHtml(exchange, page('Mended', '<p>It stands again.</p>'))
        else exchange.response.destroy()
      },
      '/pier': (exchange) => {
        const links = ['one', 'two'].map((name) => `<a href="/pier/${name}">${name}</a>`).join(' ')
        sendHtml(exchange, page('Pier', `<p>Boats: ${links}</p>`))
      },
      '/pier/:name': (exchange) => {
        if (isMended || exchange.part.name === 'one') sendHtml(exchange, page('Boat', '<p>A boat.</p>'))
        else exchange.response.destroy()
      },
    },
  })
})
afterAll(() => site.stop())

const ended = (path: string) =>
  until(`the end of ${path}`, 60_000, async () => {
    await sleep(250)
    const { body } = await call('GET', path)
    return body.status === 'scraping' ? undefined : body
  })

async function run(path: string, body: object): Promise<Json> {
  const { body: started } = await call('POST', path, { body })
  return { id: started.id, ...(await ended(`${path}/${started.id}`)) }
}

describe('retry', () => {
  it('scrapes the pages of a batch that failed again, with the options that they had', async ({ expect }) => {
    isMended = false
    const { id, completed } = await run('/v2/batch/scrape', {
      urls: [`${site.url}/article`, `${site.url}/broken/a`, `${site.url}/broken/b`],
      headers: { secret: 'of the caller' },
      formats: ['html'],
      timeout: 10_000,
      fastMode: true,
      maxAge: 0,
    })
    expect(completed).toBe(1)
    isMended = true
    asked.length = 0
    const retry = await call('POST', `/v2/batch/scrape/${id}/retry`)
    expect(retry).toMatchObject({ status: 200, body: { success: true, count: 2 } })
    expect(retry.body.warning).toContain('secret')
    expect(retry.body.warning).not.toContain('of the caller')
    expect(retry.body.url).toContain(`/v2/batch/scrape/${retry.body.id}`)
    const done = await ended(`/v2/batch/scrape/${retry.body.id}`)
    expect(done).toMatchObject({ status: 'completed', completed: 2, total: 2 })
    expect(done.data.map((document: Json) => Object.keys(document).sort())).toEqual([
      ['html', 'metadata'],
      ['html', 'metadata'],
    ])
    expect([...new Set(asked.map(({ path, secret }) => `${path} ${secret}`))].sort()).toEqual([
      '/broken/a undefined',
      '/broken/b undefined',
    ])
    const nothing = await call('POST', `/v2/batch/scrape/${retry.body.id}/retry`)
    expect([nothing.status, nothing.body.code]).toEqual([409, 'NOTHING_TO_RETRY'])
  })

  it('takes the pages of a crawl that failed, and no others', async ({ expect }) => {
    isMended = false
    const { id } = await run('/v2/crawl', {
      url: `${site.url}/pier`,
      sitemap: 'skip',
      scrapeOptions: { fastMode: true, timeout: 10_000, maxAge: 0 },
    })
    isMended = true
    const { status, body } = await call('POST', `/v2/crawl/${id}/retry`)
    expect({ status, count: body.count }).toEqual({ status: 200, count: 1 })
    const done = await ended(`/v2/batch/scrape/${body.id}`)
    expect(done.data.map((document: Json) => document.metadata.sourceURL)).toEqual([`${site.url}/pier/two`])
  })

  it('waits for the end, and knows only jobs of its kind and its team', async ({ expect }) => {
    const urls = [`${site.url}/slow?ms=3000&retry`]
    const { body } = await call('POST', '/v2/batch/scrape', { body: { urls, maxAge: 0 } })
    const early = await call('POST', `/v2/batch/scrape/${body.id}/retry`)
    expect([early.status, early.body.code]).toEqual([409, 'JOB_NOT_FINISHED'])
    const other = await call('POST', `/v2/crawl/${body.id}/retry`)
    expect([other.status, other.body.code]).toEqual([404, 'JOB_NOT_FOUND'])
  })
})
