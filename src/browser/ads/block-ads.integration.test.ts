import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { adRoutes } from '../../../test/site/routes/ads.ts'
import { type Site, startSite } from '../../../test/site/site.ts'
import { silentLog } from '../../platform/log.ts'
import { type AdBlocker, createAdBlocker } from './block-ads.ts'

const path =
  process.env.CHROMIUM_PATH ??
  ['/usr/lib/chromium/chromium-headless-shell', '/usr/lib/chromium/chromium'].find((found) =>
    existsSync(found),
  )

const foreignHosts = 'MAP *.example 127.0.0.1, MAP *.doubleclick.net 127.0.0.1'

describe.skipIf(path === undefined)('createAdBlocker', () => {
  let browser: Browser
  let site: Site
  let context: BrowserContext
  let seedOnly: AdBlocker
  beforeAll(async () => {
    const args = [`--host-resolver-rules=${foreignHosts}`]
    const chromiumSandbox = process.getuid?.() !== 0
    browser = await chromium.launch({ executablePath: path ?? '', args, chromiumSandbox })
    seedOnly = await createAdBlocker({ listFolders: [], cacheFile: undefined, log: silentLog })
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

  const open = async (url: string) => {
    const tab = await context.newPage()
    await tab.goto(url, { waitUntil: 'load' })
    return tab
  }

  it('blocks ad requests and allows others', async () => {
    await seedOnly.attach(context)
    const tab = await open(`${site.url}/ads/page`)
    expect(site.hits('/pagead/js/adsbygoogle.js')).toBe(0)
    expect(site.hits('/pagead/js/frame')).toBe(0)
    expect(await tab.locator('html').getAttribute('data-app')).toBe('ran')
  })

  it('hides ad elements by style and by attribute', async () => {
    await seedOnly.attach(context)
    const tab = await open(`${site.url}/ads/page`)
    await tab.locator('#place').waitFor({ state: 'hidden' })
    expect(await tab.locator('#place').getAttribute('hidden')).toBe('blocked')
    expect(await tab.locator('article').isVisible()).toBe(true)
  })

  it('hides ad elements that are added later', async () => {
    await seedOnly.attach(context)
    const tab = await open(`${site.url}/ads/late`)
    await tab.locator('#place[hidden]').waitFor({ state: 'attached' })
    expect(await tab.locator('#place').isVisible()).toBe(false)
  })

  it('changes nothing in a context without attach()', async () => {
    const tab = await open(`${site.url}/ads/page`)
    expect(site.hits('/pagead/js/adsbygoogle.js')).toBe(1)
    expect(site.hits('/pagead/js/frame')).toBe(1)
    expect(await tab.locator('#place').isVisible()).toBe(true)
  })

  it('never blocks the requested page', async () => {
    await seedOnly.attach(context)
    const tab = await open(site.host('ad.doubleclick.net'))
    expect(await tab.title()).toBe('Test site')
  })

  it('shows an empty frame instead of a blocked one', async () => {
    await seedOnly.attach(context)
    const tab = await open(`${site.url}/ads/page`)
    expect(await tab.frameLocator('#frame').locator('body').innerHTML()).toBe('')
  })

  it('works with other request handlers', async () => {
    await context.route('**/app.js', (route) => route.fallback({ headers: { 'x-added': 'yes' } }))
    await seedOnly.attach(context)
    await open(`${site.url}/ads/page`)
    const request = site.requests.find(({ path }) => path === '/ads/app.js')
    expect(request?.headers['x-added']).toBe('yes')
  })

  it('applies a third-party rule to other sites only', async () => {
    await seedOnly.attach(context)
    await (await open(site.host('ad.doubleclick.net'))).evaluate(() => fetch('/own').catch(() => undefined))
    await (await open(site.url)).evaluate(
      (url) => fetch(`${url}/foreign`, { mode: 'no-cors' }).catch(() => undefined),
      site.host('ad.doubleclick.net'),
    )
    expect([site.hits('/own'), site.hits('/foreign')]).toEqual([1, 0])
  })

  it('blocks by the lists of a folder after they are loaded', async () => {
    const folder = await listFolder('/ads/app.js')
    const loaded = Promise.withResolvers<void>()
    const log = { ...silentLog, info: () => loaded.resolve() }
    const blocker = await createAdBlocker({ listFolders: [folder], cacheFile: undefined, log })
    const { warning } = await blocker.attach(context)
    await loaded.promise
    await open(`${site.url}/ads/page`)
    expect(site.hits('/ads/app.js')).toBe(0)
    expect(warning()).toBeUndefined()
  })
})

async function listFolder(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'winnow-lists-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'list.txt'), text)
  return folder
}
