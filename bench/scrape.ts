import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { startService, temporaryFolder } from '../test/service.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, median, plain } from './figure.ts'

const rounds = 400

/** What a synchronous scrape adds over fetching the same page with undici alone, on loopback. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startSite()
  const key = 'fc-bench-key'
  const service = await startService({
    DATA_DIR: folder.path,
    API_KEY: key,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_PER_MINUTE: '1000000',
    CHECK_RESPONSES: 'off',
  })
  const dispatcher = new Agent()
  const page = `${site.url}/article`
  const alone = () => request(page, { dispatcher }).then(({ body }) => body.text())
  const scrape = (options: object) =>
    request(`${service.url}/v2/scrape`, {
      dispatcher,
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: page, ...options }),
    }).then(async ({ statusCode, body }) => {
      const text = await body.text()
      if (statusCode !== 200) throw new Error(text)
    })
  const times: Record<'alone' | 'fresh' | 'kept' | 'unkept', number[]> = {
    alone: [],
    fresh: [],
    kept: [],
    unkept: [],
  }
  for (let round = -100; round < rounds; round += 1) {
    const measured = {
      alone: await timed(alone),
      fresh: await timed(() => scrape({ maxAge: 0 })),
      unkept: await timed(() => scrape({ maxAge: 0, storeInCache: false })),
      kept: await timed(() => scrape({})),
    }
    if (round < 0) continue
    for (const name of Object.keys(times) as (keyof typeof times)[]) times[name].push(measured[name])
  }
  await dispatcher.close()
  await service.stop()
  await site.stop()
  folder.remove()
  const bytes = readFileSync(new URL('../test/site/pages/article.html', import.meta.url)).length
  return [
    plain(
      `page of ${(bytes / 1024).toFixed(1)} KB fetched with undici alone (median)`,
      median(times.alone),
      'ms',
    ),
    plain('the same page scraped, Markdown, page kept (median)', median(times.fresh), 'ms'),
    atMost('a scrape adds', median(times.fresh) - median(times.alone), 3, 'ms'),
    plain('a scrape without keeping the page adds', median(times.unkept) - median(times.alone), 'ms'),
    plain('a scrape from the cache takes', median(times.kept), 'ms'),
  ]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
