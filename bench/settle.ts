import { chromium } from 'playwright-core'
import { Agent, request } from 'undici'
import { startService, temporaryFolder } from '../test/service.ts'
import { sendHtml } from '../test/site/route.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, figure, median } from './figure.ts'

const rounds = 15
const key = 'fc-bench-key'
const chromiumPath = process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell'
/** Duration of the request that the script of the page awaits. */
const fetchMs = 300

/**
 * Measures the time until a page counts as loaded. A page whose script fetches its text is scraped without options,
 * against a bare browser loop that knows the awaited selector.
 */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startSite({
    routes: {
      '/fetches': (exchange) => sendHtml(exchange, fetchingPage),
      '/still': (exchange) => sendHtml(exchange, staticPage),
    },
  })
  const service = await startService({
    DATA_DIR: folder.path,
    API_KEY: key,
    CHROMIUM_PATH: chromiumPath,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_PER_MINUTE: '1000000',
    CHECK_RESPONSES: 'off',
  })
  const browser = await chromium.launch({ executablePath: chromiumPath, chromiumSandbox: false })
  const dispatcher = new Agent()
  const scrape = async (path: string, options: object = {}) => {
    const { statusCode, body } = await request(`${service.url}/v2/scrape`, {
      dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: site.url + path, maxAge: 0, storeInCache: false, ...options }),
    })
    const text = await body.text()
    if (statusCode !== 200 || !text.includes(sentence)) throw new Error(text)
  }
  const bare = async (path: string, selector: string) => {
    const context = await browser.newContext()
    const tab = await context.newPage()
    await tab.goto(site.url + path, { waitUntil: 'commit' })
    await tab.waitForSelector(selector)
    await tab.content()
    await context.close()
  }
  const tasks = {
    bareFetching: () => bare('/fetches', '#done'),
    fetching: () => scrape('/fetches'),
    fetchingUnblocked: () => scrape('/fetches', { blockAds: false }),
    bareStatic: () => bare('/still', '#done'),
    renderedStatic: () => scrape('/still', { waitFor: 1 }),
  }
  const times = await measureAlternately(tasks)
  await Promise.all([dispatcher.close(), browser.close(), service.stop(), site.stop()])
  folder.remove()
  return [
    figure(`bare loop: a page that fetches for ${fetchMs} ms (median)`, times.bareFetching, 'ms'),
    figure('the same page scraped, Markdown (median)', times.fetching, 'ms'),
    atMost('times the bare loop', times.fetching / times.bareFetching, 1.5, 'times'),
    figure('with ads and dialogs left alone', times.fetchingUnblocked / times.bareFetching, 'times'),
    figure('bare loop: a page with a script and nothing to wait for', times.bareStatic, 'ms'),
    figure('the same page scraped in the browser (median)', times.renderedStatic, 'ms'),
    atMost('more than the bare loop', times.renderedStatic - times.bareStatic, 200, 'ms'),
  ]
}

/** Runs the functions alternately, so that other load on the machine affects all. Returns their median times. */
async function measureAlternately<Name extends string>(
  tasks: Record<Name, () => Promise<void>>,
): Promise<Record<Name, number>> {
  const names = Object.keys(tasks) as Name[]
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  for (let round = -3; round < rounds; round += 1) {
    for (const name of names) {
      const startedAt = performance.now()
      await tasks[name]()
      if (round >= 0) times[name].push(performance.now() - startedAt)
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])])) as Record<Name, number>
}

const sentence = 'The harbour opens when the tide allows it.'
const text = `${sentence} `.repeat(20)

const fetchingPage = `<!doctype html><title>Fetches</title><div id="root"></div><script>
fetch('/app/data?ms=${fetchMs}').then((answer) => answer.json()).then(() => {
  document.getElementById('root').innerHTML = '<main id="done"><h1>Done</h1><p>${text}</p></main>'
})
</script>`

const staticPage = `<!doctype html><title>Still</title><main id="done"><h1>Done</h1><p>${text}</p></main>
<script>document.title = 'Still here'</script>`
