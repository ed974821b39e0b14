import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { teamKey } from '../api.ts'
import {
  type ConsoleBrowser,
  findAccessibilityFaults,
  startConsoleBrowser,
  type Visit,
} from '../console-page.ts'
import { page as htmlPage, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const lampHtml = '<dl><dt>Price</dt><dd>1.299,00 €</dd></dl><p>It was shown in Lund for the first time.</p>'
/** Returns a page with many kinds of code and resources that must not run or load in the console. */
function hostile(origin: string): string {
  const hit = (from: string) => `fetch('${origin}/hit?${from}');window.ran=1`
  return `<!doctype html><html><head><title></title><script>${hit('title')}</script></title>
<meta property="og:title" content="&lt;img src=x onerror=&quot;${hit('meta')}&quot;&gt;"></head>
<body><main><h1>&lt;img src=${origin}/hit onerror="${hit('text')}"&gt;</h1>
<p><a href="javascript:${hit('link')}">a link</a> <a href="data:text/html,&lt;script&gt;1&lt;/script&gt;">another</a></p>
<img src="${origin}/hit?image" onerror="${hit('image')}"><svg onload="${hit('svg')}"><script>${hit('svg')}</script></svg>
<iframe src="${origin}/hit?frame"></iframe><form action="${origin}/hit"><button>Send</button></form>
<p>[words](javascript:${hit('markdown')}) &lt;script&gt;${hit('markdown')}&lt;/script&gt; and enough text to be the page.</p>
</main></body></html>`
}

const routes: Routes = {
  '/lamp': (exchange) => sendHtml(exchange, htmlPage('Desk lamp', lampHtml)),
  '/hostile': (exchange) => sendHtml(exchange, hostile(`http://${exchange.request.headers.host}`)),
  '/hit': (exchange) => sendHtml(exchange, 'hit'),
}

let site: Site
let browser: ConsoleBrowser
beforeAll(async () => {
  site = await startSite({ routes })
  browser = await startConsoleBrowser(inject('deployment').urls[0] ?? '')
})
afterAll(async () => {
  await browser.stop()
  await site.stop()
})

const errors: string[] = []
const visit = (options: Visit = {}) =>
  browser.visit({ key: teamKey(), onTrouble: (text) => errors.push(text), ...options })
const open = (page: Page, call: string, request: object) =>
  page.goto(`/console/playground/${call}?request=${encodeURIComponent(JSON.stringify(request))}`)
const run = (page: Page) => page.getByRole('button', { name: 'Run' }).click()
const openTab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name, exact: true }).click()

describe('the playground', () => {
  it('shows a page in several views, and the call in other languages', async () => {
    const page = await visit()
    await page.goto('/console/')
    await page.getByRole('textbox', { name: 'url' }).fill(`${site.url}/lamp`)
    await page.keyboard.press('Control+Enter')
    await page.getByText('It was shown in Lund').first().waitFor()
    for (const name of ['Markdown', 'HTML source', 'Metadata', 'JSON']) await openTab(page, name)
    await openTab(page, 'Python')
    await page.getByRole('button', { name: 'Copy' }).last().click()
    const clipboardText = await page.evaluate(() => navigator.clipboard.readText())
    expect(clipboardText).toContain(`"url": "${site.url}/lamp"`)
    expect(clipboardText).not.toContain(teamKey())
    await openTab(page, 'Edit as JSON')
    await page.getByRole('textbox', { name: 'Request, as JSON' }).fill(`{ "url": "${site.url}/article" }`)
    expect(await page.getByRole('textbox', { name: 'url' }).inputValue()).toBe(`${site.url}/article`)
    expect(errors).toEqual([])
  })

  it('sends only values that differ from their defaults', async () => {
    const page = await visit()
    await open(page, 'scrape', { url: `${site.url}/lamp` })
    await page.getByText(/more options/).click()
    await page.getByLabel('onlyMainContent').uncheck()
    await page.getByLabel('mobile').check()
    await page.getByLabel('mobile').uncheck()
    await page.getByLabel('waitFor').fill('5')
    await page.getByText('actions', { exact: true }).click()
    await page.getByRole('button', { name: 'Add step' }).click()
    await page.getByLabel('Step 1: type').selectOption('wait')
    await page.getByLabel('milliseconds').fill('10')
    const curl = await page.locator('pre').filter({ hasText: 'curl' }).textContent()
    expect(JSON.parse(/-d '([\s\S]*)'/.exec(curl ?? '')?.[1] ?? '')).toEqual({
      url: `${site.url}/lamp`,
      onlyMainContent: false,
      waitFor: 5,
      actions: [{ type: 'wait', milliseconds: 10 }],
    })
  })

  it('shows the position of a value on the page', async () => {
    const page = await visit()
    const schema = { type: 'object', properties: { price: { type: 'number' }, title: { type: 'string' } } }
    const formats = ['rawHtml', { type: 'json', schema }]
    await open(page, 'scrape', { url: `${site.url}/lamp`, formats })
    await run(page)
    await page.getByRole('button', { name: '1299' }).click()
    await page.getByText('1.299,00 €').first().waitFor()
    const valueFrame = page.frameLocator('iframe[title^="Position of the value"]')
    expect(await valueFrame.locator('[data-winnow-evidence]').textContent()).toBe('1.299,00 €')
  })

  it('offers a tested fix for a wrong result', async () => {
    const page = await visit()
    await open(page, 'scrape', { url: `${site.url}/lamp`, formats: ['markdown'], excludeTags: ['dl'] })
    await run(page)
    await page.getByText('Not what you expected?').click()
    await page.getByLabel(/What did you expect/).fill('The price "1.299,00" is missing')
    await page.getByRole('button', { name: 'Ask the support agent' }).click()
    await page.getByRole('button', { name: 'Apply tested fix' }).click()
    await run(page)
    await page.getByText('1.299,00 €').first().waitFor()
  })

  it('shows the code and the cause of a failed call', async () => {
    const page = await visit()
    await open(page, 'scrape', { url: 'http://10.1.2.3/' })
    await run(page)
    await page.getByText('TARGET_FORBIDDEN', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Ask the support agent' }).click()
    await page.getByText('refused-address').waitFor()
  })

  it('shows running jobs with their results', async () => {
    const page = await visit()
    await open(page, 'crawl', { url: `${site.url}/lamp`, limit: 1 })
    await run(page)
    const response = page.getByRole('region', { name: 'Response' })
    await response.getByRole('option', { name: /Desk lamp/ }).click()
    await response.getByText('It was shown in Lund').waitFor()
    await response.getByRole('button', { name: 'JSONL' }).waitFor()
    const schema = { type: 'object', properties: { price: { type: 'number' } } }
    await open(page, 'extract', { urls: [`${site.url}/lamp`], schema })
    await run(page)
    await response.getByRole('heading', { name: 'Data' }).waitFor()
    await response.getByText('1299').waitFor()
    expect(errors).toEqual([])
  })

  it('parses a file, starts a crawl, and names what an unavailable call needs', async () => {
    const page = await visit()
    await page.goto('/console/playground/parse')
    const buffer = Buffer.from('<h1>Minutes</h1><p>Of the meeting in spring.</p>')
    await page.setInputFiles('input[type=file]', { name: '<b>.html', mimeType: 'text/html', buffer })
    await run(page)
    await page.getByText('Of the meeting in spring.').first().waitFor()
    await open(page, 'crawl', { url: `${site.url}/lamp`, limit: 1 })
    await run(page)
    await page.getByRole('link', { name: 'Open job' }).click()
    await page.waitForURL(/\/console\/jobs\/crawl\//)
    await page.goto('/console/playground/agent')
    await page.getByText('needs a language model').waitFor()
  })

  it('runs no code of a hostile page', async () => {
    const page = await visit({ onTrouble: () => {} })
    const schema = { type: 'object', properties: { title: { type: 'string' } } }
    const formats = ['markdown', 'html', 'rawHtml', 'links', 'images', { type: 'json', schema }]
    await open(page, 'scrape', { url: `${site.url}/hostile`, formats, fastMode: true })
    await run(page)
    await page.getByRole('tab', { name: 'Metadata' }).waitFor()
    const hitsBefore = site.hits('/hit')
    for (const viewTab of await page.locator('.views [role=tab]').all()) await viewTab.click()
    await openTab(page, 'Page')
    expect(await page.locator('a[href^="javascript:"], a[href^="data:"]').count()).toBe(0)
    expect(await page.evaluate('window.ran')).toBeUndefined()
    expect(site.hits('/hit')).toBe(hitsBefore)
  })

  it.each(['light', 'dark'] as const)('has no serious accessibility issues (%s)', async (theme) => {
    const page = await visit({ theme, onTrouble: () => {} })
    await open(page, 'scrape', { url: `${site.url}/lamp`, formats: ['markdown', 'links', 'json'] })
    await page.getByText(/more options/).click()
    await run(page)
    await page.getByRole('tab', { name: 'Metadata' }).waitFor()
    expect(await findAccessibilityFaults(page)).toEqual([])
    const narrow = await visit({ theme, width: 390 })
    await narrow.goto('/console/playground/extract')
    await narrow.getByRole('button', { name: 'Run' }).waitFor()
    expect(await findAccessibilityFaults(narrow)).toEqual([])
    expect(await narrow.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})
