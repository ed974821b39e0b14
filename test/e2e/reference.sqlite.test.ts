import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call, teamKey } from '../api.ts'
import { findChromium } from '../servers/proxy-browser.ts'
import { type Site, startSite } from '../site/site.ts'

let browser: Browser
let site: Site
beforeAll(async () => {
  site = await startSite()
  browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    chromiumSandbox: process.getuid?.() !== 0,
  })
})
afterAll(async () => {
  await browser.close()
  await site.stop()
})

const origin = () => inject('deployment').urls[0] ?? ''

/** Opens the reference in a browser. `asked` contains the URLs of its requests, and `complaints` its errors. */
async function open(options: BrowserContextOptions = {}) {
  const page = await browser.newPage(options)
  const asked: string[] = []
  const complaints: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(`${origin()}/docs/reference`)
  return { page, asked, complaints }
}

const isDark = async (page: Page) =>
  (await page.locator('html').getAttribute('class'))?.includes('dark-mode') ?? false

const externalRequests = (urls: string[]) =>
  urls.filter((url) => !url.startsWith('data:') && !url.startsWith(origin()))

describe('the reference', () => {
  it('shows every operation, makes calls with a key, and sends requests only to the service', {
    timeout: 120_000,
  }, async () => {
    const { page, asked, complaints } = await open()
    await page.getByText('/v2/team/credit-usage', { exact: true }).waitFor()
    const { paths } = (await call('GET', '/v2/openapi.json', { key: null })).body
    const operations = Object.values<object>(paths).flatMap((methods) => Object.keys(methods))
    expect(await page.locator('.opblock').count()).toBe(operations.length)
    await page.locator('#operations-Scrape-postScrape button').first().click()
    await page.getByText('onlyMainContent').first().waitFor()
    await page.locator('.btn.authorize').click()
    await page.locator('#auth-bearer-value').fill(teamKey())
    await page.locator('.auth-btn-wrapper .authorize').click()
    await page.locator('.auth-btn-wrapper .btn-done').click()
    const operation = page.locator('#operations-Team-getTeamQueueStatus')
    await operation.locator('button').first().click()
    await operation.getByText('Try it out').click()
    await operation.locator('.execute').click()
    await operation.getByText('"maxConcurrency"').first().waitFor()
    expect([externalRequests(asked), complaints]).toEqual([[], []])
    expect(await isDark(page)).toBe(false)
    await page.close()
  })

  it('is dark if the reader prefers it, and its policy blocks external requests of scripts', async () => {
    const { page } = await open({ colorScheme: 'dark' })
    expect(await isDark(page)).toBe(true)
    const blocked = await page.evaluate(async (url) => {
      const image = new Image()
      const violations: string[] = []
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
        violations.push(effectiveDirective),
      )
      image.src = url
      const script = document.createElement('script')
      script.src = url
      document.head.append(script)
      await fetch(url).catch(() => undefined)
      await new Promise((resolve) => setTimeout(resolve, 200))
      return violations.sort()
    }, `${site.url}/pages/1`)
    expect(blocked).toEqual(['connect-src', 'img-src', 'script-src-elem'])
    await page.close()
  })

  it('links to the API description without scripts', async () => {
    const { page } = await open({ javaScriptEnabled: false })
    await page.getByRole('link', { name: 'openapi.json' }).click()
    expect(page.url()).toBe(`${origin()}/v2/openapi.json`)
    await page.close()
  })
})
