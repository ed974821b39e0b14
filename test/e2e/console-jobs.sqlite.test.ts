import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { consoleFolder } from '../console.ts'
import { type ConsoleBrowser, startConsoleBrowser, type Visit } from '../console-page.ts'
import { page as htmlPage, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const sentence = 'The tide comes twice a day and leaves the sand in long low waves. '
const numbers = Array.from({ length: 12 }, (_, index) => index + 1)
const links = [...numbers.map(String), 'held'].map((name) => `<a href="/shelf/${name}">${name}</a>`).join(' ')
const released = Promise.withResolvers<void>()

const routes: Routes = {
  '/shelf': (exchange) =>
    sendHtml(exchange, htmlPage('Shelf', `<p>${sentence.repeat(4)}</p><p>${links}</p>`)),
  ...Object.fromEntries(
    numbers.map((number): [string, Routes[string]] => [
      `/shelf/${number}`,
      (exchange) => sendHtml(exchange, htmlPage(`Volume ${number}`, `<p>${sentence.repeat(number)}</p>`)),
    ]),
  ),
  '/shelf/held': async (exchange) => {
    await released.promise
    sendHtml(exchange, htmlPage('Held', 'late'))
  },
  '/offers': (exchange) =>
    sendHtml(
      exchange,
      htmlPage(
        'Offers',
        `<article><p>Few words.</p><div class="offer">${sentence.repeat(40)}</div></article>`,
      ),
    ),
}

let site: Site
let own: OwnService
let browser: ConsoleBrowser
beforeAll(async () => {
  site = await startSite({ routes })
  own = await startOwnService({ CONSOLE_PATH: consoleFolder })
  browser = await startConsoleBrowser(own.url)
})
afterAll(async () => {
  released.resolve()
  await browser.stop()
  await own.remove()
  await site.stop()
})

const visit = (options: Visit = {}) => browser.visit({ key: own.key, ...options })
const post = async (path: string, body: object): Promise<Json> =>
  (await own.call('POST', path, { body })).body
const openTab = (page: Page, name: RegExp) => page.getByRole('tab', { name }).click()

describe('jobs', () => {
  it('shows a running crawl, its pages and its tree, and cancels it after confirmation', async () => {
    const { id } = await post('/v2/crawl', { url: `${site.url}/shelf`, sitemap: 'skip' })
    const page = await visit()
    await page.goto('/console/jobs')
    await page.getByRole('link', { name: /^Crawl.*\/shelf.*running/ }).click()
    expect(page.url()).toContain(`/console/jobs/crawl/${id}`)
    await page.getByRole('tab', { name: 'Pages (13)' }).waitFor()
    await page.getByRole('option', { name: /Volume 7/ }).click()
    await page.getByRole('region', { name: 'Page', exact: true }).getByText('The tide comes').waitFor()
    await openTab(page, /Site/)
    await page.getByRole('button', { name: /^12 Volume 12/ }).waitFor()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Keep running' }).click()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel job' }).click()
    await page.getByText('cancelled', { exact: true }).first().waitFor()
    expect((await own.call('GET', `/v2/crawl/${id}`)).body.status).toBe('cancelled')
  })

  it('shows why pages of a batch failed, and links to the trace', async () => {
    const { id } = await post('/v2/batch/scrape', { urls: [`${site.url}/reset`, `${site.url}/shelf/1`] })
    const page = await visit()
    await page.goto(`/console/jobs/batch/${id}`)
    await openTab(page, /Errors \(1\)/)
    await page.getByText('SCRAPE_SITE_ERROR × 1').waitFor()
    await page.getByRole('tabpanel').getByRole('link', { name: 'View trace' }).click()
    await page.getByRole('heading', { name: /^Scrape of .*\/reset$/ }).waitFor()
    await page.getByText('Fetched over HTTP').first().waitFor()
  })
})

describe('activity', () => {
  it('finds calls by their state and URL', async () => {
    await post('/v2/scrape', { url: `${site.url}/shelf/2` })
    await post('/v2/scrape', { url: `${site.url}/reset?found` })
    const page = await visit()
    await page.goto('/console/activity')
    await page.getByLabel('State').selectOption('failed')
    await page.getByRole('link', { name: `${site.url}/reset?found` }).waitFor()
    expect(await page.getByRole('link', { name: /shelf\/2$/ }).count()).toBe(0)
    await page.getByLabel('State').selectOption('')
    await page.getByRole('searchbox', { name: 'Search' }).fill('shelf/2')
    await page.getByRole('link', { name: /shelf\/2$/ }).waitFor()
    expect(await page.getByRole('link', { name: /reset/ }).count()).toBe(0)
  })

  it('asks the support agent about a thin page and offers the fix in the playground', async () => {
    const { data } = await post('/v2/scrape', { url: `${site.url}/offers`, excludeTags: ['.offer'] })
    const page = await visit()
    await page.goto(`/console/activity/${data.metadata.scrapeId}`)
    await page.getByText(/^excludeTags: /).waitFor()
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('Tested: success').waitFor({ timeout: 60_000 })
    const fix = await page.getByRole('link', { name: 'Try the fix in the playground' }).getAttribute('href')
    const request = new URL(fix ?? '', own.url).searchParams.get('request') ?? ''
    expect(request).toContain('excludeTags')
    expect(request).toContain(`${site.url}/offers`)
  })

  it('shows an error for paths that point elsewhere, and calls no other endpoint', async () => {
    const errors: string[] = []
    const calledPaths: string[] = []
    const page = await visit({ onTrouble: (text) => errors.push(text) })
    page.on('request', (request) => calledPaths.push(new URL(request.url()).pathname))
    const paths = [
      ...['activity/..%2F..', 'activity/%252E%252E', 'browsers?session=..', 'browsers?session=.'],
      ...['jobs/batch/..%2F..', 'jobs/crawl/%2E%2E%2F%2E%2E%2Fteam', 'jobs/agent/..%2F'],
    ]
    for (const path of paths) {
      await page.goto(`/console/${path}`)
      await page.getByRole('alert').first().waitFor()
      expect(await page.getByRole('navigation').count(), path).toBeGreaterThan(0)
    }
    expect(
      calledPaths.filter((name) => /^\/v2\/(?:team|batch\/scrape|crawl|agent|jobs)?\/?$/.test(name)),
    ).toEqual([])
    expect(errors).toEqual([])
  })
})
