import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Json, type OwnService, startOwnService } from '../api.ts'
import { runCommand } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let own: OwnService
beforeAll(async () => {
  site = await startSite()
  own = await startOwnService({ TEAM_CREDITS: '10', TEAM_CONCURRENCY: '2', RATE_PER_MINUTE: '100000' })
})
afterAll(async () => {
  await own.remove()
  await site.stop()
})

const get = async (path: string): Promise<Json> => (await own.call('GET', path)).body
const scrape = (path: string, options: object = {}): Promise<Answer> =>
  own.call('POST', '/v2/scrape', { body: { url: site.url + path, maxAge: 0, ...options } })
const remaining = async (): Promise<number> => (await get('/v2/team/credit-usage')).data.remainingCredits

describe('credits', () => {
  it('pays one credit for a page and nothing for a failed one', async () => {
    expect(await remaining()).toBe(10)
    await scrape('/pages/1')
    expect(await remaining()).toBe(9)
    await scrape('/reset')
    expect(await remaining()).toBe(9)
  })

  it('shows what is left, in credits and in tokens', async () => {
    const credits = (await get('/v2/team/credit-usage')).data
    expect(credits).toMatchObject({ remainingCredits: 9, planCredits: 10, unlimited: false })
    expect(Date.parse(credits.billingPeriodEnd)).toBeGreaterThan(Date.parse(credits.billingPeriodStart))
    expect((await get('/v2/team/token-usage')).data).toMatchObject({ remainingTokens: 135, planTokens: 150 })
  })

  it('shows what was used per period and per key', async () => {
    const { periods } = await get('/v2/team/credit-usage/historical')
    expect(periods).toEqual([expect.objectContaining({ creditsUsed: 1, totalCredits: 1 })])
    const byKey = await get('/v2/team/credit-usage/historical?byApiKey=true')
    expect(byKey.periods[0].apiKey).toMatch(/^fc-/)
    const tokens = await get('/v2/team/token-usage/historical?timeRange=day')
    expect(tokens.periods).toEqual([expect.objectContaining({ tokensUsed: 15, totalTokens: 15 })])
    const both = await own.call('GET', '/v2/team/credit-usage/historical?byApiKey=true&timeRange=day')
    expect(both.status).toBe(400)
  })

  it('never spends more than there is, however many calls come at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => scrape(`/pages/${index + 2}`)))
    const codes = answers.map((answer) => answer.body.code ?? 'ok')
    expect(codes.filter((code) => code === 'ok')).toHaveLength(9)
    expect(codes.filter((code) => code === 'CREDITS_EXHAUSTED')).toHaveLength(11)
    expect(await remaining()).toBe(0)
  })

  it('answers 402 with a hint when nothing is left', async () => {
    const { status, body } = await scrape('/pages/1')
    expect(status).toBe(402)
    expect(body).toMatchObject({
      code: 'CREDITS_EXHAUSTED',
      remainingCredits: 0,
      error: expect.stringContaining('limit'),
    })
    const batch = await own.call('POST', '/v2/batch/scrape', { body: { urls: [`${site.url}/pages/1`] } })
    expect(batch.status).toBe(402)
  })

  it('goes on after a grant by the key command', async () => {
    const { stdout } = await runCommand(
      ['key', 'grant', '--team', 'default', '--credits', '100'],
      own.environment,
    )
    expect(stdout).toContain('100 credits')
    expect((await scrape('/pages/1')).status).toBe(200)
    expect(await remaining()).toBe(99)
  })
})

describe('slots', () => {
  it('lets calls beyond the limit wait their turn and says so', async () => {
    const slow = Array.from({ length: 5 }, (_, index) => scrape(`/slow?ms=400&n=${index}`))
    await expect.poll(() => get('/v2/concurrency-check')).toMatchObject({ concurrency: 2, maxConcurrency: 2 })
    const metadata = (await Promise.all(slow)).map((answer) => answer.body.data.metadata)
    const waited = metadata.filter((entry) => entry.concurrencyLimited)
    expect(waited).toHaveLength(3)
    for (const entry of waited) expect(entry.concurrencyQueueDurationMs).toBeGreaterThan(100)
    for (const entry of metadata.filter((entry) => !entry.concurrencyLimited)) {
      expect(entry).not.toHaveProperty('concurrencyQueueDurationMs')
    }
  })

  it('serves those who wait in the order in which they came', async () => {
    const holders = [scrape('/slow?ms=600&n=a'), scrape('/slow?ms=600&n=b')]
    await expect.poll(async () => (await get('/v2/concurrency-check')).concurrency).toBe(2)
    const ended: number[] = []
    const waiting: Promise<unknown>[] = []
    for (let place = 0; place < 4; place += 1) {
      waiting.push(scrape(`/slow?ms=150&n=${place}`).then(() => ended.push(place)))
      await expect.poll(async () => (await get('/v2/team/queue-status')).waitingJobsInQueue).toBe(place + 1)
    }
    await Promise.all([...holders, ...waiting])
    expect(ended.indexOf(0)).toBeLessThan(ended.indexOf(2))
    expect(ended.indexOf(1)).toBeLessThan(ended.indexOf(3))
  })

  it('serves a waiting caller before the queue of a batch', async () => {
    const urls = Array.from({ length: 30 }, (_, index) => `${site.url}/slow?ms=300&batch=${index}`)
    const { id } = (await own.call('POST', '/v2/batch/scrape', { body: { urls } })).body
    await expect.poll(async () => (await get('/v2/concurrency-check')).concurrency).toBe(2)
    const { body } = await scrape('/pages/1')
    expect(body.data.metadata.concurrencyLimited).toBe(true)
    expect((await get(`/v2/batch/scrape/${id}`)).completed).toBeLessThan(10)
    await own.call('DELETE', `/v2/batch/scrape/${id}`)
    await expect.poll(async () => (await get('/v2/concurrency-check')).concurrency).toBe(0)
  })

  it('gives up waiting when most of the time budget is gone', async () => {
    const holders = [scrape('/slow?ms=2500&n=x'), scrape('/slow?ms=2500&n=y')]
    await expect.poll(async () => (await get('/v2/concurrency-check')).concurrency).toBe(2)
    const { status, body } = await scrape('/pages/1', { timeout: 1000 })
    expect(status).toBe(408)
    expect(body).toMatchObject({ code: 'CONCURRENCY_QUEUE_TIMEOUT', phase: 'waiting for a slot' })
    await Promise.all(holders)
    expect(await get('/v2/team/queue-status')).toMatchObject({ activeJobsInQueue: 0, waitingJobsInQueue: 0 })
  })

  it('gives a slot back when its caller hangs up', async () => {
    const leave = new AbortController()
    const options = {
      method: 'POST',
      headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
      signal: leave.signal,
    }
    const calls = ['p', 'q'].map((name) =>
      fetch(`${own.url}/v2/scrape`, {
        ...options,
        body: JSON.stringify({ url: `${site.url}/hang?${name}` }),
      }),
    )
    await expect.poll(async () => (await get('/v2/concurrency-check')).concurrency).toBe(2)
    leave.abort()
    await Promise.allSettled(calls)
    await expect.poll(async () => (await get('/v2/concurrency-check')).concurrency).toBe(0)
  })
})

describe('GET /v2/team/activity', () => {
  it('lists calls newest first, by cursor, without losing or repeating one', async () => {
    const seen: Json[] = []
    let path = '/v2/team/activity?limit=7'
    for (;;) {
      const page = await get(path)
      expect(page.data.length).toBeLessThanOrEqual(7)
      seen.push(...page.data)
      expect(page.has_more).toBe(page.cursor !== null)
      if (page.cursor === null) break
      path = `/v2/team/activity?limit=7&cursor=${page.cursor}`
    }
    expect(new Set(seen.map((entry) => entry.id)).size).toBe(seen.length)
    expect(seen.length).toBeGreaterThan(20)
    const times = seen.map((entry) => entry.created_at)
    expect(times).toEqual(times.toSorted().reverse())
    expect(seen[0]).toEqual({
      id: expect.any(String),
      endpoint: 'scrape',
      api_version: 'v2',
      created_at: expect.any(String),
      target: expect.stringMatching(/^http/),
    })
  })

  it('narrows to one kind of call', async () => {
    expect((await get('/v2/team/activity?endpoint=crawl')).data).toEqual([])
    expect((await get('/v2/team/activity?endpoint=scrape&limit=1')).data).toHaveLength(1)
  })

  it('clamps the page size and refuses what it does not know', async () => {
    expect((await own.call('GET', '/v2/team/activity?limit=5000')).status).toBe(200)
    expect((await own.call('GET', '/v2/team/activity?limit=many')).status).toBe(200)
    expect((await own.call('GET', '/v2/team/activity?endpoint=nothing')).status).toBe(400)
    expect((await own.call('GET', '/v2/team/activity?cursor=broken')).status).toBe(400)
  })
})

describe('the rate', () => {
  it('answers 429 with the time to wait, counts work and reading apart, and starts anew', async () => {
    const strict = await startOwnService({ RATE_PER_MINUTE: '5' })
    // A minute that ends during the test would start a new window; only then a second look is needed.
    const answers: Answer[] = []
    for (let index = 0; index < 12; index += 1) {
      answers.push(
        await strict.call('POST', '/v2/scrape', { body: { url: `${site.url}/pages/${index + 1}` } }),
      )
    }
    const refused = answers.filter((answer) => answer.status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(2)
    expect(answers.slice(0, 5).map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200])
    expect(refused[0]?.body).toMatchObject({ code: 'RATE_LIMITED', limit: 5, remaining: 0 })
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await strict.call('GET', '/v2/team/queue-status')).status).toBe(200)
    await strict.remove()
  })
})
