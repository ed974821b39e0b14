import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callAt, type OwnService, startOwnService } from '../api.ts'
import { consoleFolder } from '../console.ts'
import { type ConsoleBrowser, startConsoleBrowser } from '../console-page.ts'
import { page as htmlPage, type Routes, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

const sentence = 'The ferry leaves at seven and comes back before the evening. '
const gate = Promise.withResolvers<void>()
const links = ['one', 'two', 'last'].map((name) => `<a href="/ferry/${name}">${name}</a>`).join(' ')
/** A click anywhere on this page sends a request that the site records. */
const bell = `<!doctype html><title>Bell</title><style>button{position:fixed;inset:0;width:100%;height:100%}</style>
<button onclick="fetch('/rung')">Ring</button>`

const routes: Routes = {
  '/ferry': (exchange) =>
    sendHtml(exchange, htmlPage('Ferry', `<p>${sentence.repeat(4)}</p><p>${links}</p>`)),
  '/ferry/:name': async (exchange) => {
    if (exchange.params.name === 'last') await gate.promise
    sendHtml(exchange, htmlPage(`Ferry ${exchange.params.name}`, `<p>${sentence.repeat(4)}</p>`))
  },
  '/timetable': (exchange) => sendHtml(exchange, htmlPage('Timetable', `<p>${sentence.repeat(4)}</p>`)),
  '/bell': (exchange) => sendHtml(exchange, bell),
  '/rung': (exchange) => sendHtml(exchange, 'rung'),
}

let site: Site
let own: OwnService
let browser: ConsoleBrowser
beforeAll(async () => {
  site = await startSite({ routes })
  // Without API_KEY, the first start creates a key and a link for one sign-in.
  own = await startOwnService({ API_KEY: '', CONSOLE_PATH: consoleFolder })
  browser = await startConsoleBrowser(own.url)
})
afterAll(async () => {
  gate.resolve()
  await browser.stop()
  await own.remove()
  await site.stop()
})

it('a new user signs in by link, scrapes, crawls, fixes a failed call, and manages keys and teams', {
  timeout: 180_000,
}, async () => {
  const errors: string[] = []
  const page = await browser.visit({ onTrouble: (text) => errors.push(text) })
  await signInByLink(page)
  await scrapeOnePage(page)
  await crawlAndDownload(page)
  await clickInLiveView(page)
  await fixFailedCall(page)
  await createAndRevokeKey(page)
  await createAndDeleteTeam(page)
  expect(errors).toEqual([])
})

const goTo = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click()

async function signInByLink(page: Page) {
  const link = /http:\S+\/console\/#code=\S+/.exec(own.output())?.[0] ?? ''
  await page.goto(link)
  await page.getByRole('textbox', { name: 'url' }).waitFor()
  expect(page.url()).not.toContain('code=')
}

async function scrapeOnePage(page: Page) {
  await page.getByRole('textbox', { name: 'url' }).fill(`${site.url}/timetable`)
  await run(page)
  await page.getByRole('tabpanel').getByRole('heading', { name: 'Timetable' }).waitFor()
}

async function crawlAndDownload(page: Page) {
  await page.getByRole('navigation', { name: 'Calls' }).getByRole('link', { name: 'Crawl' }).click()
  await page.getByRole('textbox', { name: 'url' }).fill(`${site.url}/ferry`)
  await run(page)
  await page.getByRole('link', { name: 'Open job' }).click()
  // One page is delayed, so these elements appear while the crawl runs.
  await page.getByRole('tab', { name: 'Pages (3)' }).waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).waitFor()
  gate.resolve()
  await page.getByRole('tab', { name: 'Pages (4)' }).waitFor()
  await page.getByText('completed', { exact: true }).first().waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'JSONL' }).click(),
  ])
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n')
  const titles = lines.map((line) => JSON.parse(line).metadata.title)
  expect(titles.toSorted()).toEqual(['Ferry', 'Ferry last', 'Ferry one', 'Ferry two'])
}

async function clickInLiveView(page: Page) {
  await goTo(page, 'Browser sessions')
  await page.getByRole('button', { name: 'Open session' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Open session' }).click()
  await page.getByRole('textbox', { name: 'URL' }).fill(`${site.url}/bell`)
  await page.getByRole('button', { name: 'Go', exact: true }).click()
  const view = page.frameLocator('iframe[title="Live view of the browser"]')
  await view.getByRole('tab', { name: 'Bell' }).waitFor()
  await view.getByRole('img', { name: 'The page' }).click()
  await expect.poll(() => site.hits('/rung')).toBe(1)
  await page.getByRole('button', { name: 'End session' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click()
  await page.getByText('Duration').waitFor()
}

async function fixFailedCall(page: Page) {
  const request = JSON.stringify({ url: `${site.url}/ferry/one?fresh`, minAge: 60_000 })
  await page.goto(`/console/playground/scrape?request=${encodeURIComponent(request)}`)
  await run(page)
  await page.getByText('SCRAPE_NO_CACHED_DATA', { exact: true }).waitFor()
  await goTo(page, 'Activity')
  await page.getByLabel('State').selectOption('failed')
  await page.getByRole('link', { name: /one\?fresh$/ }).click()
  await page.getByRole('button', { name: 'Ask', exact: true }).click()
  await page.getByText('Tested: success').waitFor({ timeout: 60_000 })
  await page.getByRole('link', { name: 'Try the fix in the playground' }).click()
  await run(page)
  await page.getByRole('tabpanel').getByRole('heading', { name: 'Ferry one' }).waitFor()
}

async function createAndRevokeKey(page: Page) {
  await goTo(page, 'Settings')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('button', { name: 'Create key' }).click()
  const key = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  const me = () => callAt(own.url, 'GET', '/v2/team/me', { key })
  expect((await me()).status).toBe(200)
  await page.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row', { name: /\bAPI\b/ })
  await row.getByRole('button', { name: /^Revoke the key/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await row.waitFor({ state: 'detached' })
  await expect.poll(async () => (await me()).status).toBe(401)
}

/** Creates a team with the keyboard and deletes it. A dialog must trap the focus, and restore it when it closes. */
async function createAndDeleteTeam(page: Page) {
  await page.getByRole('button', { name: 'New team' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await page.keyboard.type('visitors')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  // The dialog restores the focus when it closes.
  await dialog.waitFor({ state: 'hidden' })
  await disableSearchIndex(page)
  const deleteButton = page.getByRole('button', { name: 'Delete team visitors' })
  await deleteButton.press('Enter')
  const confirmButton = dialog.getByRole('button', { name: 'Delete team' })
  expect(await confirmButton.isDisabled()).toBe(true)
  for (let index = 0; index < 5; index += 1) {
    await page.keyboard.press('Tab')
    // After the last element, the focus is in the browser UI, and no element of the page has it.
    const isOutside = () => document.activeElement?.matches('main *:not(dialog, dialog *)')
    expect(await page.evaluate(isOutside)).toBe(false)
  }
  await page.keyboard.press('Escape')
  expect(await deleteButton.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await dialog.getByRole('textbox').fill('visitors')
  await confirmButton.click()
  await deleteButton.waitFor({ state: 'detached' })
}

async function disableSearchIndex(page: Page) {
  const dialog = page.getByRole('dialog')
  const changeButton = page.getByRole('button', { name: 'Change team visitors' })
  const checkbox = dialog.getByRole('checkbox', { name: 'Index stored pages for search' })
  await changeButton.click()
  await checkbox.uncheck()
  await dialog.getByText('removes all pages of this team from the search index').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await changeButton.click()
  expect(await checkbox.isChecked()).toBe(false)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
}
