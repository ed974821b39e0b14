import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callAt, type OwnService, startOwnService } from '../api.ts'
import { childrenOf } from '../child-processes.ts'
import { sentenceModelFolder } from '../sentence-model.ts'
import { until } from '../servers/until.ts'
import { sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { attackClass, isFull } from './attack.ts'

/**
 * The sentence model runs native code for searches and highlights. Its failures must not end or block the service.
 */
const texts = [
  'The harbour falls dry every afternoon, and boats lie on the sand until the sea comes back six hours later.',
  'Ferries cannot leave while the water is low. Passengers wait at the quay until the channel is deep enough again.',
  'Fishermen walk over the mud to collect mussels when the ocean has withdrawn from the shore.',
  'High water and low water alternate twice a day because the moon pulls at the seas.',
  'The pilot looks up the depth of the estuary before the ship enters, since the level sinks by four metres.',
  'Birds feed on the flats that the retreating sea uncovers; they fly away when the water rises.',
]
const pageOf = (text: string) =>
  `<!doctype html><html lang="en"><title>${text.split(' ').slice(0, 3).join(' ')}</title><main><p>${text}</p></main>`
const sentences = Array.from(
  { length: 200 },
  (_, index) =>
    `The ${index}th keeper of the lighthouse wrote about wind, ships and the price of oil in year ${index + 1600}.`,
)
const longPage = `<!doctype html><html lang="en"><title>Log</title><main><h1>Log</h1><p>${sentences.join('</p><p>')}</p></main>`

type Exchange = Parameters<typeof sendHtml>[0]

let site: Site
let own: OwnService
let modestKey: string

beforeAll(async () => {
  if (sentenceModelFolder === undefined) return
  const pages = texts.map((text, number) => [`/p/${number}`, pageOf(text)] as const)
  const routes = [...pages, ['/log', longPage] as const].map(
    ([path, html]) => [path, (exchange: Exchange) => sendHtml(exchange, html)] as const,
  )
  site = await startSite({ routes: Object.fromEntries(routes) })
  own = await startOwnService({
    ...{ SEARCH_SENTENCE_MODEL: sentenceModelFolder, TEAM_CONCURRENCY: '64', RATE_PER_MINUTE: '1000000' },
    CHECK_RESPONSES: 'off',
  })
  modestKey = await own.newTeam()
  for (const key of [own.key, modestKey])
    for (const page of texts.keys())
      await callAt(own.url, 'POST', '/v2/scrape', { key, body: { url: `${site.url}/p/${page}` } })
  // Most of the pages match the query only by meaning, not by words.
  for (const key of [own.key, modestKey])
    await until('pages found by their meaning', 50_000, async () => {
      // The service computes vectors of pages between searches.
      await sleep(500)
      return (await countFound(own.url, key)) > 1 || undefined
    })
}, 120_000)

afterAll(async () => {
  if (sentenceModelFolder === undefined) return
  await own.remove()
  await site.stop()
})

const search = (url: string, key: string, { query, signal }: { query: string; signal?: AbortSignal }) =>
  fetch(`${url}/v2/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query, sources: ['web', 'news', 'images'] }),
    ...(signal ? { signal } : {}),
  })

async function countFound(url: string, key: string): Promise<number> {
  const { data } = (await (await search(url, key, { query: 'tides of the sea' })).json()) as {
    data: { web: unknown[] }
  }
  return data.web.length
}

/** Requests highlights. `isServed` is true if the model ranked the sentences; without the model, words rank them. */
const highlights = async (url: string, key: string, signal?: AbortSignal) => {
  const response = await fetch(`${url}/v2/scrape`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ url: `${site.url}/log`, fastMode: true },
      formats: [{ type: 'highlights', query: 'What did fuel cost the keeper?' }],
    }),
    ...(signal ? { signal } : {}),
  })
  const text = await response.text()
  return { status: response.status, isServed: text.includes('similar meaning') }
}

const modelPids = (service: { process: { pid?: number | undefined } }) =>
  childrenOf(service.process.pid ?? 0, 'serve-model')

const hasLibrary = (pid: number | undefined) =>
  existsSync(`/proc/${pid}/maps`) && readFileSync(`/proc/${pid}/maps`, 'utf8').includes('onnxruntime')

describe.skipIf(sentenceModelFolder === undefined && !isFull)('the sentence model', () => {
  attackClass({
    name: 'sentence model: searches with three sources that are disconnected',
    vectors: Array.from({ length: 35 }, (_, index) => 6 + index),
    short: 5,
    run: async (delay) => {
      const abort = new AbortController()
      const searches = Array.from({ length: 4 }, (_, index) =>
        search(own.url, own.key, { query: `ebb ${delay} ${index}`, signal: abort.signal }).catch(
          () => undefined,
        ),
      )
      await sleep(delay)
      abort.abort()
      await Promise.all(searches)
      const { status } = await own.call('GET', '/health/live')
      return status === 200 ? undefined : `health is answered ${status}`
    },
  })

  it('loads its library only in its own process', async () => {
    expect(await countFound(own.url, own.key)).toBeGreaterThan(1)
    const pids = modelPids(own)
    expect(pids).toHaveLength(1)
    expect(hasLibrary(pids[0])).toBe(true)
    expect(hasLibrary(own.process.pid)).toBe(false)
  })

  it('is not ended by the timers of searches whose callers disconnected', { timeout: 180_000 }, async () => {
    // An orphaned timer would fire after a minute, during the inference for other callers.
    const until = performance.now() + (isFull ? 75_000 : 1000)
    while (performance.now() < until) {
      const [{ status }] = await Promise.all([highlights(own.url, own.key), countFound(own.url, modestKey)])
      expect(status).toBe(200)
    }
    expect(own.process.exitCode).toBe(null)
  })

  // The model process ends after one idle minute.
  it.runIf(isFull)('ends while idle, and the service continues', { timeout: 180_000 }, async () => {
    await expect.poll(() => modelPids(own), { timeout: 120_000, interval: 1000 }).toEqual([])
    expect(own.process.exitCode).toBe(null)
    expect(await countFound(own.url, own.key)).toBeGreaterThan(1)
  })

  attackClass({
    name: 'sentence model: killed during a search',
    vectors: [0, 2, 5, 10, 20, 40, 80],
    short: 3,
    run: async (delay) => {
      if ((await countFound(own.url, own.key)) < 2) return 'the search before found nothing'
      const calls = Promise.all([countFound(own.url, own.key), highlights(own.url, own.key)])
      await sleep(delay)
      for (const pid of modelPids(own)) process.kill(pid, 'SIGKILL')
      const [during, { status }] = await calls
      if (during < 2 || status !== 200) return `the search found ${during}, the scrape was answered ${status}`
      const after = await countFound(own.url, own.key)
      return after > 1 ? undefined : `the next search found ${after}`
    },
  })

  attackClass({
    name: 'fairness: sentence model full of the highlights of one team',
    vectors: [30, 60],
    short: 1,
    run: (count) => competeForService(count, (key, signal) => highlights(own.url, key, signal)),
  })

  attackClass({
    name: 'fairness: search full of the searches of one team',
    vectors: [100, 300],
    short: 1,
    run: (count) => {
      let number = 0
      const searchOnce = async (key: string, signal: AbortSignal) => {
        number += 1
        const response = await search(own.url, key, { query: `water sea ebb ${number}`, signal })
        await response.arrayBuffer()
        return { status: response.status, isServed: response.status === 200 }
      }
      return competeForService(count, searchOnce)
    },
  })
})

/** Starts many calls of one team, then one call of another team. The latter must return before most of the former. */
async function competeForService(
  count: number,
  send: (key: string, signal: AbortSignal) => Promise<{ status: number; isServed: boolean }>,
): Promise<string | undefined> {
  const abort = new AbortController()
  let ended = 0
  let served = 0
  const calls = Array.from({ length: count }, async () => {
    const { isServed } = await send(own.key, abort.signal).catch(() => ({ isServed: false }))
    ended += 1
    if (isServed) served += 1
  })
  await expect.poll(() => ended, { timeout: 60_000, interval: 5 }).toBeGreaterThan(0)
  const before = served
  const { status } = await send(modestKey, AbortSignal.timeout(60_000))
  const between = served - before
  abort.abort()
  await Promise.all(calls)
  if (status !== 200) return `the other team was answered ${status}`
  return between < count / 2
    ? undefined
    : `${between} of ${count} calls of one team were served before one of the other`
}
