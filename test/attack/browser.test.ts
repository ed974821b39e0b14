import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { commandOf, memoryOf, processTree } from '../../src/platform/child/processes.ts'
import { type OwnService, startOwnService } from '../api.ts'
import { runCommand } from '../service.ts'
import { type Exchange, page, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { addTableRow, attackClass } from './attack.ts'
import { boundedByChromium, memoryVectors } from './memory-vectors.ts'
import { localUrls, localVector, type PageVector, pageVectors } from './page-vectors.ts'

const bounds = { BROWSER_PAGE_MB: '400', BROWSER_MB: '1200', BROWSER_PAGES: '2', BROWSER_WAITING_PAGES: '20' }

let site: Site
let secret: Site
let own: OwnService
let otherKey: string
let vectors: PageVector[] = []
let datagrams = 0
const udp = createSocket('udp4', () => {
  datagrams += 1
})

beforeAll(async () => {
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  secret = await startSite()
  vectors = pageVectors(secret.port, udp.address().port)
  site = await startSite({ routes: hostileRoutes() })
  // Only the first site is allowed. The second one represents all other servers on this machine.
  own = await startOwnService({ ALLOW_PRIVATE_NETWORK: `127.0.0.1:${site.port}`, ...bounds })
  const { stdout } = await runCommand(['key', 'create', '--team', 'other'], own.environment)
  otherKey = /fc-\w+/.exec(stdout)?.[0] ?? ''
})
afterAll(async () => {
  await own.remove()
  udp.close()
  await Promise.all([site.stop(), secret.stop()])
})

const render = (path: string, options: object = {}, key = own.key) =>
  own.call('POST', '/v2/scrape', {
    key,
    body: { url: site.url + path, waitFor: 1, blockAds: false, maxAge: 0, ...options },
  })

const renderForOther = async () => (await render('/pages/1', {}, otherKey)).status

/** Indexes of the vectors. The list itself is created after the servers have started. */
const vectorIndexes = Array.from({ length: 47 }, (_, index) => index)

describe('pages in the browser', () => {
  attackClass({
    name: 'pages that ask for a private server',
    vectors: vectorIndexes,
    short: 8,
    concurrency: 4,
    async run(index) {
      const { status, body } = await render(`/vector/${index}`, { waitFor: 400, timeout: 20_000 })
      if (secret.requests.length > 0 || datagrams > 0)
        return `${vectors[index]?.name} reached ${secret.requests.at(-1)?.path ?? 'a socket of datagrams'}`
      return status === 200 || body.code === 'TARGET_FORBIDDEN' ? undefined : `${status} ${body.code}`
    },
  })

  it('were all tried', () => {
    expect(vectors).toHaveLength(vectorIndexes.length)
  })

  attackClass({
    name: 'pages that read files and the browser itself',
    vectors: localUrls,
    short: 4,
    concurrency: 4,
    async run(url) {
      const path = `/local?place=${encodeURIComponent(url)}`
      const { body } = await render(path, { waitFor: 300, formats: ['rawHtml'], timeout: 20_000 })
      const responseText = JSON.stringify(body)
      return /root:|PATH=|Chromium\/|revision/i.test(responseText) ? responseText.slice(0, 300) : undefined
    },
  })

  attackClass({
    name: 'pages that take memory without end',
    vectors: Object.keys(memoryVectors),
    short: 2,
    timeout: 240_000,
    async run(name) {
      const path = `/memory?name=${encodeURIComponent(name)}`
      const watch = watchMemory()
      const hostile = render(path, { waitFor: 15_000, timeout: 100_000 })
      const otherStatus = await renderForOther()
      const { status, body } = await hostile
      const { all, page } = watch.end()
      if (otherStatus !== 200) return `another page beside it answered ${otherStatus}`
      // Between two measurements a page can allocate as much as the machine can write in that time.
      if (all > 3 * Number(bounds.BROWSER_MB)) return `took ${all} MB`
      // A busy machine may need longer than the call to reach the bound, or may reach it between the last two
      // measurements.
      const isBounded = boundedByChromium.has(name) || page < 1.5 * Number(bounds.BROWSER_PAGE_MB)
      if (status === 200 && isBounded) return undefined
      return body.code === 'SCRAPE_PAGE_TOO_LARGE' && /BROWSER_(PAGE_)?MB/.test(body.error)
        ? undefined
        : `${status} ${body.code} ${body.error}, ${page} MB of ${all} MB`
    },
  })

  it('are rejected with the name of the bound if their text is too long', async () => {
    const { body } = await render('/long-text', { timeout: 40_000 })
    expect(body).toMatchObject({ code: 'SCRAPE_PAGE_TOO_LARGE', bound: 'MAX_HTML_MB' })
    expect(await renderForOther()).toBe(200)
    addTableRow({ name: 'pages whose text is too long', vectors: 1, hits: 0 })
  })

  attackClass({
    name: 'pages that never stand still',
    vectors: Object.keys(restless),
    short: 4,
    concurrency: 3,
    async run(name) {
      const path = `/restless?name=${encodeURIComponent(name)}`
      const { status, body } = await render(path, { formats: ['markdown', 'screenshot'], timeout: 7000 })
      const isKnown = status === 200 || /SCRAPE_(SITE_ERROR|TIMEOUT|TOO_MANY_REDIRECTS)/.test(body.code)
      return isKnown ? undefined : `${status} ${body.code} ${body.error}`
    },
  })

  it('that reload themselves forever are read as they are, with a warning', async () => {
    const { body } = await render('/restless?name=reload')
    expect(body.data.markdown).toContain('Restless')
    expect(body.data.warning).toContain('kept navigating')
  })

  attackClass({
    name: 'pictures of far too many pixels',
    vectors: imageSizes,
    short: 2,
    async run({ width, height, mobile, viewport }) {
      const formats = [{ type: 'screenshot', fullPage: viewport === undefined, viewport }]
      const { status, body } = await render(`/size?width=${width}&height=${height}`, {
        ...{ formats, mobile, timeout: 60_000 },
      })
      if (status !== 200) return `${status} ${body.code} ${body.error}`
      const image = Buffer.from(await (await fetch(body.data.screenshot)).arrayBuffer())
      const pixels = [image.readUInt32BE(16), image.readUInt32BE(20)] as const
      if (Math.max(...pixels) > 16_384 || pixels[0] * pixels[1] > 7680 * 4320) return `drew ${pixels}`
      return /LONGEST_SIDE.*MOST_PIXELS/.test(body.data.warning) ? undefined : 'says nothing of the cut'
    },
  })

  attackClass({
    name: 'scripts of callers that return too much',
    vectors: [
      `'x'.repeat(4e8)`,
      `Array(3e7).fill('x')`,
      `throw 'x'.repeat(3e8)`,
      `JSON.stringify = () => 'x'.repeat(4e8); 1`,
      `({ toJSON: () => 'x'.repeat(1e8) })`,
    ],
    short: 2,
    async run(script) {
      const { status, body } = await render('/pages/1', { actions: [{ type: 'executeJavascript', script }] })
      const isKnown = /SCRAPE_(ACTION_ERROR|PAGE_TOO_LARGE)/.test(body.code)
      return isKnown ? undefined : `${status} ${body.code ?? 'answered'}`
    },
  })
})

describe('page permits of the browser', () => {
  // Exceeds the number of permits and waiting pages together.
  const visitCount = 12

  attackClass({
    name: 'a team that fills every place in the browser',
    vectors: [
      { name: 'sites that never answer', path: '/hang', options: {} },
      { name: 'long waits', path: '/pages/1', options: { waitFor: 20_000 } },
      { name: 'scripts that never come', path: '/hanging-script', options: {} },
      { name: 'busy scripts', path: '/restless?name=busy', options: {} },
      {
        name: 'waits among actions',
        path: '/pages/1',
        options: { actions: [{ type: 'wait', milliseconds: 20_000 }] },
      },
      {
        name: 'elements that never come',
        path: '/pages/1',
        options: { actions: [{ type: 'wait', selector: '#never' }] },
      },
    ],
    short: 2,
    timeout: 180_000,
    async run({ path, options }) {
      const abort = new AbortController()
      let finished = 0
      const visits = Array.from({ length: visitCount }, async () => {
        await visit(path, { timeout: 41_000, ...options }, abort.signal).catch(() => undefined)
        finished += 1
      })
      await new Promise((resolve) => setTimeout(resolve, 2500))
      const status = await renderForOther()
      const pending = visitCount - finished
      abort.abort()
      await Promise.all(visits)
      if (status !== 200) return `the page of another team answered ${status}`
      return pending > 0 ? undefined : 'another team waited until all of them had ended'
    },
  })
})

/** Records the peak memory in megabytes: of the service with all its processes, and of a single page process. */
function watchMemory() {
  const peak = { all: 0, page: 0 }
  const timer = setInterval(() => {
    const processes = processTree(own.process.pid ?? 0)
    const all = processes.map(memoryOf)
    const shared = Math.max(...all.map((memory) => memory.shared))
    const pages = processes.filter((pid) => commandOf(pid).includes('--type=renderer')).map(memoryOf)
    peak.all = Math.max(peak.all, Math.round(all.reduce((sum, memory) => sum + memory.own, shared)))
    peak.page = Math.max(peak.page, ...pages.map((memory) => Math.round(memory.own + memory.shared)))
  }, 100)
  return {
    end() {
      clearInterval(timer)
      return peak
    },
  }
}

/** Sends a call that the caller can abort. */
function visit(path: string, options: object, signal: AbortSignal): Promise<Response> {
  return fetch(`${own.url}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: site.url + path, waitFor: 1, blockAds: false, maxAge: 0, ...options }),
    signal,
  })
}

interface ImageSize {
  width: number
  height: number
  mobile: boolean
  viewport?: { width: number; height: number }
}

const imageSizes: ImageSize[] = [
  ...[100, 100_000, 1_000_000].flatMap((width) =>
    [100_000, 1_000_000].flatMap((height) => [
      { width, height, mobile: false },
      { width: height, height: width, mobile: true },
    ]),
  ),
  { width: 10, height: 10, mobile: true, viewport: { width: 7680, height: 4320 } },
]

const restless: Record<string, string> = {
  reload: `<script>location.reload()</script>`,
  'reload later': `<script>setInterval(() => location.reload(), 0)</script>`,
  'meta refresh': `<meta http-equiv="refresh" content="0">`,
  'another address each time': `<script>setTimeout(() => { location.search = '?name=another+address+each+time&' + Math.random() }, 10)</script>`,
  history: `<script>setInterval(() => { history.pushState({}, '', '#' + Math.random()); history.back() }, 0)</script>`,
  windows: `<script>setInterval(() => { for (let i = 0; i < 100; i++) window.open('about:blank') }, 10)</script>`,
  dialogs: `<script>setInterval(() => { alert('x'); confirm('y'); prompt('z') }, 0)</script>`,
  leaving: `<script>onbeforeunload = () => 'stay'; setTimeout(() => location.reload(), 10)</script>`,
  printing: `<script>setInterval(() => print(), 10)</script>`,
  closing: `<script>setInterval(() => window.close(), 10)</script>`,
  'dialogs without end': `<script>for (;;) alert('x')</script>`,
  busy: `<script>for (;;) {}</script>`,
  'writing anew': `<script>setInterval(() => { document.open(); document.write('<p>Restless again</p>'); document.close() }, 0)</script>`,
  'frames that reload': `<iframe srcdoc="<script>setInterval(() => location.reload(), 0)</script>"></iframe>`,
  'full screen': `<script>setInterval(() => document.body.requestFullscreen().catch(() => {}), 0)</script>`,
}

const text = `<p>${'Restless words of a page that somebody wants to read. '.repeat(8)}</p>`

function hostileRoutes(): Routes {
  const named = (exchange: Exchange, of: Record<string, string>) =>
    of[exchange.url.searchParams.get('name') ?? ''] ?? ''
  return {
    '/vector/:index': (exchange) =>
      sendHtml(exchange, page('Vector', text + vectors[Number(exchange.params.index)]?.html)),
    '/local': (exchange) =>
      sendHtml(exchange, page('Local', text + localVector(exchange.url.searchParams.get('place') ?? ''))),
    '/attack-worker.js': ({ response }) =>
      response
        .writeHead(200, { 'content-type': 'text/javascript' })
        .end(`fetch('${secret.url}/service-worker', { mode: 'no-cors' })`),
    '/memory': (exchange) =>
      sendHtml(exchange, page('Memory', `${text}<script>${named(exchange, memoryVectors)}</script>`)),
    '/long-text': (exchange) =>
      sendHtml(exchange, page('Long', `<script>document.body.title = 'x'.repeat(7e7)</script>`)),
    '/restless': (exchange) => sendHtml(exchange, page('Restless', text + named(exchange, restless))),
    '/hanging-script': (exchange) =>
      sendHtml(exchange, page('Hanging', `${text}<script src="/hang"></script>`)),
    '/size': (exchange) => {
      const { searchParams } = exchange.url
      const size = `width: ${searchParams.get('width')}px; height: ${searchParams.get('height')}px`
      sendHtml(exchange, page('Size', `${text}<div style="${size}">x</div>`))
    },
  }
}
