import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { consoleFolder } from '../console.ts'
import { type ConsoleBrowser, seriousFaults, startConsoleBrowser, visitorAgent } from '../console-page.ts'
import { type HostileScene, hostileRoutes, makeHostileScene, writeHostileScript } from '../hostile-scene.ts'
import { temporaryFolder } from '../service.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const folder = temporaryFolder()
let stranger: Site
let site: Site
let own: OwnService
let browser: ConsoleBrowser
beforeAll(async () => {
  stranger = await startSite({ routes: { '/hit': (exchange) => sendHtml(exchange, 'hit') } })
  site = await startSite({ routes: hostileRoutes(stranger.url) })
  const script = join(folder.path, 'script.json')
  writeHostileScript(script, site.url, stranger.url)
  own = await startOwnService({ CONSOLE_PATH: consoleFolder, MODEL_URL: `script:${script}` })
  browser = await startConsoleBrowser(own.url)
})
afterAll(async () => {
  await browser.stop()
  await own.remove()
  await Promise.all([site.stop(), stranger.stop()])
  folder.remove()
})

interface Shown {
  path: string
  /** A heading that is there once the page has what it shows. */
  heading: string | RegExp
  /** Opens what is not open by itself. */
  open?(page: Page): Promise<unknown>
}

function pages(scene: HostileScene): Shown[] {
  const { scrapeId, parseId, failedId, batchId, crawlId, extractId, agentId, sessionId } = scene
  const pick = (page: Page) => page.getByRole('listbox').getByRole('option').first().click()
  return [
    { path: 'jobs', heading: 'Ended in the last 24 hours' },
    { path: `jobs/batch/${batchId}`, heading: /^Batch/, open: pick },
    { path: `jobs/crawl/${crawlId}`, heading: /^Crawl/, open: pick },
    { path: `jobs/extract/${extractId}`, heading: 'Data' },
    { path: `jobs/agent/${agentId}`, heading: 'Steps' },
    { path: 'activity', heading: 'Activity' },
    { path: `activity/${scrapeId}`, heading: 'Document', open: lookAtBlocks },
    { path: `activity/${parseId}`, heading: 'Timeline' },
    { path: `activity/${failedId}`, heading: 'Ask the support agent', open: askSupport },
    { path: `activity/${batchId}`, heading: 'Webhook deliveries' },
    { path: `browsers?session=${sessionId}`, heading: /^Session/, open: showLiveView },
    { path: 'tracked-pages', heading: 'Pages', open: showDifference },
    { path: 'webhooks', heading: 'Deliveries', open: openDelivery },
    { path: 'settings', heading: 'Keys' },
  ]
}

async function lookAtBlocks(page: Page) {
  await page.getByRole('button', { name: 'Inspect the page' }).click()
  await page.locator('[class*=block]').first().waitFor()
  await seeStyles(page)
}

/** The page looks as it was made, though nothing of it is loaded. */
async function seeStyles(page: Page) {
  await page.getByRole('tab', { name: 'HTML' }).click()
  const inside = page.frameLocator('iframe.stranger')
  const colour = (one: Locator) => one.evaluate((element) => getComputedStyle(element).color)
  expect(await colour(inside.locator('p').first())).toBe('rgb(0, 0, 200)')
}

async function askSupport(page: Page) {
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByText(/^confidence/).waitFor()
}

async function showLiveView(page: Page) {
  const view = page.frameLocator('iframe[title="Live view of the browser"]')
  await view.getByRole('tab', { name: /onerror/ }).waitFor()
}

async function showDifference(page: Page) {
  await page.getByRole('button', { name: /hostile/ }).click()
  await page
    .getByText(/Version \d/)
    .first()
    .waitFor()
}

async function openDelivery(page: Page) {
  await page.getByText('batch_scrape.page').first().click()
  await page.getByText('Attempts').waitFor()
}

it('shows what strangers wrote without running or loading it, to every reader', {
  timeout: 300_000,
}, async () => {
  const scene = await makeHostileScene(own, site.url, stranger.url)
  const troubles: string[] = []
  const onTrouble = (text: string) => {
    // The policy may have something to refuse here; what counts is that nothing runs and nothing fails.
    if (!text.includes('Content Security Policy')) troubles.push(text)
  }
  const page = await browser.visit({ key: own.key, onTrouble })
  const faults: string[] = []
  for (const { path, heading, open } of pages(scene)) {
    await page.goto(`/console/${path}`)
    await page.getByRole('heading', { name: heading }).first().waitFor()
    await open?.(page)
    const tabs = page.getByRole('tab')
    for (let turn = 0; turn === 0 || turn < (await tabs.count()); turn += 1) {
      if (turn < (await tabs.count())) await tabs.nth(turn).click()
      faults.push(...(await faultsOf(page)).map((fault) => `${path} ${turn}: ${fault}`))
    }
  }
  expect({ faults, troubles }).toEqual({ faults: [], troubles: [] })
  for (const { requests } of [site, stranger]) {
    expect(requests.filter(({ headers }) => headers['user-agent'] === visitorAgent)).toEqual([])
  }
})

/** In both themes, with everything unfolded; and links that would run something. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    for (const one of document.querySelectorAll('details')) one.open = true
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await seriousFaults(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
  const links = await page.locator('a[href^="javascript:"], a[href^="data:"]').count()
  return [
    ...(await seriousFaults(page)),
    ...dark.map((fault) => `dark ${fault}`),
    ...(links > 0 ? ['link'] : []),
  ]
}
