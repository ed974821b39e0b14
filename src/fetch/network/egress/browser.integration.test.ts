import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findChromium, launchBehind } from '../../../../test/servers/proxy-browser.ts'
import { startEchoSocket } from '../../../../test/servers/proxy-site.ts'
import { until } from '../../../../test/servers/until.ts'
import { type Exchange, type Routes, sendHtml } from '../../../../test/site/route.ts'
import { type Site, startSite } from '../../../../test/site/site.ts'
import { readAddressRule } from '../../../platform/address-rule.ts'
import { silentLog } from '../../../platform/log.ts'
import { createGuard, type Guard } from '../guard.ts'
import { createEgress } from './egress.ts'

/** Scripts that try to reach another server. Each runs in the page; `secret` is the origin of the forbidden server. */
const vectors: Record<string, string> = {
  image: `new Image().src = secret + '/image'`,
  frame: `document.body.append(Object.assign(document.createElement('iframe'), { src: secret + '/frame' }))`,
  fetch: `fetch(secret + '/fetch', { mode: 'no-cors' }).catch(() => {})`,
  number: `fetch('http://2130706433:' + port + '/number', { mode: 'no-cors' }).catch(() => {})`,
  name: `fetch('http://localhost:' + port + '/name', { mode: 'no-cors' }).catch(() => {})`,
  socket: `new WebSocket('ws://127.0.0.1:' + port + '/socket')`,
  events: `new EventSource(secret + '/events')`,
  beacon: `navigator.sendBeacon(secret + '/beacon', 'x')`,
  worker: `new Worker(URL.createObjectURL(new Blob(["fetch('" + secret + "/worker', { mode: 'no-cors' })"])))`,
  style: `document.body.style.background = 'url(' + secret + '/style)'`,
  prefetch: `document.head.append(Object.assign(document.createElement('link'), { rel: 'prefetch', href: secret + '/prefetch' }))`,
  imageRedirect: `new Image().src = '/away/imageRedirect'`,
  fetchRedirect: `fetch('/away/fetchRedirect', { mode: 'no-cors' }).catch(() => {})`,
  twoRedirects: `fetch('/further/twoRedirects', { mode: 'no-cors' }).catch(() => {})`,
  frameRedirect: `document.body.append(Object.assign(document.createElement('iframe'), { src: '/away/frameRedirect' }))`,
}

const redirect = ({ response }: Exchange, location: string) => response.writeHead(302, { location }).end()

/** Creates the routes of a page that runs all vectors. */
function hostileRoutes(secret: Site): Routes {
  const statements = Object.values(vectors).map((vector) => `try { ${vector} } catch {}`)
  const script = `const secret = '${secret.url}', port = ${secret.port}\n${statements.join('\n')}`
  return {
    '/hostile': (exchange) => sendHtml(exchange, `<body><script>${script}</script>`),
    '/with-worker': (exchange) =>
      sendHtml(exchange, `<body><script>navigator.serviceWorker.register('/worker.js')</script>`),
    // The second request shows that the first one has ended, with or without success.
    '/worker.js': ({ response }) =>
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(
          `fetch('${secret.url}/by-worker', { mode: 'no-cors' }).catch(() => {}).then(() => fetch('/worker-ran'))`,
        ),
    '/away/:vector': (exchange) => redirect(exchange, `${secret.url}/${exchange.params.vector}`),
    '/further/:vector': (exchange) => redirect(exchange, `/away/${exchange.params.vector}`),
  }
}

const withoutBrowser = findChromium() ? '' : ' (skipped: no Chromium on this machine)'

describe.skipIf(withoutBrowser)(`a browser behind the egress${withoutBrowser}`, () => {
  const ends: (() => Promise<unknown>)[] = []
  let open: Site
  let secret: Site
  let echoPort: number
  let proxyUrl: string
  let attempts = 0
  let datagrams = 0
  const udp = createSocket('udp4', () => {
    datagrams += 1
  })
  let browser: Browser | undefined

  beforeAll(async () => {
    udp.bind(0, '127.0.0.1')
    await once(udp, 'listening')
    secret = await startSite()
    open = await startSite({ routes: hostileRoutes(secret) })
    const echo = await startEchoSocket()
    const rules = [open.port, echo.port].flatMap((port) => readAddressRule(`127.0.0.1:${port}`) ?? [])
    const guard = createGuard(rules)
    const resolve: Guard['resolve'] = (host, port) => {
      if (port === secret.port) attempts += 1
      return guard.resolve(host, port)
    }
    const egress = createEgress({ guard: { ...guard, resolve }, log: silentLog })
    proxyUrl = (await egress.exit({ team: '', upstream: undefined })).url
    echoPort = echo.port
    ends.push(secret.stop, open.stop, echo.stop, egress.close, async () => udp.close())
  })
  // Some tests reach the secret server or send datagrams on purpose.
  beforeEach(() => {
    secret.requests.length = 0
    attempts = 0
    datagrams = 0
  })
  afterEach(() => browser?.close())
  afterAll(() => Promise.all(ends.map((end) => end())))

  async function openPage(directAccess: 'closed' | 'open'): Promise<Page> {
    browser = await launchBehind(proxyUrl, directAccess)
    return browser.newPage()
  }

  /** Runs ICE candidate gathering in the page until it is complete. */
  function gather(page: Page) {
    return page.evaluate(`new Promise(async (resolve) => {
      const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udp.address().port}' }] })
      peer.onicegatheringstatechange = () => peer.iceGatheringState === 'complete' && resolve()
      peer.createDataChannel('any')
      await peer.setLocalDescription(await peer.createOffer())
    })`)
  }

  it('loads pages and follows their redirects', async () => {
    const page = await openPage('closed')
    const response = await page.goto(`${open.url}/redirect/chain/3`)
    expect(response?.status()).toBe(200)
  })

  it('connects a WebSocket without TLS', async () => {
    const page = await openPage('closed')
    await page.goto(`${open.url}/article`)
    const received = await page.evaluate(
      `new Promise((resolve, reject) => {
        const socket = new WebSocket('ws://127.0.0.1:${echoPort}/')
        socket.onopen = () => socket.send('hello')
        socket.onmessage = ({ data }) => resolve(data)
        socket.onerror = reject
      })`,
    )
    expect(received).toBe('hello')
  })

  it('does not reach a forbidden server with any vector', async () => {
    const page = await openPage('closed')
    await page.goto(`${open.url}/hostile`)
    const all = Object.keys(vectors).length
    await until('every attempt', 15_000, async () => (attempts >= all ? true : undefined))
    const response = await page.goto(`${open.url}/away/page`)
    expect(response?.headers()['x-winnow-refused']).toBe('TARGET_FORBIDDEN')
    expect(secret.requests.map(({ path }) => path)).toEqual([])
  })

  it('does not reach a forbidden server from a service worker', async () => {
    const page = await openPage('closed')
    await page.goto(`${open.url}/with-worker`)
    await until('the run of the service worker', 20_000, async () => open.hits('/worker-ran') || undefined)
    expect(secret.requests).toEqual([])
  })

  it('sends no UDP datagram past the proxy', async () => {
    const page = await openPage('closed')
    await page.goto(`${open.url}/article`)
    await gather(page)
    expect(datagrams).toBe(0)
  })

  it('sends UDP datagrams if the restrictions are off', async () => {
    const page = await openPage('open')
    await page.goto(`${open.url}/article`)
    // The STUN server does not respond, so gathering would continue after the first datagram.
    gather(page).catch(() => {})
    await once(udp, 'message')
  })

  it('reaches the forbidden server with every vector if the restrictions are off', async () => {
    const page = await openPage('open')
    await page.goto(`${open.url}/hostile`)
    const untouched = () => Object.keys(vectors).filter((vector) => secret.hits(`/${vector}`) === 0)
    await until('every hit', 15_000, async () => (untouched().length === 0 ? true : undefined)).catch(
      () => {},
    )
    expect(untouched()).toEqual([])
  })
})
