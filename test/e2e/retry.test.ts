import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { call, type Json } from '../api.ts'
import { until } from '../servers/until.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** False while pages close their connections. */
let isRepaired = false
const requests: { path: string; secret: string | undefined }[] = []

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/broken/:name': (exchange) => {
        const { secret } = exchange.request.headers
        requests.push({ path: exchange.url.pathname, secret: secret as string | undefined })
        if (isRepaired) sendHtml(exchange, page('Mended', '<p>It stands again.</p>'))
        else exchange.response.destroy()
      },
      '/pier': (exchange) => {
        const links = ['one', 'two'].map((name) => `<a href="/pier/${name}">${name}</a>`).join(' ')
        sendHtml(exchange, page('Pier', `<p>Boats: ${links}</p>`))
      },
      '/pier/:name': (exchange) => {
        if (isRepaired || exchange.params.name === 'one') sendHtml(exchange, page('Boat', '<p>A boat.</p>'))
        else exchange.response.destroy()
      },
    },
  })
})
afterAll(() => site.stop())

const waitForEnd = (path: string) =>
  until(`the end of ${path}`, 60_000, async () => {
    await sleep(250)
    const { body } = await call('GET', path)
    return body.status === 'scraping' ? undefined : body
  })

async function run(path: string, body: object): Promise<Json> {
  const { body: started } = await call('POST', path, { body })
  return { id: started.id, ...(await waitForEnd(`${path}/${started.id}`)) }
}

describe('retry', () => {
  it('scrapes the failed pages of a batch again, with their options', async ({ expect }) => {
    isRepaired = false
    const { id, completed } = await run('/v2/batch/scrape', {
      urls: [`${site.url}/article`, `${site.url}/broken/a`, `${site.url}/broken/b`],
      headers: { secret: 'of the caller' },
      formats: ['html'],
      timeout: 10_000,
      fastMode: true,
      maxAge: 0,
    })
    expect(completed).toBe(1)
    isRepaired = true
    requests.length = 0
    const retry = await call('POST', `/v2/batch/scrape/${id}/retry`)
    expect(retry).toMatchObject({ status: 200, body: { success: true, count: 2 } })
    expect(retry.body.warning).toContain('secret')
    expect(retry.body.warning).not.toContain('of the caller')
    expect(retry.body.url).toContain(`/v2/batch/scrape/${retry.body.id}`)
    const done = await waitForEnd(`/v2/batch/scrape/${retry.body.id}`)
    expect(done).toMatchObject({ status: 'completed', completed: 2, total: 2 })
    expect(done.data.map((document: Json) => Object.keys(document).sort())).toEqual([
      ['html', 'metadata'],
      ['html', 'metadata'],
    ])
    expect([...new Set(requests.map(({ path, secret }) => `${path} ${secret}`))].sort()).toEqual([
      '/broken/a undefined',
      '/broken/b undefined',
    ])
    const withoutFailures = await call('POST', `/v2/batch/scrape/${retry.body.id}/retry`)
    expect([withoutFailures.status, withoutFailures.body.code]).toEqual([409, 'NOTHING_TO_RETRY'])
  })

  it('scrapes only the failed pages of a crawl', async ({ expect }) => {
    isRepaired = false
    const { id } = await run('/v2/crawl', {
      url: `${site.url}/pier`,
      sitemap: 'skip',
      scrapeOptions: { fastMode: true, timeout: 10_000, maxAge: 0 },
    })
    isRepaired = true
    const { status, body } = await call('POST', `/v2/crawl/${id}/retry`)
    expect({ status, count: body.count }).toEqual({ status: 200, count: 1 })
    const done = await waitForEnd(`/v2/batch/scrape/${body.id}`)
    expect(done.data.map((document: Json) => document.metadata.sourceURL)).toEqual([`${site.url}/pier/two`])
  })

  it('returns an error for a running job, and for a job of another kind', async ({ expect }) => {
    const urls = [`${site.url}/slow?ms=3000&retry`]
    const { body } = await call('POST', '/v2/batch/scrape', { body: { urls, maxAge: 0 } })
    const tooEarly = await call('POST', `/v2/batch/scrape/${body.id}/retry`)
    expect([tooEarly.status, tooEarly.body.code]).toEqual([409, 'JOB_NOT_FINISHED'])
    const otherKind = await call('POST', `/v2/crawl/${body.id}/retry`)
    expect([otherKind.status, otherKind.body.code]).toEqual([404, 'JOB_NOT_FOUND'])
  })
})
