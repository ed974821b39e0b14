import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, scrape } from '../api.ts'
import { type Exchange, page, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite, startTlsSite } from '../site/site.ts'
import { attackClass, noteInTable } from './attack.ts'

const given = {
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

/** How a page, or the way to it, leads from the home of the headers to elsewhere. */
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

describe('headers of a caller', () => {
  const strike = (options: object) => async (name: string) => {
    const before = away.requests.length + secure.requests.length
    const isLink = name === 'a link that is clicked' && !('fastMode' in options)
    const body = { url: home.url + vectors[name], headers: given, blockAds: false, timeout: 60_000 }
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
    atOnce: 3,
    strike: strike({ waitFor: 400 }),
  })

  attackClass({
    name: 'ways that lead headers of a caller elsewhere, by HTTP',
    vectors: Object.keys(vectors),
    atOnce: 4,
    strike: strike({ fastMode: true }),
  })

  it.each([
    ['in the browser', { waitFor: 300 }],
    ['by HTTP', { fastMode: true }],
  ])('arrive at the page they were meant for, all of them, %s', async (how, options) => {
    const path = `/echo?how=${encodeURIComponent(how)}`
    await scrape({ url: home.url + path, headers: given, blockAds: false, ...options })
    const sent = home.requests.find((request) => request.path === path)?.headers
    expect(sent).toMatchObject({
      authorization: given.Authorization,
      cookie: given.Cookie,
      referer: given.Referer,
      'x-api-key': given['X-Api-Key'],
    })
  })

  it('go with redirects inside their origin and stand beside cookies of the site', async () => {
    for (const options of [{ waitFor: 300 }, { fastMode: true }]) {
      await scrape({ url: `${home.url}/within`, headers: given, blockAds: false, ...options })
      const sent = home.requests.findLast((request) => request.path === '/echo?within')?.headers
      expect(sent?.cookie).toBe(`${given.Cookie}; site=own`)
      expect(sent).toMatchObject({ authorization: given.Authorization, referer: given.Referer })
    }
  })

  it('go with what the page asks of its origin, which it comes from itself', async () => {
    await scrape({ url: `${home.url}/page/own`, headers: given, blockAds: false, waitFor: 500 })
    const sent = home.requests.findLast((request) => request.path === '/echo?part')?.headers
    expect(sent).toMatchObject({ authorization: given.Authorization, cookie: given.Cookie })
    expect(sent?.referer).toBe(`${home.url}/page/own`)
  })

  it('are not lent to scripts of another site', async () => {
    await scrape({ url: `${home.url}/leave/302?to=borrower`, headers: given, blockAds: false, waitFor: 500 })
    const asked = home.requests.filter(({ path }) => path.startsWith('/echo?borrowed'))
    expect(asked.length).toBeGreaterThan(0)
    expect(JSON.stringify(asked.map((request) => request.headers))).not.toContain('secret-')
    noteInTable({ name: 'headers of a caller lent to another site', vectors: asked.length, hits: 0 })
  })
})

describe('the cache', () => {
  it('serves no page fetched without a valid certificate to a call that demands one', async () => {
    const url = `${secure.url}/pages/7`
    expect((await scrape({ url })).status).toBe(200)
    const { status, body } = await scrape({ url, skipTlsVerification: false })
    expect({ status, code: body.code }).toEqual({ status: 500, code: 'SCRAPE_SSL_ERROR' })
    const kept = await call('POST', '/v2/scrape', { body: { url, skipTlsVerification: false, minAge: 1 } })
    expect(kept.body.code).toBe('SCRAPE_NO_CACHED_DATA')
    noteInTable({ name: 'unverified pages from the cache', vectors: 2, hits: 0 })
  })
})

const words = `<p>${'Words of a page that somebody wants to read. '.repeat(8)}</p>`

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
    // A window is never opened; the image shows that the page was read.
    window: () => `<img src="${elsewhere()}">${script(`window.open('${leave('port')}')`)}`,
    socket: () =>
      `<img src="${elsewhere()}">${script(`new WebSocket('ws://127.0.0.1:${away.port}/socket')`)}`,
    link: () => `<img src="${elsewhere()}"><a href="${leave('name')}">elsewhere</a>`,
    own: () => `<img src="/echo?part">`,
  }
  return {
    '/leave/:status': (exchange) => redirect(exchange, placeOf(exchange), Number(exchange.part.status)),
    '/twice': (exchange) => redirect(exchange, '/leave/302?to=port'),
    '/within': ({ response }) =>
      response.writeHead(302, { location: '/echo?within', 'set-cookie': 'site=own' }).end(),
    '/echo': (exchange) => sendHtml(exchange, page('Echo', words), { 'access-control-allow-origin': '*' }),
    '/page/:name': (exchange) =>
      sendHtml(exchange, page('Page', words + pages[exchange.part.name ?? '']?.())),
  }
}

/** Where a redirect of the home leads. */
function placeOf({ url }: Exchange): string {
  const places: Record<string, string> = {
    port: `${away.url}/landed`,
    name: `${away.host('localhost')}/landed`,
    tls: `${secure.url}/landed`,
    back: `${away.url}/back`,
    borrower: `${away.url}/borrower`,
  }
  return places[url.searchParams.get('to') ?? ''] ?? ''
}

function awayRoutes(): Routes {
  return {
    '/landed': (exchange) => sendHtml(exchange, page('Away', `${words}<img src="/pixel">`)),
    '/back': (exchange) => redirect(exchange, `${home.url}/echo?back`),
    '/borrower': (exchange) =>
      sendHtml(
        exchange,
        page(
          'Borrower',
          `${words}<img src="${home.url}/echo?borrowed-image"><script>
fetch('${home.url}/echo?borrowed-fetch').catch(() => {})
fetch('${home.url}/echo?borrowed-opaque', { mode: 'no-cors', credentials: 'include' }).catch(() => {})
</script><iframe name="inside"></iframe><form id="f" method="post" action="${home.url}/echo?borrowed-form" target="inside"></form><script>f.submit()</script>`,
        ),
      ),
  }
}
