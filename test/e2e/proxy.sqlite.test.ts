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
    // The site accepts only requests through the enhanced proxy.
    site = await startSite({
      routes: {
        '/refusing/:kind': (exchange) => {
          if (exchange.request.headers.via?.includes('enhanced')) {
            return sendHtml(exchange, page('Let in', `<p>${'Behind the wall is a garden. '.repeat(20)}</p>`))
          }
          const { kind } = exchange.params
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
  /** Returns the proxies of all requests for a path. */
  const proxiesOf = (path: string) =>
    site.requests
      .filter((request) => request.path === path)
      .map(({ headers }) => /basic|enhanced/.exec(String(headers.via))?.[0])

  it('sends ordinary requests through the basic proxy', async () => {
    const { body } = await scrape('/pages/1', { proxy: 'basic' })
    expect(body.data.metadata).toMatchObject({ title: 'Page 1', proxyUsed: 'basic', creditsUsed: 1 })
    expect(proxiesOf('/pages/1')).toEqual(['basic'])
  })

  it('also serve the browser', async () => {
    const { body } = await scrape('/pages/2', { proxy: 'basic', waitFor: 1 })
    expect(body.data.metadata.title).toBe('Page 2')
    expect(proxiesOf('/pages/2')).toEqual(['basic'])
  })

  it('warn that the site blocked the basic proxy if no other is allowed', async () => {
    const { body } = await scrape('/wall', { proxy: 'basic' })
    expect(body.data.warning).toMatch(/blocked/)
    expect(body.data.metadata).toMatchObject({ proxyUsed: 'basic', creditsUsed: 1 })
  })

  it.each(['enhanced', 'stealth'])('start with the enhanced proxy if the request names %s', async (proxy) => {
    const { body } = await scrape(`/pages/3?${proxy}`, { proxy })
    expect(body.error).toBeUndefined()
    expect(body.data.metadata).toMatchObject({ title: 'Page 3', proxyUsed: 'stealth', creditsUsed: 5 })
    expect(proxiesOf(`/pages/3?${proxy}`)).toEqual(['enhanced'])
  })

  it('escalates to the enhanced proxy automatically, for five credits', async () => {
    const { body } = await scrape('/wall')
    expect(body.data.markdown).toContain('Behind the wall')
    expect(body.data.metadata).toMatchObject({ proxyUsed: 'stealth', creditsUsed: 5 })
    expect(proxiesOf('/wall').at(-1)).toBe('enhanced')
  })

  it.each(['403', '429', 'empty'])(
    'continue with the enhanced proxy if a site rejects the request: %s',
    async (kind) => {
      const { body } = await scrape(`/refusing/${kind}`)
      expect(body.data.markdown).toContain('Behind the wall')
      expect(body.data.metadata).toMatchObject({ statusCode: 200, proxyUsed: 'stealth', creditsUsed: 5 })
    },
  )

  it.each(['/status/403', '/closed'])(
    'return the response of %s for one credit if the site rejects all proxies',
    async (path) => {
      const { body } = await scrape(path)
      expect(body.data.metadata).toMatchObject({ statusCode: 403, proxyUsed: 'basic', creditsUsed: 1 })
      expect(proxiesOf(path)).toContain('enhanced')
    },
  )

  it('receive the country of the request, here as a part of the password', async () => {
    const location = { country: 'DE' }
    const { body } = await scrape('/pages/4', { proxy: 'enhanced', location })
    // This proxy responds with 401, as a site would.
    expect(body.data.metadata.statusCode).toBe(401)
    expect(proxiesOf('/pages/4')).toEqual([])
  })

  it('do not bypass the network guard', async () => {
    const { status, body } = await own.call('POST', '/v2/scrape', {
      body: { url: 'http://10.0.0.1/', proxy: 'enhanced' },
    })
    expect({ status, code: body.code }).toEqual({ status: 403, code: 'TARGET_FORBIDDEN' })
  })
})

describe('proxy: enhanced', () => {
  it('is reported and billed as basic if no enhanced proxy is configured', async () => {
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
