import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { callAt, type OwnService, startOwnService } from '../api.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'
import { attackClass } from './attack.ts'

/** One team fills the language model and the trials of the support agent. Another team sends a single call. */
const concurrency = 4
const spare = 1
const story = 'The harbour master counts the boats every morning before the tide turns. '.repeat(12)
let site: Site
let own: OwnService
let modestKey: string
let isSilent = false
const abort = new AbortController()

/**
 * Model server with a limited number of parallel requests, served in order. Requests of the greedy team never end.
 */
const waiting: (() => void)[] = []
let free = concurrency + spare
let heldRequests = 0
let answered = 0
const model = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (free > 0) free -= 1
  else await new Promise<void>((resume) => waiting.push(resume))
  if (Buffer.concat(chunks).toString().includes('greedy page')) {
    heldRequests += 1
    return
  }
  free += 1
  answered += 1
  const value = { summary: [{ text: 'The harbour master counts the boats.', sentences: [1] }] }
  const message = { role: 'assistant', content: JSON.stringify(value) }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] }))
})

beforeAll(async () => {
  site = await startSite({
    routes: {
      '/greedy': (exchange) => sendHtml(exchange, page('Greedy', `<h1>A greedy page</h1><p>${story}</p>`)),
      '/modest': (exchange) => sendHtml(exchange, page('Modest', `<h1>A modest page</h1><p>${story}</p>`)),
      '/trial': (exchange) => {
        if (isSilent) return
        sendHtml(exchange, page('Trial', `<p>Short.</p><div class="story"><p>${story}</p></div>`))
      },
      '/plain': (exchange) =>
        sendHtml(exchange, page('Plain', `<p>Short.</p><div class="story"><p>${story}</p></div>`)),
    },
  })
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an address with a port.
  const { port } = model.address() as AddressInfo
  own = await startOwnService({
    ...{ TEAM_CONCURRENCY: '64', RATE_PER_MINUTE: '1000000', MODEL_CONCURRENCY: String(concurrency) },
    ...{ MODEL_URL: `http://127.0.0.1:${port}/v1`, MODEL_KEY: 'k', MODEL_NAME: 'small' },
  })
  modestKey = await own.newTeam()
}, 120_000)
afterAll(async () => {
  abort.abort()
  await own.remove()
  model.closeAllConnections()
  model.close()
  await site.stop()
})

const greedy = (path: string, body: object) =>
  fetch(`${own.url}${path}`, {
    ...{ method: 'POST', signal: abort.signal, body: JSON.stringify(body) },
    headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
  })
const modest = (path: string, body: object) => callAt(own.url, 'POST', path, { key: modestKey, body })

/** Counts calls of the greedy team that ended before the other team was served. */
function watchForEnd(work: Promise<unknown>[]) {
  let ended = 0
  const count = () => {
    ended += 1
  }
  for (const call of work) call.then(count, count)
  return () =>
    ended === 0 ? undefined : `${ended} of ${work.length} had ended before the other team was served`
}

describe('language model resources shared by all teams', () => {
  attackClass({
    name: 'fairness: a language model full of the calls of one team',
    vectors: [50],
    run: async (count) => {
      const summary = { formats: ['summary'], timeout: 120_000, maxAge: 0, fastMode: true }
      const early = watchForEnd(
        Array.from({ length: count }, (_, index) =>
          greedy('/v2/scrape', { url: `${site.url}/greedy?${index}`, ...summary }),
        ),
      )
      await expect.poll(() => heldRequests, { timeout: 60_000 }).toBeGreaterThanOrEqual(concurrency)
      const before = answered
      const { status, body } = await modest('/v2/scrape', {
        url: `${site.url}/modest`,
        ...summary,
        timeout: 30_000,
      })
      if (status !== 200 || !body.data.summary.includes('harbour'))
        return `the other team was answered ${status}`
      return answered > before ? early() : 'the model was not asked for the other team'
    },
  })

  attackClass({
    name: 'fairness: trials of the support agent on pages that never come',
    vectors: [40],
    run: async (count) => {
      const request = { excludeTags: ['.story'], maxAge: 0, fastMode: true }
      const question = 'Most of the page is missing. Why?'
      const job = await greedy('/v2/scrape', { url: `${site.url}/trial`, ...request })
      const { data } = (await job.json()) as { data: { metadata: { scrapeId: string } } }
      const before = site.hits('/trial')
      isSilent = true
      const early = watchForEnd(
        Array.from({ length: count }, () =>
          greedy('/v2/support/ask', { question, jobId: data.metadata.scrapeId }),
        ),
      )
      await expect.poll(() => site.hits('/trial') - before, { timeout: 60_000 }).toBeGreaterThanOrEqual(8)
      const scraped = await modest('/v2/scrape', { url: `${site.url}/plain`, ...request })
      const jobId = scraped.body.data.metadata.scrapeId
      const { status, body } = await modest('/v2/support/ask', { question, jobId })
      if (status !== 200) return `the other team was answered ${status}`
      return body.validation?.result === 'success' ? early() : JSON.stringify(body)
    },
  })
})
