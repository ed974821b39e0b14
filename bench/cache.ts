import { fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Agent, request } from 'undici'
import { startService, temporaryFolder } from '../test/service.ts'
import { startSite } from '../test/site/site.ts'
import { atMost, type Figure, figure, median } from './figure.ts'

const rounds = 1000
// Rounds until V8 has compiled the code of both servers, as in a service that has run for a day.
const warmUpRounds = 1000
const key = 'fc-bench-key'

/** Measures a cache hit against a bare JSON route that reads the same bytes from disk. */
export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  const site = await startSite()
  const service = await startService({
    DATA_DIR: join(folder.path, 'data'),
    API_KEY: key,
    ALLOW_PRIVATE_NETWORK: '127.0.0.1',
    RATE_PER_MINUTE: '1000000',
    CHECK_RESPONSES: 'off',
  })
  const dispatcher = new Agent()
  const read = async (url: string, options: object) => {
    const { body, statusCode } = await request(url, { dispatcher, ...options })
    const text = await body.text()
    if (statusCode !== 200) throw new Error(text)
    return text
  }
  const scrape = () =>
    read(`${service.url}/v2/scrape`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: `${site.url}/article`, formats: ['rawHtml'] }),
    })
  const file = join(folder.path, 'answer.json')
  await writeFile(file, await scrape())
  const bareServer = fork(fileURLToPath(new URL('./cache-server.ts', import.meta.url)), [file])
  const [port] = await once(bareServer, 'message')
  const bareRoute = () =>
    read(`http://127.0.0.1:${port}/answer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  const times: Record<'bare' | 'hit', number[]> = { bare: [], hit: [] }
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const measured = { bare: await timed(bareRoute), hit: await timed(scrape) }
    if (round < 0) continue
    times.bare.push(measured.bare)
    times.hit.push(measured.hit)
  }
  bareServer.kill()
  await dispatcher.close()
  await service.stop()
  await site.stop()
  folder.remove()
  return [
    figure('bare JSON route that reads the bytes from disk (median)', median(times.bare), 'ms'),
    figure('cache hit (median)', median(times.hit), 'ms'),
    atMost('cache hit against the bare route', median(times.hit) / median(times.bare), 3, 'times'),
  ]
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}
