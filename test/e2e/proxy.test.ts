import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { startHttpProxy, type UpstreamProxy } from '../servers/proxy-server.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let basic: UpstreamProxy
let enhanced: UpstreamProxy
let own: OwnService
beforeAll(async () => {
  // The site lets in whoever comes through the enhanced proxy, which marks its requests by its own address.
  site = await startSite({
    routes: {
      '/wall': (exchange) => {
        const isLetIn = enhanced.asked.length > 0
        if (isLetIn)
          return sendHtml(
            exchange,
            page('Let in', `<p>${'Behind the wall there is a garden. '.repeat(20)}</p>`),
          )
        exchange.response.writeHead(403, { 'content-type': 'text/html', 'cf-mitigated': 'challenge' })
        exchange.response.end(
          page('Just a moment...', '<script src="/cdn-cgi/challenge-platform/x.js"></script>'),
        )
      },
    },
  })
  basic = await startHttpProxy(site.port)
  enhanced = await startHttpProxy(site.port, { password: 'user:us-word' })
  own = await startOwnService({
    PROXY_BASIC_URL: `http://127.0.0.1:${basic.port}`,
    PROXY_ENHANCED_URL: `http://user:{country}-word@127.0.0.1:${enhanced.port}`,
  })
})
afterAll(async () => {
  await own.remove()
  await Promise.all([site.stop(), basic.stop(), enhanced.stop()])
})

const scrape = (path: string, options: object = {}) =>
  own.call('POST', '/v2/scrape', { body: { url: site.url + path, maxAge: 0, ...options } })

describe('proxies', () => {
  it('carry ordinary requests through the basic one', async () => {
    const { body } = await scrape('/pages/1', { proxy: 'basic' })
    expect(body.data.metadata).toMatchObject({ title: 'Page 1', proxyUsed: 'basic', creditsUsed: 1 })
    expect(basic.asked.length).toBeGreaterThan(0)
    expect(enhanced.asked).toEqual([])
  })

  it('carry the browser too', async () => {
    const before = basic.asked.length
    const { body } = await scrape('/pages/2', { proxy: 'basic', waitFor: 1 })
    expect(body.data.metadata.title).toBe('Page 2')
    expect(basic.asked.length).toBeGreaterThan(before)
  })

  it('say that the site blocked the basic one when no other is allowed', async () => {
    const { body } = await scrape('/wall', { proxy: 'basic' })
    expect(body.data.warning).toMatch(/blocked/)
    expect(body.data.metadata).toMatchObject({ proxyUsed: 'basic', creditsUsed: 1 })
  })

  it('go on to the enhanced one by themselves, for five credits', async () => {
    const { body } = await scrape('/wall')
    expect(body.data.markdown).toContain('Behind the wall')
    expect(body.data.metadata).toMatchObject({ proxyUsed: 'stealth', creditsUsed: 5 })
    expect(enhanced.credentials.at(-1)).toBe('user:us-word')
  })

  it.each(['enhanced', 'stealth'])('start with the enhanced one when asked for %s', async (proxy) => {
    const before = enhanced.asked.length
    const { body } = await scrape('/pages/3', { proxy })
    expect(body.error).toBeUndefined()
    expect(body.data.metadata).toMatchObject({ title: 'Page 3', proxyUsed: 'stealth', creditsUsed: 5 })
    expect(enhanced.asked.length).toBeGreaterThan(before)
  })

  it('leave the guard in force', async () => {
    const { status, body } = await own.call('POST', '/v2/scrape', {
      body: { url: 'http://10.0.0.1/', proxy: 'enhanced' },
    })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'TARGET_FORBIDDEN' })
  })
})
