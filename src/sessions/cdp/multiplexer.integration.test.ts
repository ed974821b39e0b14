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

describe.skipIf(findChromium() === undefined)('the switch in front of one browser', () => {
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
  let door: Server
  let address = ''
  beforeEach(async () => {
    browser = startPipeBrowser()
    const accept = createCdpConnections(browser.cdp, { megabytes: 64 })
    door = createServer()
    door.removeAllListeners('connection').on('connection', accept)
    address = await listen(door)
  })
  afterEach(async () => {
    door.close()
    await browser.stop()
  })

  const playwright = () => chromium.connectOverCDP(address)
  const pageAt = async (of: Browser, path: string) => {
    const page = await defaultContext(of).newPage()
    await page.goto(siteUrl + path)
    return page
  }

  it('serves two Playwrights and a Puppeteer side by side', async () => {
    const [first, second] = await Promise.all([playwright(), playwright()])
    const third = await puppeteer.connect({ browserURL: address, defaultViewport: null })
    const made = await Promise.all([pageAt(first, '/a'), pageAt(second, '/b'), third.newPage()])
    await made[2].goto(`${siteUrl}/c`)
    const all = ['/a', '/b', '/c'].map((path) => siteUrl + path).sort()
    const seen = (pages: { url(): string }[]) =>
      pages
        .map((page) => page.url())
        .filter((url) => url !== 'about:blank')
        .sort()
    await happens(() => seen(defaultContext(first).pages()).length === 3)
    await happens(() => seen(defaultContext(second).pages()).length === 3)
    expect(seen(defaultContext(first).pages())).toEqual(all)
    expect(seen(defaultContext(second).pages())).toEqual(all)
    expect(seen(await third.pages())).toEqual(all)
    const path = () => location.pathname
    const paths = [made[0].evaluate(path), made[1].evaluate(path), made[2].evaluate(path)]
    expect(await Promise.all(paths)).toEqual(['/a', '/b', '/c'])
    await made[0].close()
    await happens(() => seen(defaultContext(second).pages()).length === 2)
    await third.disconnect()
    await first.close()
    expect(await made[1].title()).toBe('plain')
    await second.close()
  })

  it('shows popups, workers and frames to those who look', async () => {
    const [guest, driver] = await Promise.all([playwright(), connectDriver(browser.cdp)])
    const page = await pageAt(guest, '/parts')
    expect(await page.frameLocator('iframe').locator('h1').textContent()).toBe('inside')
    await page.waitForFunction(() => document.title === 'worker says 42')
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('a')])
    await popup.waitForLoadState()
    expect(popup.url()).toBe(`${siteUrl}/popup`)
    await happens(() =>
      defaultContext(driver)
        .pages()
        .some((other) => other.url() === `${siteUrl}/popup`),
    )
    const same = defaultContext(driver)
      .pages()
      .find((other) => other.url() === `${siteUrl}/parts`)
    expect(await same?.title()).toBe('worker says 42')
    expect(same?.workers()).toHaveLength(1)
    await driver.close()
    expect(await page.title()).toBe('worker says 42')
    await guest.close()
  })

  it('does not let a page wait for a client that has left', async () => {
    const raw = await rawClient(browser.cdp)
    const waits = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }
    await raw.ask('Target.setAutoAttach', waits)
    const guest = await playwright()
    const opening = pageAt(guest, '/held')
    await raw.event(
      ({ method, params }) => method === 'Target.attachedToTarget' && params.waitingForDebugger === true,
    )
    raw.client.leave()
    expect(await (await opening).title()).toBe('plain')
    await guest.close()
  })

  it('drops answers to a client that has left', async () => {
    const raw = await rawClient(browser.cdp)
    raw.client.send(JSON.stringify({ id: 1, method: 'Target.getTargets' }))
    raw.client.leave()
    raw.client.send(JSON.stringify({ id: 2, method: 'Target.getTargets' }))
    const other = await rawClient(browser.cdp)
    await other.ask('Target.getTargets')
    expect(raw.heard).toEqual([])
  })

  it('keeps sessions and numbers of clients apart', async () => {
    const [one, two] = await Promise.all([rawClient(browser.cdp), rawClient(browser.cdp)])
    const attach = async (raw: typeof one) => {
      const { result } = await raw.ask('Target.createTarget', { url: 'about:blank' })
      const { result: attached } = await raw.ask('Target.attachToTarget', { ...result, flatten: true })
      return String(attached.sessionId)
    }
    const [ofOne, ofTwo] = [await attach(one), await attach(two)]
    const sum = await one.ask('Runtime.evaluate', { expression: '1 + 1' }, ofOne)
    expect(sum).toMatchObject({ sessionId: ofOne, result: { result: { value: 2 } } })
    const foreign = await one.ask('Runtime.evaluate', { expression: '1 + 1' }, ofTwo)
    expect(foreign.error?.code).toBe(-32001)
    await two.ask('Runtime.enable', {}, ofTwo)
    await two.ask('Runtime.evaluate', { expression: 'console.log(1)' }, ofTwo)
    await two.event(({ method }) => method === 'Runtime.consoleAPICalled')
    expect(one.heard.filter(({ sessionId }) => sessionId === ofTwo)).toEqual([])
  })

  it('hides the browser sessions of other clients', async () => {
    const [one] = await Promise.all([rawClient(browser.cdp), rawClient(browser.cdp), rawClient(browser.cdp)])
    await one.ask('Target.setDiscoverTargets', { discover: true, filter: [{}] })
    const { result } = await one.ask('Target.getTargets', { filter: [{}] })
    const types = (result.targetInfos as { type: string }[]).map(({ type }) => type)
    expect(types.filter((type) => type === 'page')).toHaveLength(1)
    expect(types.filter((type) => type === 'browser').length).toBeLessThan(2)
    const created = one.heard.filter(({ method }) => method === 'Target.targetCreated')
    expect(created.filter(({ params }) => params.targetInfo.type === 'browser')).toHaveLength(1)
  })

  it('passes messages of 50 megabytes', async () => {
    const guest = await playwright()
    const page = await pageAt(guest, '/')
    const length = await page.evaluate(() => 'x'.repeat(50_000_000)).then((text) => text.length)
    expect(length).toBe(50_000_000)
    expect(await page.evaluate((text) => text.length, 'y'.repeat(20_000_000))).toBe(20_000_000)
    await guest.close()
  })

  it('answers a thousand calls at once, in order', async () => {
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

  it('tells of a guest that closes the browser, and keeps it', async () => {
    const third = await puppeteer.connect({ browserURL: address })
    await third.close()
    expect(browser.closings()).toBe(1)
    const guest = await playwright()
    expect(defaultContext(guest).pages()).toHaveLength(1)
    await guest.close()
  })

  it('closes all clients when the browser dies, and takes no more', async () => {
    const [raw, guest] = await Promise.all([rawClient(browser.cdp), playwright()])
    const gone = new Promise((resolve) => guest.on('disconnected', resolve))
    process.kill(browser.processId, 'SIGKILL')
    await gone
    expect(raw.isClosed()).toBe(true)
    await expect(rawClient(browser.cdp)).rejects.toThrow('ended')
  })

  it('drops a client that fails, and goes on with the others', async () => {
    const broken = {
      receive() {
        throw new Error('not read')
      },
    }
    const raw = await rawClient(browser.cdp, broken)
    void raw.ask('Browser.getVersion')
    const other = await rawClient(browser.cdp)
    await other.ask('Browser.getVersion')
    expect(raw.isClosed()).toBe(true)
  })

  it('gives one page alone to a client that asks for it', async () => {
    const whole = await rawClient(browser.cdp)
    const { result } = await whole.ask('Target.createTarget', { url: 'about:blank' })
    const raw = await rawClient(browser.cdp, result)
    const sum = await raw.ask('Runtime.evaluate', { expression: '6 * 7' })
    expect(sum).toEqual({ id: 1, result: { result: { type: 'number', value: 42, description: '42' } } })
    await whole.ask('Target.closeTarget', result)
    await happens(raw.isClosed)
    expect(raw.isClosed()).toBe(true)
  })
})

const documents: Record<string, string> = {
  '/parts': `<a href="/popup" target="_blank">open</a><iframe src="/frame"></iframe>
    <script>new Worker('/worker.js').onmessage = ({ data }) => { document.title = 'worker says ' + data }</script>`,
  '/frame': '<h1>inside</h1>',
}

function defaultContext(of: Browser): ReturnType<Browser['contexts']>[number] {
  const [context] = of.contexts()
  if (!context) throw new Error('no default context')
  return context
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const happens = (condition: () => boolean) =>
  until('the expected', 15_000, async () => condition() || undefined)
