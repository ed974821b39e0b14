import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findUndeclaredNames } from '../../../test/names-from-outside.ts'
import { adRoutes } from '../../../test/site/routes/ads.ts'
import { type Site, startSite } from '../../../test/site/site.ts'
import { bannerScripts } from './banner.ts'
import { handleConsent } from './consent.ts'

const path =
  process.env.CHROMIUM_PATH ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium'].find((found) =>
    existsSync(found),
  )

it.each(Object.entries(bannerScripts()))('the script %s refers to no outer names', (_, { source }) => {
  expect(findUndeclaredNames(source)).toEqual([])
})

describe.skipIf(path === undefined)('handleConsent', () => {
  let browser: Browser
  let site: Site
  let context: BrowserContext
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: path ?? '', chromiumSandbox: process.getuid?.() !== 0 })
  })
  afterAll(() => browser.close())
  beforeEach(async () => {
    site = await startSite({ routes: adRoutes })
    context = await browser.newContext()
    return async () => {
      await context.close()
      await site.stop()
    }
  })

  const options = { signal: AbortSignal.timeout(60_000), maxMs: 20_000 }
  const open = async (name: string) => {
    const tab = await context.newPage()
    await tab.goto(`${site.url}/consent/${name}`, { waitUntil: 'domcontentloaded' })
    return tab
  }
  const getPressedButtons = () =>
    site.requests
      .map((request) => request.path.match(/pressed\/(.*)/)?.[1])
      .filter((name) => name !== undefined)

  it.each([
    ['of OneTrust', 'onetrust'],
    ['of Cookiebot', 'cookiebot'],
    ['in a frame of Sourcepoint', 'frame'],
    ['that no rule knows', 'unknown'],
    ['inside a component', 'shadow'],
  ])('rejects a dialog %s', async (_, name) => {
    const tab = await open(name)
    expect(await handleConsent(tab, options)).toBe('rejected')
    expect(await tab.locator('.asks').isVisible()).toBe(false)
    await expect.poll(getPressedButtons).toEqual(['reject'])
  })

  it.each([
    ['English', 'We use cookies to improve this site.', 'Allow all cookies', 'Use essential cookies only'],
    ['German', 'Wir nutzen Cookies auf unserer Seite.', 'Alle akzeptieren', 'Ablehnen'],
    ['French', 'Ce site utilise des cookies.', 'Tout accepter', 'Tout refuser'],
    ['Spanish', 'Este sitio utiliza cookies.', 'Aceptar todas', 'Rechazar todas'],
    ['Italian', 'Questo sito utilizza i cookie.', 'Accetta tutti', 'Rifiuta tutti'],
    ['Portuguese', 'Este site utiliza cookies.', 'Aceitar todos', 'Rejeitar todos'],
    ['Dutch', 'Deze website gebruikt cookies.', 'Alles accepteren', 'Alleen noodzakelijke cookies'],
    ['Swedish', 'Vi använder cookies på vår webbplats.', 'Godkänn alla', 'Endast nödvändiga'],
    ['Polish', 'Ta strona używa plików cookie.', 'Akceptuję wszystkie', 'Odrzuć wszystkie'],
    ['Czech', 'Tento web používá cookies, viz ochrana údajů.', 'Přijmout vše', 'Odmítnout vše'],
    ['Russian', 'Этот сайт использует файлы cookie.', 'Принять все', 'Отклонить все'],
    ['Japanese', 'このサイトはクッキーを使用します。', '同意する', '拒否する'],
  ])('rejects a dialog in %s', async (_, text, accept, reject) => {
    const tab = await open(`banner?${new URLSearchParams({ text, accept, reject })}`)
    expect(await handleConsent(tab, options)).toBe('rejected')
    await expect.poll(getPressedButtons).toEqual(['reject'])
  })

  it('waits for a dialog until the page has settled', async () => {
    const tab = await open('late')
    const settled = tab.locator('.asks').waitFor()
    expect(await handleConsent(tab, { ...options, settled })).toBe('rejected')
  })

  it('rejects a dialog whose button reloads the page', async () => {
    const tab = await open('reload')
    expect(await handleConsent(tab, options)).toBe('rejected')
    await tab.getByText('Thank you for choosing.').waitFor()
  })

  it('hides a dialog that only offers to accept', async () => {
    const tab = await open('accept-only')
    expect(await handleConsent(tab, options)).toBe('hidden')
    expect(await tab.locator('.asks').isVisible()).toBe(false)
    expect(getPressedButtons()).toEqual([])
  })

  it('hides a dialog with its backdrop and unlocks scrolling', async () => {
    const tab = await open('wall')
    expect(await handleConsent(tab, options)).toBe('hidden')
    expect(await tab.locator('.asks').isVisible()).toBe(false)
    expect(await tab.locator('#backdrop').isVisible()).toBe(false)
    expect(await tab.evaluate(() => getComputedStyle(document.documentElement).overflowY)).toBe('visible')
  })

  it('accepts a dialog if the page has no other content', async () => {
    const tab = await open('nothing-behind')
    expect(await handleConsent(tab, options)).toBe('accepted')
    await tab.getByText('The story begins.').waitFor()
  })

  it('accepts a dialog that covers the page and cannot be rejected', async () => {
    const tab = await open('cookiebot-wall')
    expect(await handleConsent(tab, options)).toBe('accepted')
    await expect.poll(getPressedButtons).toEqual(['accept'])
  })

  it('hides a dialog if rejecting it takes too long', async () => {
    const tab = await open('onetrust-maze')
    expect(await handleConsent(tab, { ...options, maxMs: 3000 })).toBe('hidden')
    expect(await tab.locator('#onetrust-banner-sdk').isVisible()).toBe(false)
    expect(getPressedButtons()).toEqual([])
  })

  it.each([
    ['a newsletter', 'newsletter', '.asks'],
    ['an article about cookies', 'article', '#text'],
  ])('changes nothing in %s', async (_, name, part) => {
    const tab = await open(name)
    const before = await tab.content()
    expect(await handleConsent(tab, options)).toBe('none')
    expect(await tab.content()).toBe(before)
    expect(await tab.locator(part).isVisible()).toBe(true)
    expect(getPressedButtons()).toEqual([])
  })

  it('leaves a dialog open if it is not called', async () => {
    const tab = await open('onetrust')
    expect(await tab.locator('#onetrust-banner-sdk').isVisible()).toBe(true)
    expect(getPressedButtons()).toEqual([])
  })

  it('does not throw if the page is closed', async () => {
    const tab = await open('onetrust')
    const answering = handleConsent(tab, options)
    await tab.close()
    expect(['none', 'failed']).toContain(await answering)
  })

  it('ends immediately if the signal is aborted', async () => {
    const tab = await open('onetrust')
    expect(['none', 'failed']).toContain(
      await handleConsent(tab, { ...options, signal: AbortSignal.abort() }),
    )
  })
})
