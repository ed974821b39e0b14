import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgress } from '../../src/fetch/network/egress/egress.ts'
import { defaultEgressLimits } from '../../src/fetch/network/egress/sockets.ts'
import { createGuard } from '../../src/fetch/network/guard.ts'
import { readAddressRule } from '../../src/platform/address-rule.ts'
import { silentLog } from '../../src/platform/log.ts'
import { callAt, type Json, type OwnService, startOwnService } from '../api.ts'
import { docx } from '../documents/office.ts'
import { pdf } from '../documents/pdf.ts'
import { connectThrough } from '../servers/proxy-client.ts'
import { kept, rawSite, stopResources } from '../servers/proxy-scene.ts'
import { runCommand } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'
import { addTableRow, attackClass, isFull } from './attack.ts'

/**
 * One team takes as much as it can of the shared resources. The other team needs little and must be served meanwhile.
 */
let site: Site
let trapServer: Server
let own: OwnService
let modestKey: string
const abort = new AbortController()

beforeAll(async () => {
  site = await startSite()
  trapServer = createServer(answerTrap).listen(0, '127.0.0.1')
  await once(trapServer, 'listening')
  own = await startOwnService({ TEAM_CONCURRENCY: '64', RATE_PER_MINUTE: '1000000', CHECK_RESPONSES: 'off' })
  const { stdout } = await runCommand(['key', 'create', '--team', 'modest'], own.environment)
  modestKey = /fc-\w+/.exec(stdout)?.[0] ?? ''
})
afterAll(async () => {
  abort.abort()
  await own.remove()
  trapServer.closeAllConnections()
  trapServer.close()
  await site.stop()
  await stopResources()
})

const greedy = (method: string, path: string, body?: object) => own.call(method, path, { body })
const modest = (method: string, path: string, body?: object) =>
  callAt(own.url, method, path, { key: modestKey, body })

let pageCount = 0
let silentCalls = 0
/**
 * Links every page to pages that no other page links to. Requests for robots.txt or for a path under /silent get no
 * response.
 */
const answerTrap: Parameters<typeof createServer>[1] = (request, response) => {
  if (request.url === '/robots.txt') silentCalls += 1
  if (request.url?.startsWith('/silent') || request.url === '/robots.txt') return
  const links = Array.from({ length: 1000 }, () => `<a href="/trap/${pageCount++}">On</a>`)
  response.setHeader('content-type', 'text/html')
  response.end(
    `<title>Trap</title><p>${'Words that are there to be read. '.repeat(20)}</p>${links.join('\n')}`,
  )
}
const trapUrl = () => `http://127.0.0.1:${(trapServer.address() as AddressInfo).port}`

/** Waits until this many jobs of the greedy team are running. */
async function waitForRunning(count: number): Promise<void> {
  const running = async () => (await greedy('GET', '/v2/concurrency-check')).body.concurrency as number
  await expect.poll(running, { timeout: 60_000, interval: 100 }).toBeGreaterThanOrEqual(count)
}

/**
 * Waits until the greedy team fills the capacity for background jobs: `count`, or as many as this machine can run.
 * Foreground calls reduce that capacity, and every poll is a call, so polls are rare.
 */
async function waitForFull(count: number): Promise<void> {
  for (let before = 0; ; ) {
    await sleep(2000)
    const running = (await greedy('GET', '/v2/concurrency-check')).body.concurrency as number
    if (running >= count || (running > 0 && running <= before)) return
    before = running
  }
}

/** Watches work that must not end before the other team was served. Returns a function that reports a violation. */
function watchForEnd(work: Promise<unknown>[]) {
  let ended = 0
  for (const job of work) {
    job
      .catch(() => undefined)
      .finally(() => {
        ended += 1
      })
  }
  return () =>
    ended === 0 ? undefined : `${ended} of ${work.length} had ended before the other team was served`
}

async function parse(key: string, file: Buffer, options: object, signal?: AbortSignal): Promise<number> {
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(file)]), 'file')
  form.append('options', JSON.stringify(options))
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${own.url}/v2/parse`, {
    method: 'POST',
    headers,
    body: form,
    ...(signal ? { signal } : {}),
  })
  await response.arrayBuffer()
  return response.status
}

describe('resources shared by all teams', () => {
  attackClass({
    name: 'fairness: converters full of files that take minutes',
    vectors: [8, 30],
    short: 1,
    run: async (count) => {
      const lines = Array.from({ length: 60 }, (_, line) => ({ text: 'A line of words', y: 50 + line * 12 }))
      const slow = pdf(Array.from({ length: 2000 }, () => ({ lines })))
      const abort = new AbortController()
      const early = watchForEnd(
        Array.from({ length: count }, () => parse(own.key, slow, { timeout: 300_000 }, abort.signal)),
      )
      await waitForRunning(count)
      const status = await parse(modestKey, docx(), { timeout: 60_000 })
      const harm = status === 200 ? early() : `the other team was answered ${status}`
      abort.abort()
      return harm
    },
  })

  attackClass({
    name: 'fairness: room for background pages full of pages that never come',
    vectors: [100, 300],
    short: 1,
    run: async (count) => {
      const urls = Array.from({ length: count }, (_, index) => `${trapUrl()}/silent/${index}`)
      const { id } = (await greedy('POST', '/v2/batch/scrape', { urls, timeout: 300_000, maxAge: 0 })).body
      await waitForFull(60)
      const pages = [1, 2, 3].map((page) => `${site.url}/pages/${page}`)
      const started = (await modest('POST', '/v2/batch/scrape', { urls: pages })).body
      const batch = await ended(`/v2/batch/scrape/${started.id}`)
      const { completed } = (await greedy('GET', `/v2/batch/scrape/${id}`)).body
      await greedy('DELETE', `/v2/batch/scrape/${id}`)
      if (completed > 0) return `${completed} of the pages that never come had come`
      return batch.completed === 3 ? undefined : `the batch of the other team: ${JSON.stringify(batch)}`
    },
  })

  attackClass({
    name: 'fairness: crawls whose robots.txt never comes',
    vectors: [100, 300],
    short: 1,
    run: async (count) => {
      const ids = await Promise.all(
        Array.from({ length: count }, async (_, index) => {
          const crawl = { url: `${trapUrl()}/silent/${index}`, limit: 1 }
          return (await greedy('POST', '/v2/crawl', crawl)).body.id
        }),
      )
      await expect.poll(() => silentCalls, { timeout: 60_000 }).toBeGreaterThan(10)
      const started = (await modest('POST', '/v2/crawl', { url: `${site.url}/tree`, limit: 3 })).body
      const crawl = await ended(`/v2/crawl/${started.id}`)
      await Promise.all(ids.map((id) => greedy('DELETE', `/v2/crawl/${id}`)))
      return crawl.completed === 3 ? undefined : `the crawl of the other team: ${JSON.stringify(crawl)}`
    },
  })

  attackClass({
    name: 'fairness: webhooks to receivers that never answer',
    vectors: [200, 2000],
    short: 1,
    run: async (count) => {
      const silent = await Promise.all(
        Array.from({ length: 6 }, () => rawSite((socket) => void socket.resume())),
      )
      const fire = async (call: typeof greedy, url: string) =>
        (await call('POST', '/v2/webhooks/test', { webhook: { url } })).body.webhookId as string
      for (let index = 0; index < count; index += 10) {
        const { port } = silent[(index / 10) % silent.length] ?? { port: 0 }
        await Promise.all(Array.from({ length: 10 }, () => fire(greedy, `http://127.0.0.1:${port}/`)))
      }
      const id = await fire(modest, `${site.url}/pages/1`)
      const listed = async (call: typeof greedy) =>
        (await call('GET', '/v2/webhooks/deliveries')).body.data as Json[]
      const attempts = async () =>
        (await listed(modest)).find((delivery) => delivery.webhookId === id)?.attempts.length ?? 0
      await expect.poll(attempts).toBeGreaterThan(0)
      // If the delivery had waited for those of the other team, each of those would have an attempt.
      const [last] = await listed(greedy)
      return last?.attempts.length === 0 ? undefined : 'the other team was served after all of the first'
    },
  })

  attackClass({
    name: 'fairness: sockets of the browsers all taken by one team',
    vectors: [defaultEgressLimits.sockets],
    run: async (sockets) => {
      const rule = readAddressRule('127.0.0.1')
      const egress = createEgress({ guard: createGuard(rule ? [rule] : []), log: silentLog })
      kept({ stop: egress.close })
      const { port } = await rawSite((socket) => void socket.resume())
      const [a, b] = await Promise.all(['a', 'b'].map((team) => egress.exit({ team, upstream: undefined })))
      for (let open = 0; open < sockets / 2; open += 50) {
        await Promise.all(Array.from({ length: 50 }, () => connectThrough(a?.url ?? '', `127.0.0.1:${port}`)))
      }
      for (let tunnel = 0; tunnel < 20; tunnel += 1) {
        const { status } = await connectThrough(b?.url ?? '', `127.0.0.1:${port}`)
        if (status !== 200) return `connection ${tunnel + 1} of the other team was answered ${status}`
      }
      return undefined
    },
  })
})

describe('a link trap and a batch of 10,000 pages', () => {
  it('run longer than many calls of other teams', { timeout: 120_000 }, async () => {
    const crawl = await greedy('POST', '/v2/crawl', {
      ...{ url: `${trapUrl()}/trap`, limit: 10_000, sitemap: 'skip', ignoreRobotsTxt: true },
      crawlEntireDomain: true,
    })
    const urls = Array.from({ length: 10_000 }, (_, index) => `${site.url}/ring/${index}?of=10000`)
    const batch = await greedy('POST', '/v2/batch/scrape', { urls, maxAge: 0 })
    for (let round = 0; round < (isFull ? 200 : 40); round += 1) {
      const { status } = await modest('POST', '/v2/scrape', { url: `${site.url}/article`, maxAge: 0 })
      expect(status).toBe(200)
    }
    const read = (path: string) => greedy('GET', `${path}?limit=1`)
    const paths = [`/v2/crawl/${crawl.body.id}`, `/v2/batch/scrape/${batch.body.id}`]
    const states = (await Promise.all(paths.map(read))).map(({ body }) => body.status)
    expect(states).toEqual(['scraping', 'scraping'])
    // They yield to foreground calls, but they still make progress.
    for (const path of paths) {
      await expect.poll(async () => (await read(path)).body.completed, { timeout: 20_000 }).toBeGreaterThan(0)
      await greedy('DELETE', path)
    }
    addTableRow({ name: 'fairness: a link trap and a batch of 10,000', vectors: 2, hits: 0 })
  })
})

async function ended(path: string): Promise<Json> {
  const read = async () => (await modest('GET', path)).body
  await expect
    .poll(async () => (await read()).status, { timeout: 30_000, interval: 100 })
    .not.toBe('scraping')
  return read()
}
