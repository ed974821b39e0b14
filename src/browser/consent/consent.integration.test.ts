import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { namesFromOutside } from '../../../test/names-from-outside.ts'
import { adRoutes } from '../../../test/site/routes/ads.ts'
import { type Site, startSite } from '../../../test/site/site.ts'
import { bannerScripts } from './banner.ts'
import { handleConsent } from './consent.ts'

const path =
  process.env.CHROMIUM_PATH ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium'].find((found) =>
    existsSync(found),
  )

it.each(Object.entries(bannerScripts()))('asks for %s with nothing from outside', (_, { source }) => {
  expect(namesFromOutside(source)).toEqual([])
})

describe.skipIf(path === undefined)('cookie dialogs', () => {
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

  const patient = { signal: AbortSignal.timeout(60_000), maxMs: 20_000 }
  const open = async (name: string) => {
    const tab = await context.newPage()
    await tab.goto(`${site.url}/consent/${name}`, { waitUntil: 'domcontentloaded' })
    return tab
  }
  const pressed = () =>
    site.requests
      .map((request) => request.path.match(/pressed\/(.*)/)?.[1])
      .filter((name) => name !== undefined)

  it.each([
    ['of OneTrust', 'onetrust'],
    ['of Cookiebot', 'cookiebot'],
    ['in a frame of Sourcepoint', 'frame'],
    ['that no rule knows', 'unknown'],
    ['inside a component', 'shadow'],
  ])('are rejected: one %s', async (_, name) => {
    const tab = await open(name)
    expect(await handleConsent(tab, patient)).toBe('rejected')
    expect(await tab.locator('.asks').isVisible()).toBe(false)
    await expect.poll(pressed).toEqual(['reject'])
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
  ])('are understood in %s', async (_, text, accept, reject) => {
    const tab = await open(`banner?${new URLSearchParams({ text, accept, reject })}`)
    expect(await handleConsent(tab, patient)).toBe('rejected')
    await expect.poll(pressed).toEqual(['reject'])
  })

  it('are waited for until the page has settled', async () => {
    const tab = await open('late')
    const settled = tab.locator('.asks').waitFor()
    expect(await handleConsent(tab, { ...patient, settled })).toBe('rejected')
  })

  it('are rejected where the answer begins the page anew', async () => {
    const tab = await open('reload')
    expect(await handleConsent(tab, patient)).toBe('rejected')
    await tab.getByText('Thank you for choosing.').waitFor()
  })

  it('are hidden, not accepted, when they offer no choice', async () => {
    const tab = await open('accept-only')
    expect(await handleConsent(tab, patient)).toBe('hidden')
    expect(await tab.locator('.asks').isVisible()).toBe(false)
    expect(pressed()).toEqual([])
  })

  it('are hidden with their backdrop, and the page scrolls again', async () => {
    const tab = await open('wall')
    expect(await handleConsent(tab, patient)).toBe('hidden')
    expect(await tab.locator('.asks').isVisible()).toBe(false)
    expect(await tab.locator('#backdrop').isVisible()).toBe(false)
    expect(await tab.evaluate(() => getComputedStyle(document.documentElement).overflowY)).toBe('visible')
  })

  it('are accepted only when there is nothing behind them', async () => {
    const tab = await open('nothing-behind')
    expect(await handleConsent(tab, patient)).toBe('accepted')
    await tab.getByText('The story begins.').waitFor()
  })

  it('are accepted when they cover the page and nothing can reject them', async () => {
    const tab = await open('cookiebot-wall')
    expect(await handleConsent(tab, patient)).toBe('accepted')
    await expect.poll(pressed).toEqual(['accept'])
  })

  it('are hidden when rejecting them takes too long', async () => {
    const tab = await open('onetrust-maze')
    expect(await handleConsent(tab, { ...patient, maxMs: 3000 })).toBe('hidden')
    expect(await tab.locator('#onetrust-banner-sdk').isVisible()).toBe(false)
    expect(pressed()).toEqual([])
  })

  it.each([
    ['a newsletter', 'newsletter', '.asks'],
    ['an article about cookies', 'article', '#text'],
  ])('are not seen in %s', async (_, name, part) => {
    const tab = await open(name)
    const before = await tab.content()
    expect(await handleConsent(tab, patient)).toBe('none')
    expect(await tab.content()).toBe(before)
    expect(await tab.locator(part).isVisible()).toBe(true)
    expect(pressed()).toEqual([])
  })

  it('are left alone when nobody asks for an answer', async () => {
    const tab = await open('onetrust')
    expect(await tab.locator('#onetrust-banner-sdk').isVisible()).toBe(true)
    expect(pressed()).toEqual([])
  })

  it('are no reason to throw when the page goes away', async () => {
    const tab = await open('onetrust')
    const answering = handleConsent(tab, patient)
    await tab.close()
    expect(['none', 'failed']).toContain(await answering)
  })

  it('are given up at once when the caller stops', async () => {
    const tab = await open('onetrust')
    expect(['none', 'failed']).toContain(
      await handleConsent(tab, { ...patient, signal: AbortSignal.abort() }),
    )
  })
})
