import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand, startService, temporaryFolder } from '../test/service.ts'
import { page, type Routes, sendHtml } from '../test/site/route.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, median, plain } from './figure.ts'

const key = 'fc-bench-key'
const crowd = 16
const rounds = 7
const words = `<p>${'Words of a page that somebody wants to read. '.repeat(8)}</p>`

const routes: Routes = {
  '/busy': (exchange) => sendHtml(exchange, page('Busy', `${words}<script>for (;;) {}</script>`)),
  '/hanging-script': (exchange) =>
    sendHtml(exchange, page('Hanging', `${words}<script src="/hang"></script>`)),
  '/late': (exchange) =>
    sendHtml(exchange, page('Late', `${words}<script>setTimeout(() => { for (;;) {} }, 1500)</script>`)),
}

/** How one team fills the browser, and with what options. */
const crowds: [name: string, path: string, options: object][] = [
  ['sites that never answer', '/hang', {}],
  ['scripts that never come', '/hanging-script', {}],
  ['waitFor of 30 seconds', '/pages/1', { waitFor: 30_000 }],
  ['waits among actions', '/pages/1', { actions: [{ type: 'wait', milliseconds: 30_000 }] }],
  ['busy scripts', '/busy', {}],
  ['scripts that become busy while they wait', '/late', { waitFor: 30_000 }],
]

/** What a small page in the browser takes for one team while another has filled the browser in the worst ways. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startSite({ routes })
  const environment = {
    ...{ DATA_DIR: folder.path, API_KEY: key, ALLOW_PRIVATE_NETWORK: '127.0.0.1', LOG_LEVEL: 'error' },
    ...{ RATE_PER_MINUTE: '1000000', CHECK_RESPONSES: 'off' },
    CHROMIUM_PATH: process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell',
  }
  const service = await startService(environment)
  const { stdout } = await runCommand(['key', 'create', '--team', 'other'], environment)
  const other = /fc-\w+/.exec(stdout)?.[0] ?? ''
  const scrape = (path: string, options: object, caller: { key: string; signal?: AbortSignal }) =>
    fetch(`${service.url}/v2/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: site.url + path, waitFor: 1, blockAds: false, maxAge: 0, ...options }),
      ...(caller.signal ? { signal: caller.signal } : {}),
    })
  const small = async () => {
    const began = performance.now()
    const answer = await scrape('/pages/1', {}, { key: other })
    if (answer.status !== 200) throw new Error(await answer.text())
    return performance.now() - began
  }
  const several = async () => {
    const times: number[] = []
    for (let round = 0; round < rounds; round += 1) times.push(await small())
    return median(times)
  }
  await several()
  const quiet = await several()
  const figures: Figure[] = [plain('a small page, quiet (median)', quiet, 'ms')]
  for (const [name, path, options] of crowds) {
    const leaving = new AbortController()
    const caller = { key, signal: leaving.signal }
    const visits = Array.from({ length: crowd }, () =>
      scrape(path, { timeout: 100_000, ...options }, caller).catch(() => undefined),
    )
    await sleep(4000)
    const beside = await several()
    leaving.abort()
    await Promise.all(visits)
    await sleep(1500)
    figures.push(atMost(`beside ${crowd} of ${name}`, beside / quiet, 3, 'times'))
  }
  await service.stop()
  await site.stop()
  folder.remove()
  return figures
}
