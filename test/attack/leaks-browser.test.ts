import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, scrape } from '../api.ts'
import { type Exchange, page, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite, startTlsSite } from '../site/site.ts'
import { addTableRow, attackClass } from './attack.ts'

const callerHeaders = {
  Authorization: 'Bearer secret-token',
  Cookie: 'session=secret-cookie',
  Referer: 'https://before.example/secret-path',
  'X-Api-Key': 'secret-key',
}

let home: Site
let away: Site
let secure: Site

beforeAll(async () => {
  away = await startSite({ routes: awayRoutes() })
  secure = await startTlsSite({ routes: awayRoutes() })
  home = await startSite({ routes: homeRoutes() })
})
afterAll(() => Promise.all([home.stop(), away.stop(), secure.stop()]))

/** Pages and redirects of the home site that lead to another origin. */
const vectors: Record<string, string> = {
  'a redirect to another port': '/leave/301?to=port',
  'a temporary redirect': '/leave/307?to=port',
  'a redirect to another name': '/leave/302?to=name',
  'a redirect to TLS': '/leave/308?to=tls',
  'two redirects': '/twice',
  'there and back': '/leave/302?to=back',
  'a refresh': '/page/refresh',
  'a script': '/page/location',
  'a form': '/page/form',
  'a frame': '/page/frame',
  'a redirected frame': '/page/redirected-frame',
  'an image': '/page/image',
  'a redirected image': '/page/redirected-image',
  'a style': '/page/style',
  'a fetch': '/page/fetch',
  'a redirected fetch': '/page/redirected-fetch',
  'a redirected worker': '/page/worker',
  'a beacon': '/page/beacon',
  'a window': '/page/window',
  'a socket': '/page/socket',
  'a link that is clicked': '/page/link',
}

describe('headers of the caller', () => {
  const strike = (options: object) => async (name: string) => {
    const before = away.requests.length + secure.requests.length
    const isLink = name === 'a link that is clicked' && !('fastMode' in options)
    const body = { url: home.url + vectors[name], headers: callerHeaders, blockAds: false, timeout: 60_000 }
    const actions = isLink
      ? [
          { type: 'click', selector: 'a' },
          { type: 'wait', milliseconds: 300 },
        ]
      : []
    const { status } = await scrape({ ...body, ...options, actions })
    if (status !== 200) return `answered ${status}`
    const reached = [...away.requests, ...secure.requests]
    const leaked = reached.find(({ headers: sent }) => JSON.stringify(sent).includes('secret-'))
    if (leaked) return `${leaked.path} got ${JSON.stringify(leaked.headers)}`
    if (!('fastMode' in options) && reached.length === before) return 'nothing was asked for elsewhere'
    return undefined
  }

  attackClass({
    name: 'ways that lead headers of a caller elsewhere, in the browser',
    vectors: Object.keys(vectors),
    short: 8,
    concurrency: 3,
    run: strike({ waitFor: 400 }),
  })

  attackClass({
    name: 'ways that lead headers of a caller elsewhere, by HTTP',
    vectors: Object.keys(vectors),
    concurrency: 4,
    run: strike({ fastMode: true }),
  })

  it.each([
    ['in the browser', { waitFor: 300 }],
    ['by HTTP', { fastMode: true }],
  ])('all reach the requested page %s', async (mode, options) => {
    const path = `/echo?how=${encodeURIComponent(mode)}`
    await scrape({ url: home.url + path, headers: callerHeaders, blockAds: false, ...options })
    const sent = home.requests.find((request) => request.path === path)?.headers
    expect(sent).toMatchObject({
      authorization: callerHeaders.Authorization,
      cookie: callerHeaders.Cookie,
      referer: callerHeaders.Referer,
      'x-api-key': callerHeaders['X-Api-Key'],
    })
  })

  it('are sent after same-origin redirects, together with cookies of the site', async () => {
    for (const options of [{ waitFor: 300 }, { fastMode: true }]) {
      await scrape({ url: `${home.url}/within`, headers: callerHeaders, blockAds: false, ...options })
      const sent = home.requests.findLast((request) => request.path === '/echo?within')?.headers
      expect(sent?.cookie).toBe(`${callerHeaders.Cookie}; site=own`)
      expect(sent).toMatchObject({
        authorization: callerHeaders.Authorization,
        referer: callerHeaders.Referer,
      })
    }
  })

  it('are sent with requests of the page to its own origin, with the page as Referer', async () => {
    await scrape({ url: `${home.url}/page/own`, headers: callerHeaders, blockAds: false, waitFor: 500 })
    const sent = home.requests.findLast((request) => request.path === '/echo?part')?.headers
    expect(sent).toMatchObject({ authorization: callerHeaders.Authorization, cookie: callerHeaders.Cookie })
    expect(sent?.referer).toBe(`${home.url}/page/own`)
  })

  it('are not sent with requests of scripts on another site', async () => {
    await scrape({
      url: `${home.url}/leave/302?to=borrower`,
      headers: callerHeaders,
      blockAds: false,
      waitFor: 500,
    })
    const borrowed = home.requests.filter(({ path }) => path.startsWith('/echo?borrowed'))
    expect(borrowed.length).toBeGreaterThan(0)
    expect(JSON.stringify(borrowed.map((request) => request.headers))).not.toContain('secret-')
    addTableRow({ name: 'headers of a caller lent to another site', vectors: borrowed.length, hits: 0 })
  })
})

describe('the cache', () => {
  it('returns no page fetched without a valid certificate to a call that requires one', async () => {
    const url = `${secure.url}/pages/7`
    expect((await scrape({ url })).status).toBe(200)
    const { status, body } = await scrape({ url, skipTlsVerification: false })
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'SCRAPE_SSL_ERROR' })
    const cached = await call('POST', '/v2/scrape', { body: { url, skipTlsVerification: false, minAge: 1 } })
    expect(cached.body.code).toBe('SCRAPE_NO_CACHED_DATA')
    addTableRow({ name: 'unverified pages from the cache', vectors: 2, hits: 0 })
  })
})

const text = `<p>${'Words of a page that somebody wants to read. '.repeat(8)}</p>`

const redirect = ({ response }: Exchange, location: string, status = 302) =>
  response.writeHead(status, { location }).end()

function homeRoutes(): Routes {
  const elsewhere = () => `${away.url}/landed`
  const leave = (to: string) => `/leave/302?to=${to}`
  const script = (code: string) => `<script>${code}</script>`
  const pages: Record<string, () => string> = {
    refresh: () => `<meta http-equiv="refresh" content="0;url=${elsewhere()}">`,
    location: () => script(`location.href = '${elsewhere()}'`),
    form: () => `<form id="f" method="post" action="${elsewhere()}"></form>${script('f.submit()')}`,
    frame: () => `<iframe src="${elsewhere()}"></iframe>`,
    'redirected-frame': () => `<iframe src="${leave('port')}"></iframe>`,
    image: () => `<img src="${elsewhere()}">`,
    'redirected-image': () => `<img src="${leave('name')}">`,
    style: () => `<style>@import url(${leave('port')}); body { background: url(${elsewhere()}) }</style>`,
    fetch: () => script(`fetch('${elsewhere()}', { mode: 'no-cors', credentials: 'include' })`),
    'redirected-fetch': () =>
      script(`fetch('${leave('port')}', { mode: 'no-cors', credentials: 'include' })`),
    worker: () =>
      script(
        `new Worker(URL.createObjectURL(new Blob(["fetch('${home.url}${leave('port')}', { mode: 'no-cors' })"])))`,
      ),
    beacon: () => script(`navigator.sendBeacon('${elsewhere()}', 'x')`),
    // Windows are never opened. The image shows that the page was read.
    window: () => `<img src="${elsewhere()}">${script(`window.open('${leave('port')}')`)}`,
    socket: () =>
      `<img src="${elsewhere()}">${script(`new WebSocket('ws://127.0.0.1:${away.port}/socket')`)}`,
    link: () => `<img src="${elsewhere()}"><a href="${leave('name')}">elsewhere</a>`,
    own: () => `<img src="/echo?part">`,
  }
  return {
    '/leave/:status': (exchange) =>
      redirect(exchange, redirectTarget(exchange), Number(exchange.params.status)),
    '/twice': (exchange) => redirect(exchange, '/leave/302?to=port'),
    '/within': ({ response }) =>
      response.writeHead(302, { location: '/echo?within', 'set-cookie': 'site=own' }).end(),
    '/echo': (exchange) => sendHtml(exchange, page('Echo', text), { 'access-control-allow-origin': '*' }),
    '/page/:name': (exchange) =>
      sendHtml(exchange, page('Page', text + pages[exchange.params.name ?? '']?.())),
  }
}

/** Returns the target of a redirect of the home site. */
function redirectTarget({ url }: Exchange): string {
  const targets: Record<string, string> = {
    port: `${away.url}/landed`,
    name: `${away.host('localhost')}/landed`,
    tls: `${secure.url}/landed`,
    back: `${away.url}/back`,
    borrower: `${away.url}/borrower`,
  }
  return targets[url.searchParams.get('to') ?? ''] ?? ''
}

function awayRoutes(): Routes {
  return {
    '/landed': (exchange) => sendHtml(exchange, page('Away', `${text}<img src="/pixel">`)),
    '/back': (exchange) => redirect(exchange, `${home.url}/echo?back`),
    '/borrower': (exchange) =>
      sendHtml(
        exchange,
        page(
          'Borrower',
          `${text}<img src="${home.url}/echo?borrowed-image"><script>
fetch('${home.url}/echo?borrowed-fetch').catch(() => {})
fetch('${home.url}/echo?borrowed-opaque', { mode: 'no-cors', credentials: 'include' }).catch(() => {})
</script><iframe name="inside"></iframe><form id="f" method="post" action="${home.url}/echo?borrowed-form" target="inside"></form><script>f.submit()</script>`,
        ),
      ),
  }
}
