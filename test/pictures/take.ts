import { join } from 'node:path'
import { consoleFolder } from '../console.ts'
import { startConsoleBrowser } from '../console-page.ts'
import { common } from '../deployment.ts'
import { startService, temporaryFolder } from '../service.ts'
import { startSite } from '../site/site.ts'

const target = join(import.meta.dirname, '..', '..', 'docs', 'pictures')
const key = common.API_KEY

/** Takes the screenshots of the console for README.md. */
async function takePictures(): Promise<void> {
  const folder = temporaryFolder()
  const service = await startService({ ...common, DATA_DIR: folder.path, CONSOLE_PATH: consoleFolder })
  const site = await startSite()
  const browser = await startConsoleBrowser(service.url)
  try {
    const url = `${site.url}/pages/1`
    const request = encodeURIComponent(JSON.stringify({ url, formats: ['markdown', 'links'] }))
    const page = await browser.visit({ key, theme: 'light', width: 1280 })
    const take = async (name: string) => {
      await page.waitForTimeout(3000)
      await page.locator('main .spinner').first().waitFor({ state: 'hidden' })
      await page.screenshot({ path: join(target, `${name}-desktop-light.png`) })
    }
    await page.goto(`/console/playground/scrape?request=${request}`)
    await page
      .getByRole('button', { name: /^(Run|Scrape)/ })
      .first()
      .click()
    await take('playground')
    await page.goto(`/console/activity/${await scrape(service.url, url)}`)
    await take('job')
  } finally {
    await browser.stop()
    await site.stop()
    await service.stop()
    folder.remove()
  }
}

/** Scrapes a page and returns the id of the job. */
async function scrape(service: string, url: string): Promise<string> {
  const response = await fetch(`${service}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, formats: ['markdown', 'links', 'screenshot', 'changeTracking'] }),
  })
  const body = (await response.json()) as { data: { metadata: { scrapeId: string } } }
  return body.data.metadata.scrapeId
}

await takePictures()
