import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { consoleFolder } from '../console.ts'
import {
  type ConsoleBrowser,
  findAccessibilityFaults,
  startConsoleBrowser,
  visitorAgent,
} from '../console-page.ts'
import { createHostileScene, type HostileScene, hostileRoutes, writeHostileScript } from '../hostile-scene.ts'
import { temporaryFolder } from '../service.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const folder = temporaryFolder()
let externalSite: Site
let site: Site
let own: OwnService
let browser: ConsoleBrowser
beforeAll(async () => {
  externalSite = await startSite({ routes: { '/hit': (exchange) => sendHtml(exchange, 'hit') } })
  site = await startSite({ routes: hostileRoutes(externalSite.url) })
  const script = join(folder.path, 'script.json')
  writeHostileScript(script, site.url, externalSite.url)
  own = await startOwnService({ CONSOLE_PATH: consoleFolder, MODEL_URL: `script:${script}` })
  browser = await startConsoleBrowser(own.url)
})
afterAll(async () => {
  await browser.stop()
  await own.remove()
  await Promise.all([site.stop(), externalSite.stop()])
  folder.remove()
})

interface ConsolePage {
  path: string
  /** Heading that is visible after the content has loaded. */
  heading: string | RegExp
  /** Opens content that is initially closed. */
  open?(page: Page): Promise<unknown>
}

function pages(scene: HostileScene): ConsolePage[] {
  const { scrapeId, parseId, failedId, batchId, crawlId, extractId, agentId, sessionId } = scene
  const openFirst = (page: Page) => page.getByRole('listbox').getByRole('option').first().click()
  return [
    { path: 'jobs', heading: 'Ended in the last 24 hours' },
    { path: `jobs/batch/${batchId}`, heading: /^Batch/, open: openFirst },
    { path: `jobs/crawl/${crawlId}`, heading: /^Crawl/, open: openFirst },
    { path: `jobs/extract/${extractId}`, heading: 'Data' },
    { path: `jobs/agent/${agentId}`, heading: 'Steps' },
    { path: 'activity', heading: 'Activity' },
    { path: `activity/${scrapeId}`, heading: 'Document', open: inspectBlocks },
    { path: `activity/${parseId}`, heading: 'Timeline' },
    { path: `activity/${failedId}`, heading: 'Ask the support agent', open: askSupport },
    { path: `activity/${batchId}`, heading: 'Webhook deliveries' },
    { path: `browsers?session=${sessionId}`, heading: /^Session/, open: showLiveView },
    { path: 'tracked-pages', heading: 'Pages', open: showDifference },
    { path: 'webhooks', heading: 'Deliveries', open: openDelivery },
    { path: 'settings', heading: 'Keys' },
  ]
}

async function inspectBlocks(page: Page) {
  await page.getByRole('button', { name: 'Inspect the page' }).click()
  await page.locator('[class*=block]').first().waitFor()
  await checkStyles(page)
}

/** Checks that the frame has the styles of the page, although no resource of the page is loaded. */
async function checkStyles(page: Page) {
  await page.getByRole('tab', { name: 'HTML' }).click()
  const frame = page.frameLocator('iframe.untrusted-page')
  const colour = (locator: Locator) => locator.evaluate((element) => getComputedStyle(element).color)
  expect(await colour(frame.locator('p').first())).toBe('rgb(0, 0, 200)')
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

it('shows untrusted content without running or loading it, and without accessibility issues', {
  timeout: 300_000,
}, async () => {
  const scene = await createHostileScene(own, site.url, externalSite.url)
  const errors: string[] = []
  const onTrouble = (text: string) => {
    // The content security policy may block content here. The test checks only that nothing runs and nothing fails.
    if (!text.includes('Content Security Policy')) errors.push(text)
  }
  const page = await browser.visit({ key: own.key, onTrouble })
  const faults: string[] = []
  for (const { path, heading, open } of pages(scene)) {
    await page.goto(`/console/${path}`)
    await page.getByRole('heading', { name: heading }).first().waitFor()
    await open?.(page)
    const tabs = page.getByRole('tab')
    for (let index = 0; index === 0 || index < (await tabs.count()); index += 1) {
      if (index < (await tabs.count())) await tabs.nth(index).click()
      faults.push(...(await findFaults(page)).map((fault) => `${path} ${index}: ${fault}`))
    }
  }
  expect({ faults, troubles: errors }).toEqual({ faults: [], troubles: [] })
  for (const { requests } of [site, externalSite]) {
    expect(requests.filter(({ headers }) => headers['user-agent'] === visitorAgent)).toEqual([])
  }
})

/** Returns accessibility faults in both themes with all details open, and links that would run code. */
async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true
  })
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await findAccessibilityFaults(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
  const links = await page.locator('a[href^="javascript:"], a[href^="data:"]').count()
  return [
    ...(await findAccessibilityFaults(page)),
    ...dark.map((fault) => `dark ${fault}`),
    ...(links > 0 ? ['link'] : []),
  ]
}
