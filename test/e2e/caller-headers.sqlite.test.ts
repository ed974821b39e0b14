import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, scrape } from '../api.ts'
import { until } from '../servers/until.ts'
import { type Exchange, page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let other: Site
beforeAll(async () => {
  other = await startSite()
  const text = `<p>${'The ferry leaves at noon and comes back in the evening. '.repeat(8)}</p>`
  const resources = `<img src="${other.url}/pixel"><script src="${other.url}/own.js"></script><iframe src="${other.url}/pages/1"></iframe><img src="/part">`
  const shell = `<div id="root"></div><script>fetch('/part').then(() => { document.getElementById('root').innerHTML = ${JSON.stringify(text + resources).replaceAll('</', '<\\/')} })</script>`
  const redirectAway = ({ response }: Exchange) =>
    response.writeHead(302, { location: `${other.url}/pages/2` }).end()
  site = await startSite({
    routes: {
      '/page/:name': (exchange) => sendHtml(exchange, page('Ferry', text + resources)),
      '/shell': (exchange) => sendHtml(exchange, shell),
      '/part': ({ response }) => response.end('part'),
      '/away/:name': redirectAway,
      '/forward': (exchange) =>
        sendHtml(exchange, `<meta http-equiv="refresh" content="0;url=${other.url}/pages/2"><p>Moved.</p>`),
    },
  })
})
afterAll(() => Promise.all([site.stop(), other.stop()]))

const headers = { Cookie: 'session=secret-1', Referer: 'https://search.test/secret-2', 'X-Key': 'secret-3' }

const expectSent = (path: string, times: number) => {
  const sent = site.requests.filter((request) => request.path === path)
  expect(sent).toHaveLength(times)
  for (const request of sent) {
    expect(request.headers).toMatchObject({ referer: headers.Referer, 'x-key': 'secret-3' })
    expect(request.headers.cookie).toContain('session=secret-1')
  }
}
const expectNoLeak = () => {
  expect(JSON.stringify(other.requests.map((request) => request.headers))).not.toMatch(/secret/)
}

describe('headers of the caller', () => {
  it.each([
    ['by HTTP', {}],
    ['in a browser', { waitFor: 200 }],
    ['with actions', { actions: [{ type: 'wait', milliseconds: 100 }] }],
    ['without ad blocking', { waitFor: 200, blockAds: false }],
    ['in enhanced proxy mode', { proxy: 'enhanced' }],
    ['in a browser in enhanced proxy mode', { proxy: 'enhanced', waitFor: 200 }],
  ])('reach only the requested site: %s', async (name, options) => {
    const path = `/page/${name.replaceAll(' ', '-')}`
    const { status } = await scrape({ url: site.url + path, headers, maxAge: 0, ...options })
    expect(status).toBe(200)
    expectSent(path, 1)
    expectNoLeak()
  })

  it('reach the site if its page is opened in a browser', async () => {
    const { body } = await scrape({ url: `${site.url}/shell`, headers, maxAge: 0 })
    expect(body.data.markdown).toContain('The ferry leaves at noon')
    expectSent('/shell', 2)
    const partRequest = site.requests.findLast(({ path }) => path === '/part')
    expect(partRequest?.headers.cookie).toContain('session=secret-1')
    expectNoLeak()
  })

  it.each([
    ['by-HTTP', {}],
    ['in-a-browser', { waitFor: 1 }],
  ])('are dropped on a redirect to another site: %s', async (name, options) => {
    const { body } = await scrape({ url: `${site.url}/away/${name}`, headers, maxAge: 0, ...options })
    expect(body.data.metadata.title).toBe('Page 2')
    expectSent(`/away/${name}`, 1)
    expectNoLeak()
  })

  it('are dropped on a meta refresh to another site', async () => {
    const { body } = await scrape({ url: `${site.url}/forward`, headers, maxAge: 0 })
    expect(body.data.metadata).toMatchObject({ title: 'Page 2', engine: 'http' })
    expectSent('/forward', 1)
    expectNoLeak()
  })

  it('reach the pages of a batch and of a crawl', async () => {
    const waitForEnd = async (path: string, id: string) =>
      until('the end of the job', 30_000, async () => {
        const { body } = await call('GET', `${path}/${id}`)
        return body.status === 'completed' ? body : undefined
      })
    const batch = { urls: [`${site.url}/page/batch`], headers, maxAge: 0 }
    const crawl = {
      url: `${site.url}/page/crawl`,
      limit: 1,
      sitemap: 'skip',
      scrapeOptions: { headers, maxAge: 0 },
    }
    const [batched, crawled] = await Promise.all([
      call('POST', '/v2/batch/scrape', { body: batch }),
      call('POST', '/v2/crawl', { body: crawl }),
    ])
    await waitForEnd('/v2/batch/scrape', batched.body.id)
    await waitForEnd('/v2/crawl', crawled.body.id)
    expectSent('/page/batch', 1)
    expectSent('/page/crawl', 1)
    expectNoLeak()
  })
})
