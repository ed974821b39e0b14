import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import { processTree } from '../src/platform/child/processes.ts'
import { startService, temporaryFolder } from '../test/service.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, figure } from './figure.ts'
import { residentMegabytes } from './start.ts'

const pages = 1000
const key = 'fc-bench-key'

/** Measures whether memory is released and browser processes end after 1,000 browser pages. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startSite()
  const service = await startService({
    DATA_DIR: folder.path,
    API_KEY: key,
    CHROMIUM_PATH: process.env.CHROMIUM_PATH ?? '/usr/lib/chromium/chromium-headless-shell',
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_PER_MINUTE: '1000000',
    CHECK_RESPONSES: 'off',
  })
  const pid = service.process.pid ?? 0
  const dispatcher = new Agent()
  const scrape = async (index: number) => {
    const { body, statusCode } = await request(`${service.url}/v2/scrape`, {
      dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        url: `${site.url}/pages/${index + 1}`,
        maxAge: 0,
        storeInCache: false,
        waitFor: 1,
      }),
    })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(text)
  }
  // The first pages load the driver and the ad lists, which stay in memory.
  await runConcurrently(50, scrape)
  await sleep(3000)
  const before = { memory: residentMegabytes(pid), processes: descendants(pid) }
  const startedAt = performance.now()
  await runConcurrently(pages, scrape)
  const seconds = (performance.now() - startedAt) / 1000
  await sleep(3000)
  const after = { memory: residentMegabytes(pid), processes: descendants(pid) }
  await sleep(62_000)
  const idle = descendants(pid)
  await dispatcher.close()
  await service.stop()
  await site.stop()
  folder.remove()
  return [
    figure('browser pages', pages / seconds, 'per s'),
    figure('memory of the service before', before.memory, 'MB'),
    atMost('memory of the service after, against before', (after.memory / before.memory) * 100, 115, '%'),
    atMost('processes after, against before', (after.processes / before.processes) * 100, 115, '%'),
    atMost('browser processes after a minute of rest', idle, 0, ''),
  ]
}

async function runConcurrently(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0
  const loop = async () => {
    while (next < count) {
      next += 1
      await work(next)
    }
  }
  await Promise.all(Array.from({ length: 4 }, loop))
}

const descendants = (pid: number) => processTree(pid).length - 1
