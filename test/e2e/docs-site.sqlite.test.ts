import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { call } from '../api.ts'
import {
  type ConsoleBrowser,
  findAccessibilityFaults,
  startConsoleBrowser,
  type Visit,
} from '../console-page.ts'

const origin = () => inject('deployment').urls[0] ?? ''
let browser: ConsoleBrowser
beforeAll(async () => {
  browser = await startConsoleBrowser(origin())
})
afterAll(() => browser.stop())

/** Opens a page of the documentation. `troubles` collects errors of the page and its requests to other sites. */
async function open(path: string, visit: Visit = {}): Promise<{ page: Page; troubles: string[] }> {
  const troubles: string[] = []
  const page = await browser.visit({ ...visit, onTrouble: (text) => troubles.push(text) })
  page.on('request', (request) => {
    if (!request.url().startsWith(origin()) && !request.url().startsWith('data:'))
      troubles.push(request.url())
  })
  await page.goto(path)
  return { page, troubles }
}

const get = (path: string) => call('GET', path, { key: null })

describe('the pages of the documentation', () => {
  it.each([
    { path: '/docs', theme: 'light', width: 1280 },
    { path: '/docs/guides/crawl', theme: 'dark', width: 1280 },
    { path: '/docs/guides/structured-data', theme: 'light', width: 390 },
    { path: '/docs/find?q=webhook', theme: 'dark', width: 390 },
  ] as const)(
    '$path has no serious accessibility issues ($theme, $width wide)',
    async ({ path, ...visit }) => {
      const { page, troubles } = await open(path, visit)
      expect(await findAccessibilityFaults(page)).toEqual([])
      expect(troubles).toEqual([])
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      expect(overflow).toBeLessThanOrEqual(0)
      await page.context().close()
    },
  )

  it('link from the list to a guide, and from there to the reference of its endpoint', async () => {
    const { page } = await open('/docs')
    await page.getByRole('main').getByRole('link', { name: 'Crawl a site' }).click()
    await page.getByRole('heading', { level: 1, name: 'Crawl a site' }).waitFor()
    const reference = page.getByRole('link', { name: 'Every option' })
    expect(await reference.getAttribute('href')).toBe('/docs/reference#/Crawl/postCrawl')
    await page.context().close()
  })

  it('show examples in the selected language, also on the next page', async () => {
    const { page } = await open('/docs/guides/crawl')
    const loop = page.getByText('for await (const page of job)')
    const python = page.getByText('for page in job')
    expect([await loop.isVisible(), await python.isVisible()]).toEqual([true, false])
    await page.getByText('Python', { exact: true }).first().click()
    expect([await loop.isVisible(), await python.isVisible()]).toEqual([false, true])
    await page.goto('/docs/guides/search')
    expect(await page.getByLabel('Python', { exact: true }).first().isChecked()).toBe(true)
    await page.context().close()
  })

  it('are found by a search term, and escape HTML in a query', async () => {
    const { page, troubles } = await open('/docs')
    await page.keyboard.press('/')
    await page.keyboard.type('SCRAPE_TIMEOUT')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'SCRAPE_TIMEOUT' }).first().click()
    expect(page.url()).toBe(`${origin()}/docs/errors#SCRAPE_TIMEOUT`)
    await page.goto('/docs/find?q=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E')
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('<img src=x')
    expect(await page.locator('main img').count()).toBe(0)
    expect(troubles).toEqual([])
    await page.context().close()
  })

  it('are available as Markdown and for language models', async () => {
    const markdown = await get('/docs/guides/crawl.md')
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(markdown.body).toMatch(/^# Crawl a site\n/)
    const list = await get('/llms.txt')
    expect(list.body).toContain(`(${origin()}/docs/guides/crawl.md)`)
    expect((await get('/llms-full.txt')).body).toContain('# Crawl a site\n')
  })

  it('return 404 with a link to the list of pages', async () => {
    const { status, headers, body } = await get('/docs/guides/nowhere')
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(body).toContain('list of pages')
    for (const path of ['/docs/nowhere.md', '/docs/pictures/..%2f..%2fREADME.md', '/docs/pictures/x.png'])
      expect((await get(path)).body).toMatchObject({ code: 'ROUTE_NOT_FOUND' })
    expect((await get('/docs/..%2fpackage.json')).status).toBe(404)
  })
})
