import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import {
  centreColour,
  clickOn,
  failed,
  openLiveServer,
  positionOf,
  startLiveSite,
  watcher,
} from '../../../test/servers/live-scene.ts'
import { type PipeBrowser, startPipeBrowser } from '../../../test/servers/pipe-browser.ts'
import { findChromium } from '../../../test/servers/proxy-browser.ts'
import { until } from '../../../test/servers/until.ts'
import { connectDriver } from '../cdp/caller.ts'
import type { CdpMultiplexer } from '../cdp/multiplexer.ts'
import { createLiveView, type LiveView } from './live-view.ts'

describe.skipIf(findChromium() === undefined)('createLiveView', () => {
  let site: Awaited<ReturnType<typeof startLiveSite>>
  let screen: Browser
  beforeAll(async () => {
    site = await startLiveSite()
    screen = await chromium.launch({
      executablePath: findChromium() ?? '',
      chromiumSandbox: process.getuid?.() !== 0,
    })
  })
  afterAll(async () => {
    await screen.close()
    site.stop()
  })

  let browser: PipeBrowser
  let driver: Browser
  let page: Page
  let live: LiveView
  let server: FastifyInstance
  let inputs = 0
  let frameCount = 0
  let streams = 0
  let liveUrl = ''
  beforeEach(async () => {
    browser = startPipeBrowser()
    inputs = 0
    frameCount = 0
    streams = 0
    live = createLiveView(countingFrames(browser.cdp), {
      onActivity() {
        inputs += 1
      },
    })
    driver = await connectDriver(browser.cdp)
    page = await (driver.contexts()[0] ?? failed()).newPage()
    await page.goto(`${site.url}/form`)
    server = await openLiveServer(() => live)
    liveUrl = `${await server.listen({ host: '127.0.0.1', port: 0 })}/live/one`
  })
  afterEach(async () => {
    live.close()
    await driver.close()
    await Promise.all(screen.contexts().map((context) => context.close()))
    await server.close()
    await browser.stop()
  })

  /** Wraps the multiplexer and counts the frames of the browser and the streams that produce them. */
  const countingFrames = (cdp: CdpMultiplexer): CdpMultiplexer => ({
    ...cdp,
    async join(client) {
      const joined = await cdp.join({
        ...client,
        receive(text) {
          if (text.startsWith('{"method":"Page.screencastFrame"')) frameCount += 1
          client.receive(text)
        },
      })
      return {
        ...joined,
        send(text) {
          if (text.includes('"Target.attachToTarget"')) streams += 1
          return joined.send(text)
        },
      }
    },
  })
  const open = async (path: string, options = {}) => {
    const view = await (await screen.newContext(options)).newPage()
    await view.goto(liveUrl + path)
    await view.locator('body.live').waitFor()
    return view
  }
  const interactiveQuery = '?token=control&interactive=true'

  it('forwards clicks and keys to the page', async () => {
    const view = await open(interactiveQuery)
    await clickOn(view, page, '#name')
    await view.keyboard.type('Ada')
    await view.keyboard.press('Backspace')
    await view.keyboard.insertText('é漢')
    await clickOn(view, page, '#go')
    await waitFor(async () => (await page.title()) === 'Hello Adé漢')
    expect(inputs).toBeGreaterThan(5)
  })

  it('forwards the mouse wheel to the page', async () => {
    const view = await open(interactiveQuery)
    const { x, y } = await positionOf(view, page, '#go')
    await view.mouse.move(x, y)
    await view.mouse.wheel(0, 400)
    await waitFor(() => page.evaluate(() => scrollY > 100))
  })

  it('forwards touches to the page', async () => {
    const view = await open(interactiveQuery, { hasTouch: true })
    const { x, y } = await positionOf(view, page, '#go')
    await view.touchscreen.tap(x, y)
    await waitFor(async () => (await page.title()) === 'Hello')
  })

  it('opens URLs, goes back and forward, and switches tabs', async () => {
    const view = await open(interactiveQuery)
    await view.locator('.address').fill(`${site.url}/second`)
    await view.locator('.address').press('Enter')
    await waitFor(async () => page.url().endsWith('/second'))
    await view.getByLabel('Back', { exact: true }).click()
    await waitFor(async () => page.url().endsWith('/form'))
    await view.getByLabel('Forward').click()
    await waitFor(async () => page.url().endsWith('/second'))
    await view.getByLabel('New tab').click()
    await view.locator('.tab').nth(2).waitFor()
    await view.locator('.tab .close').nth(1).click()
    await waitFor(async () => page.isClosed())
    await view.locator('.address').fill('file:///etc/passwd')
    await view.locator('.address').press('Enter')
    await view.getByText('Only http and https URLs can be opened.').waitFor()
  })

  it('shows the same to read-only viewers and rejects their input', async () => {
    const view = await open('?token=view')
    await clickOn(view, page, '#name')
    await view.keyboard.type('Ada')
    await view.mouse.wheel(0, 400)
    expect(await view.locator('.address').isEditable()).toBe(false)
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
    const socket = new WebSocket(`${liveUrl.replace('http', 'ws')}?token=view`)
    await new Promise((resolve) => socket.on('open', resolve))
    socket.send('anything')
    socket.send(JSON.stringify({ type: 'navigate', url: 'https://a.example' }))
    const code = await new Promise((resolve) => socket.on('close', resolve))
    expect(code).toBe(1008)
    expect(page.url()).toBe(`${site.url}/form`)
    expect(inputs).toBe(0)
  })

  it('follows tabs that are opened, brought to the front and closed', async () => {
    const view = await open('?token=view')
    const isAt = (path: string) =>
      waitFor(async () => (await view.locator('.address').inputValue()) === site.url + path)
    await isAt('/form')
    await page.evaluate(() => {
      document.title = 'set by script'
    })
    await page.evaluate(() => scrollTo(0, 500))
    await view.locator('.tab', { hasText: 'set by script' }).waitFor()
    const second = await page.context().newPage()
    await second.goto(`${site.url}/red`)
    await isAt('/red')
    await waitFor(async () => (await centreColour(view)) === 'red')
    await page.bringToFront()
    await isAt('/form')
    await waitFor(async () => (await centreColour(view)) !== 'red')
    await second.bringToFront()
    await isAt('/red')
    await second.close()
    await isAt('/form')
    await waitFor(async () => (await centreColour(view)) !== 'red')
  })

  it('updates a title that changes without a new frame', async () => {
    const view = await open('?token=view')
    // Long after the last frame of the page.
    await delay(1500)
    await page.evaluate(() => {
      document.title = 'set in silence'
    })
    await view.locator('.tab', { hasText: 'set in silence' }).waitFor()
  })

  it('shows the final state of a page after changes', async () => {
    const view = await open('?token=view')
    await page.goto(`${site.url}/flicker`)
    await waitFor(async () => (await centreColour(view)) === 'red')
  })

  it('uses one stream for all viewers, and none without viewers', async () => {
    await page.goto(`${site.url}/moving`)
    const viewers = [watcher(liveUrl), watcher(liveUrl)]
    await waitFor(async () => viewers.every(({ pictures }) => pictures() > 10))
    expect(streams).toBe(1)
    for (const { socket } of viewers) socket.close()
    await waitFor(() => isUnchanged(() => frameCount))
    const newViewer = watcher(liveUrl)
    await waitFor(async () => newViewer.pictures() > 3)
  })

  it('shows that the session has ended', async () => {
    const view = await open('?token=view')
    live.close()
    await view.getByText('The session has ended', { exact: true }).waitFor()
  })

  it('shows the reason of a rejection with its status', async () => {
    const responses = await Promise.all(
      ['', '?token=nonsense', '?token=view&interactive=true'].map((end) => fetch(liveUrl + end)),
    )
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 403])
    const view = await screen.newPage()
    await view.goto(`${liveUrl}?token=nonsense`)
    await view.getByText('This view cannot be shown').waitFor()
    await view.getByText('The token does not "fit" <this>.').waitFor()
  })

  it('runs in a frame of another site and loads nothing else', async () => {
    const view = await screen.newPage()
    const requestedUrls: string[] = []
    view.on('request', (request) => requestedUrls.push(request.url()))
    await view.setContent(`<iframe src="${liveUrl}?token=view" width="600" height="400"></iframe>`)
    await view.frameLocator('iframe').locator('body.live').waitFor()
    expect(requestedUrls).toEqual([`${liveUrl}?token=view`])
    const response = await fetch(`${liveUrl}?token=view`)
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-/,
    )
    expect(response.headers.get('content-security-policy')).not.toContain('frame-ancestors')
    expect(response.headers.get('x-frame-options')).toBeNull()
  })

  it('disconnects a viewer above the input rate', async () => {
    const socket = new WebSocket(`${liveUrl.replace('http', 'ws')}${interactiveQuery}`)
    await new Promise((resolve) => socket.on('open', resolve))
    for (let sent = 0; sent < 2000; sent += 1) {
      socket.send(JSON.stringify({ type: 'mouse', action: 'move', x: 1, y: 1 }))
    }
    const code = await new Promise((resolve) => socket.on('close', resolve))
    expect(code).toBe(1008)
    expect(inputs).toBeLessThan(1500)
  })
})

async function isUnchanged(count: () => number): Promise<boolean> {
  const before = count()
  await delay(500)
  return count() === before
}

const waitFor = (condition: () => Promise<boolean>) =>
  until('the expected', 15_000, async () => (await condition()) || undefined)
