import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { teamKey } from '../api.ts'
import { type ConsoleBrowser, seriousFaults, startConsoleBrowser, type Visit } from '../console-page.ts'
import { page as htmlPage, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const facts = '<dl><dt>Price</dt><dd>1.299,00 €</dd></dl><p>It was shown in Lund for the first time.</p>'
/** A page that tries everything that could run or be loaded where it is shown. */
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
  '/lamp': (exchange) => sendHtml(exchange, htmlPage('Desk lamp', facts)),
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

const troubles: string[] = []
const visit = (options: Visit = {}) =>
  browser.visit({ key: teamKey(), onTrouble: (text) => troubles.push(text), ...options })
const open = (page: Page, call: string, request: object) =>
  page.goto(`/console/playground/${call}?request=${encodeURIComponent(JSON.stringify(request))}`)
const run = (page: Page) => page.getByRole('button', { name: 'Run' }).click()
const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name, exact: true }).click()

describe('the playground', () => {
  it('gives a page in several ways, and the call in other languages', async () => {
    const page = await visit()
    await page.goto('/console/')
    await page.getByRole('textbox', { name: 'url' }).fill(`${site.url}/lamp`)
    await page.keyboard.press('Control+Enter')
    await page.getByText('It was shown in Lund').first().waitFor()
    for (const name of ['Markdown', 'HTML source', 'Metadata', 'JSON']) await tab(page, name)
    await tab(page, 'Python')
    await page.getByRole('button', { name: 'Copy' }).last().click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain(`"url": "${site.url}/lamp"`)
    expect(copied).not.toContain(teamKey())
    await tab(page, 'Edit as JSON')
    await page.getByRole('textbox', { name: 'Request, as JSON' }).fill(`{ "url": "${site.url}/article" }`)
    expect(await page.getByRole('textbox', { name: 'url' }).inputValue()).toBe(`${site.url}/article`)
    expect(troubles).toEqual([])
  })

  it('sends what differs from the default and nothing else', async () => {
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

  it('shows where a value stands on the page', async () => {
    const page = await visit()
    const schema = { type: 'object', properties: { price: { type: 'number' }, title: { type: 'string' } } }
    const formats = ['rawHtml', { type: 'json', schema }]
    await open(page, 'scrape', { url: `${site.url}/lamp`, formats })
    await run(page)
    await page.getByRole('button', { name: '1299' }).click()
    await page.getByText('1.299,00 €').first().waitFor()
    const place = page.frameLocator('iframe[title^="Position of the value"]')
    expect(await place.locator('[data-winnow-place]').textContent()).toBe('1.299,00 €')
  })

  it('leads from a wrong result to a tested fix', async () => {
    const page = await visit()
    await open(page, 'scrape', { url: `${site.url}/lamp`, formats: ['markdown'], excludeTags: ['dl'] })
    await run(page)
    await page.getByText('Not what you expected?').click()
    await page.getByLabel(/What did you expect/).fill('The price "1.299,00" is missing')
    await page.getByRole('button', { name: 'Ask the support agent' }).click()
    await page.getByRole('button', { name: 'Put this tested fix into the form' }).click()
    await run(page)
    await page.getByText('1.299,00 €').first().waitFor()
  })

  it('says by which code a call failed, and why', async () => {
    const page = await visit()
    await open(page, 'scrape', { url: 'http://10.1.2.3/' })
    await run(page)
    await page.getByText('TARGET_FORBIDDEN', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Ask the support agent' }).click()
    await page.getByText('refused-address').waitFor()
  })

  it('shows jobs as they run, with what they bring', async () => {
    const page = await visit()
    await open(page, 'crawl', { url: `${site.url}/lamp`, limit: 1 })
    await run(page)
    const answer = page.getByRole('region', { name: 'Response' })
    await answer.getByRole('option', { name: /Desk lamp/ }).click()
    await answer.getByText('It was shown in Lund').waitFor()
    await answer.getByRole('button', { name: 'JSONL' }).waitFor()
    const schema = { type: 'object', properties: { price: { type: 'number' } } }
    await open(page, 'extract', { urls: [`${site.url}/lamp`], schema })
    await run(page)
    await answer.getByRole('heading', { name: 'Data' }).waitFor()
    await answer.getByText('1299').waitFor()
    expect(troubles).toEqual([])
  })

  it('reads a file, starts a crawl, and says what cannot work', async () => {
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

  it('runs nothing of a hostile page', async () => {
    const page = await visit({ onTrouble: () => {} })
    const schema = { type: 'object', properties: { title: { type: 'string' } } }
    const formats = ['markdown', 'html', 'rawHtml', 'links', 'images', { type: 'json', schema }]
    await open(page, 'scrape', { url: `${site.url}/hostile`, formats, fastMode: true })
    await run(page)
    await page.getByRole('tab', { name: 'Metadata' }).waitFor()
    const before = site.hits('/hit')
    for (const one of await page.locator('.views [role=tab]').all()) await one.click()
    await tab(page, 'Page')
    expect(await page.locator('a[href^="javascript:"], a[href^="data:"]').count()).toBe(0)
    expect(await page.evaluate('window.ran')).toBeUndefined()
    expect(site.hits('/hit')).toBe(before)
  })

  it.each(['light', 'dark'] as const)('has no serious fault for assistive technology (%s)', async (theme) => {
    const page = await visit({ theme, onTrouble: () => {} })
    await open(page, 'scrape', { url: `${site.url}/lamp`, formats: ['markdown', 'links', 'json'] })
    await page.getByText(/more options/).click()
    await run(page)
    await page.getByRole('tab', { name: 'Metadata' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    const narrow = await visit({ theme, width: 390 })
    await narrow.goto('/console/playground/extract')
    await narrow.getByRole('button', { name: 'Run' }).waitFor()
    expect(await seriousFaults(narrow)).toEqual([])
    expect(await narrow.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})
