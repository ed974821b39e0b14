import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, type OwnService, startOwnService } from '../api.ts'
import { findTinyproxy, startTinyproxy, type Tinyproxy } from '../servers/tinyproxy.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const withoutProxy = findTinyproxy() ? '' : ' (skipped: tinyproxy is not installed and could not be)'

describe.skipIf(withoutProxy)(`proxies${withoutProxy}`, () => {
  let site: Site
  let proxies: Tinyproxy[]
  let own: OwnService
  beforeAll(async () => {
    // The site lets in requests that come through the enhanced proxy.
    site = await startSite({
      routes: {
        '/refusing/:kind': (exchange) => {
          if (exchange.request.headers.via?.includes('enhanced')) {
            return sendHtml(exchange, page('Let in', `<p>${'Behind the wall is a garden. '.repeat(20)}</p>`))
          }
          const { kind } = exchange.part
          exchange.response.writeHead(kind === 'empty' ? 200 : Number(kind), { 'content-type': 'text/html' })
          exchange.response.end(kind === 'empty' ? '' : page('No', '<p>No.</p>'))
        },
        '/closed': ({ response }) => {
          response.writeHead(403, { 'content-type': 'text/html', 'cf-mitigated': 'challenge' })
          response.end(page('Just a moment...', '<script src="/cdn-cgi/challenge-platform/x.js"></script>'))
        },
        '/wall': (exchange) => {
          if (exchange.request.headers.via?.includes('enhanced')) {
            const text = `<p>${'Behind the wall there is a garden. '.repeat(20)}</p>`
            return sendHtml(exchange, page('Let in', text))
          }
          exchange.response.writeHead(403, { 'content-type': 'text/html', 'cf-mitigated': 'challenge' })
          exchange.response.end(
            page('Just a moment...', '<script src="/cdn-cgi/challenge-platform/x.js"></script>'),
          )
        },
      },
    })
    const credentials = { user: 'user', password: 'us-word' }
    const [basic, enhanced] = await Promise.all([
      startTinyproxy({ name: 'basic' }),
      startTinyproxy({ name: 'enhanced', credentials }),
    ])
    proxies = [basic, enhanced]
    own = await startOwnService({
      PROXY_BASIC_URL: `http://127.0.0.1:${basic.port}`,
      PROXY_ENHANCED_URL: `http://user:{country}-word@127.0.0.1:${enhanced.port}`,
    })
  })
  afterAll(async () => {
    await own.remove()
    await Promise.all([site.stop(), ...proxies.map((proxy) => proxy.stop())])
  })

  const scrape = (path: string, options: object = {}) =>
    own.call('POST', '/v2/scrape', { body: { url: site.url + path, maxAge: 0, ...options } })
  /** The proxies that requests for a path came through. */
  const ways = (path: string) =>
    site.requests
      .filter((request) => request.path === path)
      .map(({ headers }) => /basic|enhanced/.exec(String(headers.via))?.[0])

  it('carry ordinary requests through the basic one', async () => {
    const { body } = await scrape('/pages/1', { proxy: 'basic' })
    expect(body.data.metadata).toMatchObject({ title: 'Page 1', proxyUsed: 'basic', creditsUsed: 1 })
    expect(ways('/pages/1')).toEqual(['basic'])
  })

  it('carry the browser too', async () => {
    const { body } = await scrape('/pages/2', { proxy: 'basic', waitFor: 1 })
    expect(body.data.metadata.title).toBe('Page 2')
    expect(ways('/pages/2')).toEqual(['basic'])
  })

  it('say that the site blocked the basic one when no other is allowed', async () => {
    const { body } = await scrape('/wall', { proxy: 'basic' })
    expect(body.data.warning).toMatch(/blocked/)
    expect(body.data.metadata).toMatchObject({ proxyUsed: 'basic', creditsUsed: 1 })
  })

  it.each(['enhanced', 'stealth'])('start with the enhanced one when asked for %s', async (proxy) => {
    const { body } = await scrape(`/pages/3?${proxy}`, { proxy })
    expect(body.error).toBeUndefined()
    expect(body.data.metadata).toMatchObject({ title: 'Page 3', proxyUsed: 'stealth', creditsUsed: 5 })
    expect(ways(`/pages/3?${proxy}`)).toEqual(['enhanced'])
  })

  it('go on to the enhanced one by themselves, for five credits', async () => {
    const { body } = await scrape('/wall')
    expect(body.data.markdown).toContain('Behind the wall')
    expect(body.data.metadata).toMatchObject({ proxyUsed: 'stealth', creditsUsed: 5 })
    expect(ways('/wall').at(-1)).toBe('enhanced')
  })

  it.each(['403', '429', 'empty'])(
    'go on to the enhanced one where a site plainly refuses: %s',
    async (kind) => {
      const { body } = await scrape(`/refusing/${kind}`)
      expect(body.data.markdown).toContain('Behind the wall')
      expect(body.data.metadata).toMatchObject({ statusCode: 200, proxyUsed: 'stealth', creditsUsed: 5 })
    },
  )

  it.each(['/status/403', '/closed'])(
    'bring what %s answers, for one credit, where no way is let in',
    async (path) => {
      const { body } = await scrape(path)
      expect(body.data.metadata).toMatchObject({ statusCode: 403, proxyUsed: 'basic', creditsUsed: 1 })
      expect(ways(path)).toContain('enhanced')
    },
  )

  it('are given the country of the call, here as a part of the password', async () => {
    const location = { country: 'DE' }
    const { body } = await scrape('/pages/4', { proxy: 'enhanced', location })
    // This proxy says so as a site would.
    expect(body.data.metadata.statusCode).toBe(401)
    expect(ways('/pages/4')).toEqual([])
  })

  it('leave the guard in force', async () => {
    const { status, body } = await own.call('POST', '/v2/scrape', {
      body: { url: 'http://10.0.0.1/', proxy: 'enhanced' },
    })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'TARGET_FORBIDDEN' })
  })
})

describe('proxy: enhanced', () => {
  it('is reported and billed as basic where there is no such proxy', async () => {
    const site = await startSite()
    try {
      const { body } = await call('POST', '/v2/scrape', {
        body: { url: `${site.url}/pages/8`, proxy: 'enhanced' },
      })
      expect(body.data.metadata).toMatchObject({ title: 'Page 8', proxyUsed: 'basic', creditsUsed: 1 })
      expect(body.data.warning).toContain('PROXY_ENHANCED_URL')
    } finally {
      await site.stop()
    }
  })
})
