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
/** The browser of a person who looks at a session. */
let window: Browser
const opened: string[] = []
beforeAll(async () => {
  site = await startSite({ routes: { '/counter': (exchange) => sendHtml(exchange, counter) } })
  const chromiumSandbox = process.getuid?.() !== 0
  window = await chromium.launch({ executablePath: findChromium() ?? '', chromiumSandbox })
})
afterEach(async () => {
  for (const id of opened.splice(0)) await call('DELETE', `/v2/browser/${id}`)
})
afterAll(async () => {
  await window.close()
  await site.stop()
})

async function open(body: object = {}): Promise<Json> {
  const answer = await call('POST', '/v2/browser', { body })
  expect(answer.body).toMatchObject({ success: true })
  opened.push(answer.body.id)
  return answer.body
}

const run = async (id: string, code: string) =>
  (await call('POST', `/v2/browser/${id}/execute`, { body: { code } })).body

describe('a session at its cdpUrl', () => {
  it('is driven by Playwright as it is', async () => {
    const { id, cdpUrl } = await open()
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

  it('is driven by Puppeteer as it is', async () => {
    const { id, cdpUrl } = await open()
    const driver = await puppeteer.connect({ browserWSEndpoint: cdpUrl, defaultViewport: null })
    const [tab] = await driver.pages()
    await tab?.goto(`${site.url}/counter`)
    await tab?.click('button')
    expect(await tab?.title()).toBe('Counted 1')
    expect((await tab?.screenshot())?.length).toBeGreaterThan(1000)
    await driver.disconnect()
    expect((await run(id, 'await page.title()')).result).toBe('Counted 1')
  })

  it('shows nothing of another session of the same team', async () => {
    const [one, two] = [await open(), await open()]
    await run(
      one.id,
      `await page.goto('${site.url}/counter'); await page.evaluate(() => { document.cookie = 'own=one' })`,
    )
    const driver = await chromium.connectOverCDP(two.cdpUrl)
    const [context] = driver.contexts()
    const browser = await driver.newBrowserCDPSession()
    const { targetInfos } = await browser.send('Target.getTargets')
    expect(targetInfos.map(({ url }) => url)).not.toContain(`${site.url}/counter`)
    expect(await context?.cookies(site.url)).toEqual([])
    await driver.close()
    const sockets = `const net = require('net'); await Promise.all([3128, 9222, ${new URL(one.cdpUrl).port}].map((port) => new Promise((done) => net.connect(port, '127.0.0.1').on('connect', () => done(port)).on('error', () => done(0)))))`
    // Its own browser is all that its code reaches.
    expect(JSON.parse((await run(two.id, sockets)).result)).toEqual([0, 9222, 0])
  })
})

describe('a session in its live view', () => {
  /** The picture of the browser, once there is one. */
  async function look(address: string): Promise<Page> {
    const view = await window.newPage()
    await view.goto(address)
    await expect.poll(() => view.locator('.address').inputValue(), { timeout: 20_000 }).toContain('/counter')
    // The address comes first; until there is a picture, a cover takes the clicks.
    await view.locator('.cover').waitFor({ state: 'hidden' })
    return view
  }

  it('is steered by a person who clicks in the picture, and not by one who only watches', async () => {
    const session = await open()
    await run(session.id, `await page.goto('${site.url}/counter')`)
    const watching = await look(session.liveViewUrl)
    const steering = await look(session.interactiveLiveViewUrl)
    const title = async () => (await run(session.id, 'await page.title()')).result
    for (const view of [watching, watching, steering]) {
      await view.mouse.click(500, 400)
    }
    await expect.poll(title, { timeout: 20_000 }).toBe('Counted 1')
    await expect
      .poll(() => watching.locator('.tab').textContent(), { timeout: 20_000 })
      .toContain('Counted 1')
    await Promise.all([watching.close(), steering.close()])
  })
})
