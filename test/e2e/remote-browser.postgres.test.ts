import { type Browser, chromium, type Page } from 'playwright-core'
import puppeteer from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { call, type Json } from '../api.ts'
import { findChromium } from '../servers/proxy-browser.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const counter = page(
  'Counter',
  `<button style="position: fixed; inset: 0; width: 100%" onclick="document.title = 'Counted ' + ++count">Count</button>
  <script>let count = 0</script>`,
)

let site: Site
/** Browser of a person who views a session. */
let viewer: Browser
const sessionIds: string[] = []
beforeAll(async () => {
  site = await startSite({ routes: { '/counter': (exchange) => sendHtml(exchange, counter) } })
  const chromiumSandbox = process.getuid?.() !== 0
  viewer = await chromium.launch({ executablePath: findChromium() ?? '', chromiumSandbox })
})
afterEach(async () => {
  for (const id of sessionIds.splice(0)) await call('DELETE', `/v2/browser/${id}`)
})
afterAll(async () => {
  await viewer.close()
  await site.stop()
})

async function openSession(body: object = {}): Promise<Json> {
  const answer = await call('POST', '/v2/browser', { body })
  expect(answer.body).toMatchObject({ success: true })
  sessionIds.push(answer.body.id)
  return answer.body
}

const run = async (id: string, code: string) =>
  (await call('POST', `/v2/browser/${id}/execute`, { body: { code } })).body

describe('a session at its cdpUrl', () => {
  it('can be controlled by Playwright without changes', async () => {
    const { id, cdpUrl } = await openSession()
    const driver = await chromium.connectOverCDP(cdpUrl)
    const [tab] = driver.contexts()[0]?.pages() ?? []
    await tab?.goto(`${site.url}/counter`)
    await tab?.getByRole('button').click()
    expect(await tab?.title()).toBe('Counted 1')
    expect((await tab?.screenshot())?.length).toBeGreaterThan(1000)
    const second = await driver.contexts()[0]?.newPage()
    await second?.goto(`${site.url}/pages/3`)
    expect(await second?.locator('h1').textContent()).toContain('3')
    await second?.close()
    await driver.close()
    expect((await run(id, 'await page.title()')).result).toBe('Counted 1')
  })

  it('can be controlled by Puppeteer without changes', async () => {
    const { id, cdpUrl } = await openSession()
    const driver = await puppeteer.connect({ browserWSEndpoint: cdpUrl, defaultViewport: null })
    const [tab] = await driver.pages()
    await tab?.goto(`${site.url}/counter`)
    await tab?.click('button')
    expect(await tab?.title()).toBe('Counted 1')
    expect((await tab?.screenshot())?.length).toBeGreaterThan(1000)
    await driver.disconnect()
    expect((await run(id, 'await page.title()')).result).toBe('Counted 1')
  })

  it('has no access to another session of the same team', async () => {
    const [other, own] = [await openSession(), await openSession()]
    await run(
      other.id,
      `await page.goto('${site.url}/counter'); await page.evaluate(() => { document.cookie = 'own=one' })`,
    )
    const driver = await chromium.connectOverCDP(own.cdpUrl)
    const [context] = driver.contexts()
    const browser = await driver.newBrowserCDPSession()
    const { targetInfos } = await browser.send('Target.getTargets')
    expect(targetInfos.map(({ url }) => url)).not.toContain(`${site.url}/counter`)
    expect(await context?.cookies(site.url)).toEqual([])
    await driver.close()
    const sockets = `const net = require('net'); await Promise.all([3128, 9222, ${new URL(other.cdpUrl).port}].map((port) => new Promise((done) => net.connect(port, '127.0.0.1').on('connect', () => done(port)).on('error', () => done(0)))))`
    // The code of a session can reach only its own browser.
    expect(JSON.parse((await run(own.id, sockets)).result)).toEqual([0, 9222, 0])
  })
})

describe('a session in its live view', () => {
  /** Opens a live view and waits for the first image of the browser. */
  async function openView(url: string): Promise<Page> {
    const view = await viewer.newPage()
    await view.goto(url)
    await expect.poll(() => view.locator('.address').inputValue(), { timeout: 20_000 }).toContain('/counter')
    // The URL appears before the first image. Until the image appears, a cover receives the clicks.
    await view.locator('.cover').waitFor({ state: 'hidden' })
    return view
  }

  it('is controlled by clicks in the interactive view, and not by clicks in the read-only view', async () => {
    const session = await openSession()
    await run(session.id, `await page.goto('${site.url}/counter')`)
    const readOnlyView = await openView(session.liveViewUrl)
    const interactiveView = await openView(session.interactiveLiveViewUrl)
    const title = async () => (await run(session.id, 'await page.title()')).result
    for (const view of [readOnlyView, readOnlyView, interactiveView]) {
      await view.mouse.click(500, 400)
    }
    await expect.poll(title, { timeout: 20_000 }).toBe('Counted 1')
    await expect
      .poll(() => readOnlyView.locator('.tab').textContent(), { timeout: 20_000 })
      .toContain('Counted 1')
    await Promise.all([readOnlyView.close(), interactiveView.close()])
  })
})
