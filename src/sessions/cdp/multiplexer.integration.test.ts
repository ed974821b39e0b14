import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, chromium } from 'playwright-core'
import puppeteer from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type PipeBrowser, startPipeBrowser } from '../../../test/servers/pipe-browser.ts'
import { findChromium } from '../../../test/servers/proxy-browser.ts'
import { rawClient } from '../../../test/servers/raw-client.ts'
import { until } from '../../../test/servers/until.ts'
import { connectDriver } from './caller.ts'
import { createCdpConnections } from './socket.ts'

describe.skipIf(findChromium() === undefined)('createCdpMultiplexer', () => {
  let site: Server
  let siteUrl = ''
  beforeAll(async () => {
    site = createServer((request, response) => {
      const script = request.url === '/worker.js'
      response.writeHead(200, { 'content-type': script ? 'text/javascript' : 'text/html' })
      response.end(script ? 'postMessage(7 * 6)' : (documents[request.url ?? ''] ?? '<title>plain</title>'))
    })
    siteUrl = await listen(site)
  })
  afterAll(() => void site.close())

  let browser: PipeBrowser
  let server: Server
  let url = ''
  beforeEach(async () => {
    browser = startPipeBrowser()
    const accept = createCdpConnections(browser.cdp, { megabytes: 64 })
    server = createServer()
    server.removeAllListeners('connection').on('connection', accept)
    url = await listen(server)
  })
  afterEach(async () => {
    server.close()
    await browser.stop()
  })

  const playwright = () => chromium.connectOverCDP(url)
  const pageAt = async (browser: Browser, path: string) => {
    const page = await defaultContext(browser).newPage()
    await page.goto(siteUrl + path)
    return page
  }

  it('serves two Playwright clients and a Puppeteer client at the same time', async () => {
    const [first, second] = await Promise.all([playwright(), playwright()])
    const third = await puppeteer.connect({ browserURL: url, defaultViewport: null })
    const created = await Promise.all([pageAt(first, '/a'), pageAt(second, '/b'), third.newPage()])
    await created[2].goto(`${siteUrl}/c`)
    const all = ['/a', '/b', '/c'].map((path) => siteUrl + path).sort()
    const getUrls = (pages: { url(): string }[]) =>
      pages
        .map((page) => page.url())
        .filter((url) => url !== 'about:blank')
        .sort()
    await waitFor(() => getUrls(defaultContext(first).pages()).length === 3)
    await waitFor(() => getUrls(defaultContext(second).pages()).length === 3)
    expect(getUrls(defaultContext(first).pages())).toEqual(all)
    expect(getUrls(defaultContext(second).pages())).toEqual(all)
    expect(getUrls(await third.pages())).toEqual(all)
    const path = () => location.pathname
    const paths = [created[0].evaluate(path), created[1].evaluate(path), created[2].evaluate(path)]
    expect(await Promise.all(paths)).toEqual(['/a', '/b', '/c'])
    await created[0].close()
    await waitFor(() => getUrls(defaultContext(second).pages()).length === 2)
    await third.disconnect()
    await first.close()
    expect(await created[1].title()).toBe('plain')
    await second.close()
  })

  it('shows popups, workers and frames to all clients', async () => {
    const [guest, driver] = await Promise.all([playwright(), connectDriver(browser.cdp)])
    const page = await pageAt(guest, '/parts')
    expect(await page.frameLocator('iframe').locator('h1').textContent()).toBe('inside')
    await page.waitForFunction(() => document.title === 'worker says 42')
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('a')])
    await popup.waitForLoadState()
    expect(popup.url()).toBe(`${siteUrl}/popup`)
    await waitFor(() =>
      defaultContext(driver)
        .pages()
        .some((other) => other.url() === `${siteUrl}/popup`),
    )
    const sharedPage = defaultContext(driver)
      .pages()
      .find((other) => other.url() === `${siteUrl}/parts`)
    expect(await sharedPage?.title()).toBe('worker says 42')
    expect(sharedPage?.workers()).toHaveLength(1)
    await driver.close()
    expect(await page.title()).toBe('worker says 42')
    await guest.close()
  })

  it('resumes a page that waits for a disconnected client', async () => {
    const raw = await rawClient(browser.cdp)
    const autoAttachParams = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }
    await raw.ask('Target.setAutoAttach', autoAttachParams)
    const guest = await playwright()
    const opening = pageAt(guest, '/held')
    await raw.event(
      ({ method, params }) => method === 'Target.attachedToTarget' && params.waitingForDebugger === true,
    )
    raw.client.disconnect()
    expect(await (await opening).title()).toBe('plain')
    await guest.close()
  })

  it('drops responses for a disconnected client', async () => {
    const raw = await rawClient(browser.cdp)
    raw.client.send(JSON.stringify({ id: 1, method: 'Target.getTargets' }))
    raw.client.disconnect()
    raw.client.send(JSON.stringify({ id: 2, method: 'Target.getTargets' }))
    const other = await rawClient(browser.cdp)
    await other.ask('Target.getTargets')
    expect(raw.heard).toEqual([])
  })

  it('separates the sessions and ids of clients', async () => {
    const [first, second] = await Promise.all([rawClient(browser.cdp), rawClient(browser.cdp)])
    const attach = async (raw: typeof first) => {
      const { result } = await raw.ask('Target.createTarget', { url: 'about:blank' })
      const { result: attached } = await raw.ask('Target.attachToTarget', { ...result, flatten: true })
      return String(attached.sessionId)
    }
    const [firstSession, secondSession] = [await attach(first), await attach(second)]
    const sum = await first.ask('Runtime.evaluate', { expression: '1 + 1' }, firstSession)
    expect(sum).toMatchObject({ sessionId: firstSession, result: { result: { value: 2 } } })
    const rejected = await first.ask('Runtime.evaluate', { expression: '1 + 1' }, secondSession)
    expect(rejected.error?.code).toBe(-32001)
    await second.ask('Runtime.enable', {}, secondSession)
    await second.ask('Runtime.evaluate', { expression: 'console.log(1)' }, secondSession)
    await second.event(({ method }) => method === 'Runtime.consoleAPICalled')
    expect(first.heard.filter(({ sessionId }) => sessionId === secondSession)).toEqual([])
  })

  it('hides the browser sessions of other clients', async () => {
    const [first] = await Promise.all([
      rawClient(browser.cdp),
      rawClient(browser.cdp),
      rawClient(browser.cdp),
    ])
    await first.ask('Target.setDiscoverTargets', { discover: true, filter: [{}] })
    const { result } = await first.ask('Target.getTargets', { filter: [{}] })
    const types = (result.targetInfos as { type: string }[]).map(({ type }) => type)
    expect(types.filter((type) => type === 'page')).toHaveLength(1)
    expect(types.filter((type) => type === 'browser').length).toBeLessThan(2)
    const created = first.heard.filter(({ method }) => method === 'Target.targetCreated')
    expect(created.filter(({ params }) => params.targetInfo.type === 'browser')).toHaveLength(1)
  })

  it('forwards messages of 50 megabytes', async () => {
    const guest = await playwright()
    const page = await pageAt(guest, '/')
    const length = await page.evaluate(() => 'x'.repeat(50_000_000)).then((text) => text.length)
    expect(length).toBe(50_000_000)
    expect(await page.evaluate((text) => text.length, 'y'.repeat(20_000_000))).toBe(20_000_000)
    await guest.close()
  })

  it('answers a thousand concurrent calls in order', async () => {
    const raw = await rawClient(browser.cdp)
    const ids = await Promise.all(
      Array.from({ length: 1000 }, () => raw.ask('Browser.getVersion').then(({ id }) => id)),
    )
    expect(ids).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1))
    expect(raw.heard.map(({ id }) => id)).toEqual(ids)
    expect(browser.activity()).toBe(1000)
  })

  it('answers malformed messages with an error', async () => {
    const raw = await rawClient(browser.cdp)
    const bad = ['{', '[]', '7', '{"id":"1","method":"a"}', '{"id":5}', '{"id":6,"method":"a.b","params":[]}']
    for (const text of bad) raw.client.send(text)
    const { result } = await raw.ask('Browser.getVersion')
    expect(result.product).toContain('Chrome')
    expect(raw.heard.map(({ id, error }) => [id, error?.code])).toEqual([
      [undefined, -32700],
      [undefined, -32600],
      [undefined, -32600],
      [undefined, -32600],
      [5, -32600],
      [6, -32600],
      [1, undefined],
    ])
  })

  it('calls the hook if a guest closes the browser, and keeps the browser', async () => {
    const third = await puppeteer.connect({ browserURL: url })
    await third.close()
    expect(browser.closings()).toBe(1)
    const guest = await playwright()
    expect(defaultContext(guest).pages()).toHaveLength(1)
    await guest.close()
  })

  it('closes all clients when the browser process ends, and rejects new ones', async () => {
    const [raw, guest] = await Promise.all([rawClient(browser.cdp), playwright()])
    const disconnected = new Promise((resolve) => guest.on('disconnected', resolve))
    process.kill(browser.processId, 'SIGKILL')
    await disconnected
    expect(raw.isClosed()).toBe(true)
    await expect(rawClient(browser.cdp)).rejects.toThrow('ended')
  })

  it('disconnects a client whose receive() throws, and serves the others', async () => {
    const failingClient = {
      receive() {
        throw new Error('not read')
      },
    }
    const raw = await rawClient(browser.cdp, failingClient)
    void raw.ask('Browser.getVersion')
    const other = await rawClient(browser.cdp)
    await other.ask('Browser.getVersion')
    expect(raw.isClosed()).toBe(true)
  })

  it('attaches a client to a single page', async () => {
    const rootClient = await rawClient(browser.cdp)
    const { result } = await rootClient.ask('Target.createTarget', { url: 'about:blank' })
    const raw = await rawClient(browser.cdp, result)
    const sum = await raw.ask('Runtime.evaluate', { expression: '6 * 7' })
    expect(sum).toEqual({ id: 1, result: { result: { type: 'number', value: 42, description: '42' } } })
    await rootClient.ask('Target.closeTarget', result)
    await waitFor(raw.isClosed)
    expect(raw.isClosed()).toBe(true)
  })
})

const documents: Record<string, string> = {
  '/parts': `<a href="/popup" target="_blank">open</a><iframe src="/frame"></iframe>
    <script>new Worker('/worker.js').onmessage = ({ data }) => { document.title = 'worker says ' + data }</script>`,
  '/frame': '<h1>inside</h1>',
}

function defaultContext(browser: Browser): ReturnType<Browser['contexts']>[number] {
  const [context] = browser.contexts()
  if (!context) throw new Error('no default context')
  return context
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const waitFor = (condition: () => boolean) =>
  until('the expected', 15_000, async () => condition() || undefined)
