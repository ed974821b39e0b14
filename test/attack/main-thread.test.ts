import { once } from 'node:events'
import { createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'
import { startHostileModel } from '../servers/hostile-model.ts'
import { addTableRow, attackClass, isFull } from './attack.ts'

/**
 * Work that grows with external input. The watchdog reports tasks of the main thread that use more than a second of
 * CPU time.
 */
let own: OwnService
const sites: Server[] = []

let model: Awaited<ReturnType<typeof startHostileModel>>

beforeAll(async () => {
  model = await startHostileModel()
  own = await startOwnService({ MODEL_URL: model.url, MODEL_KEY: 'k', MODEL_NAME: 'small' })
})

afterAll(async () => {
  await own.remove()
  await model.stop()
  for (const site of sites) {
    site.closeAllConnections()
    site.close()
  }
})

/** Starts a site with its own robots.txt, because the service caches data per site. */
async function startSite(robots: string, content = page): Promise<string> {
  const site = createServer((request, response) => {
    const isRobots = request.url === '/robots.txt'
    response.setHeader('content-type', isRobots ? 'text/plain' : 'text/html')
    response.end(isRobots ? robots : content)
  }).listen(0, '127.0.0.1')
  sites.push(site)
  await once(site, 'listening')
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`
}

const links = Array.from(
  { length: 1000 },
  (_, index) => `<a href="/page-${index}?${'ab'.repeat(100)}">On</a>`,
)
const page = `<title>Links</title><p>${'Words that are there to be read. '.repeat(20)}</p>${links.join('\n')}`
const smallPage = `<title>Page</title><p>${'Words that are there to be read. '.repeat(5)}</p>`
const maxRobotsBytes = 500 * 1024

/** Rules that the links of the page could match. A robots.txt contains as many of them as fit. */
const ruleShapes: Record<string, (index: number) => string> = {
  'ends that differ': (index) => `/*a${index}`,
  'pieces of every link': (index) => `/*ab*${index % 10}*b*${index}`,
  'many stars': (index) => `/${'*a*b'.repeat(20)}*${index}`,
}

describe('the main thread', () => {
  attackClass({
    name: 'a robots.txt full of rules with wildcards',
    vectors: Object.keys(ruleShapes),
    short: 2,
    async run(shape) {
      const url = await startSite(robotsOf(ruleShapes[shape] ?? String))
      const started = await own.call('POST', '/v2/crawl', {
        body: { url, limit: 2 },
      })
      await waitForEnd(`/v2/crawl/${started.body.id}`)
      return own.output().includes('EVENT_LOOP_BLOCKED') ? 'the main thread was blocked' : undefined
    },
  })

  it('names the files of a zip for URLs with a common prefix', { timeout: 240_000 }, async () => {
    const url = await startSite('', smallPage)
    const count = isFull ? 2000 : 60
    const urls = Array.from(
      { length: count },
      (_, index) => `${url}/${'same/'.repeat(60)}${'a'.repeat(300)}${index}`,
    )
    const started = await own.call('POST', '/v2/batch/scrape', { body: { urls, fastMode: true } })
    await waitForEnd(`/v2/batch/scrape/${started.body.id}?limit=1`)
    const path = `/v2/batch/scrape/${started.body.id}/download?format=zip`
    const downloads = [own.call('GET', path), own.call('GET', path), own.call('GET', '/health/live')]
    expect((await Promise.all(downloads)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await countBlocked()).toBe(0)
    addTableRow({ name: 'zip of URLs that begin alike', vectors: count, hits: 0 })
  })

  it('finds the secrets in a prompt full of @', { timeout: 120_000 }, async () => {
    const url = await startSite('', smallPage)
    const { body } = await own.call('POST', '/v2/scrape', { body: { url, fastMode: true } })
    model.answer('an empty object')
    const prompts = ['@'.repeat(2500), 'a@'.repeat(1250), `${'a.'.repeat(1200)}@`]
    for (const prompt of prompts) {
      const path = `/v2/scrape/${body.data.metadata.scrapeId}/interact`
      const call = own.call('POST', path, { body: { prompt, timeout: 20 } })
      expect((await own.call('GET', '/health/live')).status).toBe(200)
      expect((await call).body.code).not.toBe('INTERNAL')
    }
    expect(model.asked()).toBeGreaterThan(0)
    expect(await countBlocked()).toBe(0)
    addTableRow({ name: 'prompts full of @', vectors: prompts.length, hits: 0 })
  })

  it('reads a crawl prompt that names hundreds of sections', { timeout: 120_000 }, async () => {
    const url = await startSite('')
    const prompts = ['only blog, docs, '.repeat(580), 'crawl the news section and '.repeat(370)]
    for (const prompt of prompts) {
      const call = own.call('POST', '/v2/crawl/params-preview', { body: { url, prompt } })
      expect((await call).status).toBe(200)
    }
    expect(await countBlocked()).toBe(0)
    addTableRow({
      name: 'prompts of a crawl that name hundreds of sections',
      vectors: prompts.length,
      hits: 0,
    })
  })

  it('responds to a documentation search from another address during a flood of searches', async () => {
    const count = 300
    let finished = 0
    const started = Promise.withResolvers<void>()
    const flood = Array.from({ length: count }, async (_, index) => {
      const status = await findDocs(
        `how do I limit the pages of crawl ${index} and verify its webhook signature`,
        '127.0.0.1',
      )
      // Searches of one address are rejected while many of them wait.
      if (status === 200) finished += 1
      if (finished === 10) started.resolve()
    })
    await started.promise
    expect(await findDocs('how long is a page kept', '127.0.0.2')).toBe(200)
    expect(finished).toBeLessThan(count / 2)
    await Promise.all(flood)
    addTableRow({ name: 'searches of the documentation from one address', vectors: count, hits: 0 })
  })
})

async function waitForEnd(path: string): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const { body } = await own.call('GET', path)
    if (body.status !== 'scraping') return
    await sleep(isFull ? 500 : 100)
  }
}

/** Returns the number of blocked main thread tasks that the watchdog counted. */
async function countBlocked(): Promise<number> {
  const { body } = await own.call('GET', '/metrics')
  return Number(/^winnow_event_loop_blocked_total (\d+)/m.exec(body)?.[1])
}

function robotsOf(pattern: (index: number) => string): string {
  const lines = ['user-agent: *']
  for (let bytes = 0, index = 0; bytes < maxRobotsBytes; index += 1) {
    const line = `disallow:${pattern(index)}`
    lines.push(line)
    bytes += line.length + 1
  }
  return lines.join('\n')
}

async function findDocs(question: string, localAddress: string): Promise<number> {
  const request = get(`${own.url}/docs/find?q=${encodeURIComponent(question)}`, { localAddress })
  const [response] = await once(request, 'response')
  response.resume()
  await once(response, 'end')
  return response.statusCode
}
