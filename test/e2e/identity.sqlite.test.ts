import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { startHttpProxy, type UpstreamProxy } from '../servers/proxy-server.ts'
import { page, type Routes, send, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** Script that collects what a page, a frame or a worker can see of its browser. */
const factsScript = `
const facts = async (realm) => {
  const { userAgent, platform, languages, webdriver = false, userAgentData } = navigator
  const { brands, mobile, fullVersionList } = await userAgentData.getHighEntropyValues(['fullVersionList'])
  const system = userAgentData.platform
  return { realm, userAgent, platform, languages: [...languages], webdriver, brands, mobile, fullVersionList, system }
}`

const { resolve } = createRequire(import.meta.url)
const script = (path: string) => readFileSync(resolve(path), 'utf8')

const routes = (siteUrl: () => string): Routes => ({
  '/who/:name': (exchange) => sendHtml(exchange, identityPage(siteUrl())),
  '/frame': (exchange) =>
    sendHtml(
      exchange,
      `<script>${factsScript}; facts(location.hostname).then((seen) => parent.postMessage(seen, '*'))</script>`,
    ),
  '/worker.js': ({ response }) =>
    send(
      response,
      { 'content-type': 'text/javascript' },
      `${factsScript}; facts('worker').then(postMessage)`,
    ),
  '/botd.js': ({ response }) =>
    send(response, { 'content-type': 'text/javascript' }, script('@fingerprintjs/botd/dist/botd.esm.js')),
  '/headless-detector.js': ({ response }) =>
    send(response, { 'content-type': 'text/javascript' }, script('headless-detector')),
  '/locked': ({ response }) => {
    response.writeHead(401, { 'content-type': 'text/html', 'www-authenticate': 'Basic realm="word"' })
    response.end(page('Locked', '<p>Nobody enters without a word.</p>'))
  },
  '/detectors/:name': (exchange) => sendHtml(exchange, page('Detectors', detectors)),
})

const identityPage = (siteUrl: string) =>
  page(
    'Who',
    `<script>${factsScript}
const all = []
const add = (seen) => {
  all.push(seen)
  if (all.length === 4) document.querySelector('main').insertAdjacentHTML('beforeend', '<pre id="facts">' + JSON.stringify(all) + '</pre>')
}
addEventListener('message', ({ data }) => add(data))
new Worker('/worker.js').onmessage = ({ data }) => add(data)
facts('page').then(add)
</script><iframe src="/frame"></iframe><iframe src="${siteUrl.replace('127.0.0.1', 'localhost')}/frame"></iframe><p>Loading…</p>`,
  )

const detectors = `<p id="wait">Loading…</p><script src="/headless-detector.js"></script><script type="module">
import { load } from '/botd.js'
const botd = (await load()).detect()
const { isHeadless, webdriver, cdpArtifacts, workerChecks, summary } = await HeadlessDetector.detect()
const found = { botd, isHeadless, webdriver, cdp: cdpArtifacts.detected, mismatch: workerChecks.userAgentMismatch ?? false, classification: summary.classification }
document.getElementById('wait').outerHTML = '<pre id="facts">' + JSON.stringify(found) + '</pre>'
</script>`

let site: Site
let proxy: UpstreamProxy
let own: OwnService
beforeAll(async () => {
  site = await startSite({ routes: routes(() => site.url) })
  proxy = await startHttpProxy(site.port)
  own = await startOwnService({ PROXY_ENHANCED_URL: `http://127.0.0.1:${proxy.port}` })
})
afterAll(async () => {
  await own.remove()
  await Promise.all([proxy.stop(), site.stop()])
})

const scrape = (body: object) => own.call('POST', '/v2/scrape', { body })

async function factsOf(path: string, options: object): Promise<Json> {
  const { body } = await scrape({
    url: site.url + path,
    maxAge: 0,
    formats: ['rawHtml'],
    waitFor: 1,
    ...options,
  })
  const facts = /<pre id="facts">([[{].*?)<\/pre>/.exec(body.data?.rawHtml ?? '')?.[1]
  return JSON.parse(facts ?? JSON.stringify(body))
}

const majorOf = (text: string | undefined) => /(?:Chrome\/|Google Chrome";v=")(\d+)/.exec(text ?? '')?.[1]

describe.each([
  ['basic', {}],
  ['enhanced', { proxy: 'enhanced' }],
  ['abroad', { proxy: 'enhanced', location: { country: 'DE' } }],
  ['mobile', { mobile: true }],
])('the identity of a browser is consistent: %s', (name, options) => {
  it('in pages, frames and workers, for scripts and for servers', async () => {
    const seen = await factsOf(`/who/${name}`, options)
    expect(seen.map(({ realm }: Json) => realm).sort()).toEqual(['127.0.0.1', 'localhost', 'page', 'worker'])
    const [{ realm: _, ...first }] = seen
    for (const { realm, ...facts } of seen) expect(facts, realm).toEqual(first)
    expect(first.webdriver).toBe(false)
    expect(JSON.stringify(seen)).not.toMatch(/headless/i)
    expect(first.brands.find(({ brand }: Json) => brand === 'Google Chrome').version).toBe(
      majorOf(first.userAgent),
    )
    const requests = site.requests.filter(({ path }) => path === `/who/${name}`)
    expect(requests).not.toEqual([])
    for (const { headers } of requests) {
      expect(headers['user-agent']).toBe(first.userAgent)
      expect(majorOf(String(headers['sec-ch-ua']))).toBe(majorOf(first.userAgent))
      expect(headers['sec-ch-ua-platform']).toBe(JSON.stringify(first.system))
      expect(headers['accept-language']).toMatch(new RegExp(`^${first.languages.join(',')}`))
      expect(JSON.stringify(headers)).not.toMatch(/headless/i)
    }
  })
})

describe.each([
  ['basic', {}],
  ['enhanced', { proxy: 'enhanced' }],
])('the identity of plain HTTP is consistent: %s', (name, options) => {
  it('in all its headers', async () => {
    const path = `/pages/1?${name}`
    await scrape({ url: site.url + path, maxAge: 0, fastMode: true, ...options })
    const headers = site.requests.find((request) => request.path === path)?.headers ?? {}
    expect(majorOf(headers['user-agent'])).toMatch(/^\d+$/)
    expect(majorOf(String(headers['sec-ch-ua']))).toBe(majorOf(headers['user-agent']))
    const isMac = /Macintosh/.test(headers['user-agent'] ?? '')
    const isWindows = /Windows/.test(headers['user-agent'] ?? '')
    const system = isMac ? 'macOS' : isWindows ? 'Windows' : 'Linux'
    expect(headers['sec-ch-ua-platform']).toBe(`"${system}"`)
  })
})

const chromiumPath = inject('deployment').environment.CHROMIUM_PATH ?? ''
const hasFull =
  !chromiumPath.endsWith('-headless-shell') || existsSync(chromiumPath.replace('-headless-shell', ''))
const missing = hasFull ? '' : ' (skipped: no full Chromium stands beside the headless shell)'

describe.skipIf(missing)(`with the enhanced proxy${missing}`, () => {
  it('two public detectors find no bot', async () => {
    const result = await factsOf('/detectors/enhanced', { proxy: 'enhanced' })
    expect(result.botd).toEqual({ bot: false })
    expect(result).toMatchObject({ webdriver: false, cdp: false, mismatch: false })
    expect(result.classification).toBe('Normal Browser')
  })

  it('a page that requires a password is returned as the site sent it', async () => {
    const { body } = await scrape({ url: `${site.url}/locked`, maxAge: 0, proxy: 'enhanced', waitFor: 1 })
    expect(body.data.markdown).toContain('Nobody enters without a word.')
    expect(body.data.metadata.statusCode).toBe(401)
  })
})
