import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { consoleFolder } from '../console.ts'
import { startConsoleBrowser } from '../console-page.ts'
import { common } from '../deployment.ts'
import { startService, temporaryFolder } from '../service.ts'
import { startSite } from '../site/site.ts'
import { changingRoutes, makeWork } from './make-work.ts'

const target = join(import.meta.dirname, '..', '..', 'docs', 'pictures')
const key = common.API_KEY
const looks = (['light', 'dark'] as const).flatMap((theme) => [
  { name: `desktop-${theme}`, theme, width: 1280 },
  { name: `phone-${theme}`, theme, width: 390 },
])

/** Pictures of every page of the console, with work that was really done. */
async function takePictures(): Promise<void> {
  mkdirSync(target, { recursive: true })
  const folder = temporaryFolder()
  const service = await startService({ ...common, DATA_DIR: folder.path, CONSOLE_PATH: consoleFolder })
  const site = await startSite({ routes: changingRoutes })
  const browser = await startConsoleBrowser(service.url)
  try {
    const work = await makeWork({ service: service.url, key, site: site.url })
    for (const look of looks) {
      for (const { name, path, prepare, isOut } of pages(work)) {
        const page = await browser.visit({ ...(isOut ? {} : { key }), theme: look.theme, width: look.width })
        await page.goto(path)
        await prepare?.(page)
        await page.waitForTimeout(1500)
        await page.locator('main .spinner').first().waitFor({ state: 'hidden' })
        await page.screenshot({ path: join(target, `${name}-${look.name}.png`) })
        await page.context().close()
      }
    }
  } finally {
    await browser.stop()
    await site.stop()
    await service.stop()
    folder.remove()
  }
}

interface Picture {
  name: string
  path: string
  /** Seen without a key. */
  isOut?: boolean
  prepare?(page: Page): Promise<void>
}

function pages({ crawlId, scrapeId, url }: Awaited<ReturnType<typeof makeWork>>): Picture[] {
  const request = encodeURIComponent(JSON.stringify({ url, formats: ['markdown', 'links'] }))
  const schema = { type: 'object', properties: { title: { type: 'string' } } }
  const extract = encodeURIComponent(JSON.stringify({ urls: [url], schema, showSources: true }))
  return [
    { name: 'login', path: '/console/', isOut: true },
    {
      name: 'extract',
      path: `/console/playground/extract?request=${extract}`,
      prepare: async (page) => {
        await page.getByRole('button', { name: 'Run', exact: true }).click()
        await page.waitForTimeout(4000)
      },
    },
    {
      name: 'playground',
      path: `/console/playground/scrape?request=${request}`,
      prepare: async (page) => {
        await page
          .getByRole('button', { name: /^(Run|Scrape)/ })
          .first()
          .click()
        await page.waitForTimeout(3000)
      },
    },
    { name: 'work', path: '/console/work' },
    { name: 'crawl', path: `/console/work/crawl/${crawlId}` },
    { name: 'activity', path: '/console/activity' },
    { name: 'job', path: `/console/activity/${scrapeId}` },
    { name: 'browsers', path: '/console/browsers' },
    {
      name: 'watch',
      path: '/console/watch',
      prepare: (page) => page.getByRole('button', { name: /news/ }).click(),
    },
    { name: 'deliveries', path: '/console/watch?show=deliveries' },
    { name: 'run', path: '/console/run' },
  ]
}

await takePictures()
