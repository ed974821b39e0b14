import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { callAt, teamKey } from '../api.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const paragraph =
  '<p>A <a href="/a">page</a> of <em>many</em> lines &amp; of no &lt;end&gt;, told in full.</p>\n'
const pageSent = Promise.withResolvers<void>()

let site: Site
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/endless': (exchange) => {
        exchange.response.once('finish', pageSent.resolve)
        sendHtml(exchange, page('Endless', paragraph.repeat(60_000)))
      },
      '/long': (exchange) => sendHtml(exchange, page('Long', `<article>${paragraph.repeat(300)}</article>`)),
    },
  })
})
afterAll(() => site.stop())

describe('a page that takes long to read', () => {
  it('blocks neither the service nor other pages', async () => {
    const { urls } = inject('deployment')
    const key = teamKey()
    const callFirst = (method: string, path: string, body?: object) =>
      callAt(urls[0] ?? '', method, path, { key, body })
    const scrape = (path: string) => callFirst('POST', '/v2/scrape', { url: `${site.url}${path}`, maxAge: 0 })
    let isRead = false
    const endless = scrape('/endless').finally(() => (isRead = true))
    await pageSent.promise
    const long = scrape('/long').then(({ body }) => ({ body, isFirst: !isRead }))
    let responses = 0
    for (; !isRead; responses += 1) {
      expect((await callFirst('GET', '/health/live')).body).toEqual({ status: 'live' })
    }
    const { status, body } = await endless
    expect(status).toBe(200)
    expect(body.data.markdown).toContain('told in full')
    const { body: other, isFirst } = await long
    expect(other.data.markdown).toContain('told in full')
    expect(isFirst).toBe(true)
    // If one thread read the page and responded, only a few responses would arrive.
    expect(responses).toBeGreaterThan(200)
  })
})
