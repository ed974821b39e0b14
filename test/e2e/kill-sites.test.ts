import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

// `npm run faults` kills more often than `npm test`. KILLS=50 is for a long run.
const kills = Number(process.env.KILLS ?? (process.env.FAULTS === 'whole' ? 8 : 4))
const grant = 1_000_000
const ringSize = 60
const batchSize = 25

let site: Site
let first: OwnService
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/hook/:job': ({ response }) => response.end(),
      // The pages are slow, so that kills occur in every state. Each page links to many others.
      '/round/:ring/:number': async (exchange) => {
        const number = Number(exchange.params.number)
        await sleep(10 + (number % 7) * 20)
        const links = Array.from({ length: 8 }, (_, step) => {
          const next = (number * 3 + step + 1) % ringSize
          return `<a href="/round/${exchange.params.ring}/${next}">${next}</a>`
        })
        sendHtml(
          exchange,
          page(`Round ${number}`, `<p>${'A page with some words. '.repeat(20)}</p>${links.join(' ')}`),
        )
      },
    },
  })
  first = await startOwnService({
    ...{ TEAM_CREDITS: String(grant), TEAM_CONCURRENCY: '6', LEASE_SECONDS: '3' },
    WEBHOOK_RETRIES: Array(20).fill(1).join(','),
  })
})
afterAll(async () => {
  await first.remove()
  await site.stop()
})

interface Job {
  id: string
  path: string
  name: string
}

describe('kill -9 during crawls and batches', () => {
  it('loses no page, charges each page once, and delivers every event', { timeout: 400_000 }, async () => {
    let service = first
    let count = 0
    const acknowledged: Job[] = []
    const submit = async () => {
      count += 1
      const name = `job-${count}`
      const isCrawl = count % 2 === 0
      const path = isCrawl ? '/v2/crawl' : '/v2/batch/scrape'
      const webhook = `${site.url}/hook/${name}`
      const body = isCrawl ? crawlBody(name, webhook) : batchBody(name, webhook)
      try {
        const answer = await service.call('POST', path, { body })
        if (answer.status === 200)
          acknowledged.push({ id: answer.body.id, path: `${path}/${answer.body.id}`, name })
      } catch {
        // The process was killed before it responded, so the job was not acknowledged and nothing is guaranteed.
      }
    }
    for (let job = 0; job < 4; job += 1) await submit()
    for (let kill = 0; kill < kills; kill += 1) {
      const pending = submit()
      await sleep(20 + Math.random() * 500)
      await service.kill()
      await pending
      service = await service.again()
    }
    for (const job of acknowledged) await checkJob(service, job)
    const charged = await creditsOfAll(service)
    const { remainingCredits } = (await service.call('GET', '/v2/team/credit-usage')).body.data
    const history = (await service.call('GET', '/v2/team/credit-usage/historical')).body.periods
    const spent = history.reduce((sum: number, period: Json) => sum + period.creditsUsed, 0)
    expect(grant - remainingCredits).toBe(spent)
    expect(spent).toBe(charged)
    await service.stop()
  })
})

function batchBody(name: string, webhook: string): object {
  const urls = Array.from({ length: batchSize }, (_, index) => `${site.url}/round/${name}/${index}`)
  return { urls, maxAge: 0, webhook }
}

function crawlBody(name: string, webhook: string): object {
  const scrapeOptions = { maxAge: 0 }
  return {
    url: `${site.url}/round/${name}/0`,
    crawlEntireDomain: true,
    sitemap: 'skip',
    scrapeOptions,
    webhook,
  }
}

/** Returns the credits of all jobs. Every batch must be complete, even if it was not acknowledged before a kill. */
async function creditsOfAll(service: OwnService): Promise<number> {
  let credits = 0
  for (const [endpoint, path] of [
    ['crawl', '/v2/crawl'],
    ['batch_scrape', '/v2/batch/scrape'],
  ]) {
    const { data } = (await service.call('GET', `/v2/team/activity?endpoint=${endpoint}&limit=100`)).body
    for (const { id } of data) {
      await waitForEnd(service, `${path}/${id}`)
      const { body } = await service.call('GET', `${path}/${id}?limit=1`)
      credits += body.creditsUsed
      if (endpoint === 'crawl') continue
      // A batch that was not acknowledged has no guarantees, but it must be complete.
      const { errors } = (await service.call('GET', `${path}/${id}/errors`)).body
      expect(body.completed + errors.length).toBe(batchSize)
    }
  }
  return credits
}

function waitForEnd(service: OwnService, path: string) {
  return expect
    .poll(async () => (await service.call('GET', `${path}?limit=1`)).body.status, {
      timeout: 180_000,
      interval: 200,
    })
    .not.toBe('scraping')
}

/** Waits for the end of a job and checks its guarantees. */
async function checkJob(service: OwnService, job: Job): Promise<void> {
  await waitForEnd(service, job.path)
  const { status, completed, total, creditsUsed, data } = (await service.call('GET', job.path)).body
  const { errors, summary } = (await service.call('GET', `${job.path}/errors`)).body
  expect(status).toBe('completed')
  expect(data).toHaveLength(completed)
  expect(total).toBe(completed)
  expect(creditsUsed).toBe(completed)
  // A page may be started 12 times. A page that was killed each time is recorded as an error, never lost.
  const pages = [
    ...data.map((document: Json) => document.metadata.sourceURL),
    ...errors.map((error: Json) => error.url),
  ]
  expect(new Set(pages).size).toBe(pages.length)
  if (summary === undefined) expect(pages).toHaveLength(batchSize)
  else
    expect(summary).toMatchObject({ completed, failed: errors.length, cancelled: 0, living: 0, waiting: 0 })
  await checkEvents(service, job, pages.length)
}

async function checkEvents(service: OwnService, job: Job, pages: number): Promise<void> {
  await expect
    .poll(async () => (await deliveries(service, job.id, '&state=waiting')).length, { timeout: 120_000 })
    .toBe(0)
  const allDeliveries = await deliveries(service, job.id, '')
  expect(allDeliveries.filter((delivery) => delivery.state !== 'delivered')).toEqual([])
  const count = (event: string) =>
    allDeliveries.filter((delivery) => delivery.type.endsWith(`.${event}`)).length
  expect([count('started'), count('page'), count('completed')]).toEqual([1, pages, 1])
  const received = new Set(
    site.requests
      .filter((request) => request.path === `/hook/${job.name}` && request.body !== '')
      .map((request) => JSON.parse(request.body).webhookId),
  )
  expect(allDeliveries.filter((delivery) => !received.has(delivery.webhookId))).toEqual([])
}

async function deliveries(service: OwnService, jobId: string, filter: string): Promise<Json[]> {
  const entries: Json[] = []
  let cursor = ''
  do {
    const path = `/v2/webhooks/deliveries?jobId=${jobId}&limit=100${filter}${cursor}`
    const { body } = await service.call('GET', path)
    entries.push(...body.data)
    cursor = body.cursor === null ? '' : `&cursor=${body.cursor}`
  } while (cursor !== '')
  return entries
}
