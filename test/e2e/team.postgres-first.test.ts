import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Json, type OwnService, startOwnService } from '../api.ts'
import { connect } from '../mcp.ts'
import { runCommand } from '../service.ts'
import { page, sendHtml } from '../site/route.ts'
import { type Site, startSite } from '../site/site.ts'

/** Resolves when the test releases the held pages, which occupy slots until then. */
let released = Promise.withResolvers<void>()

let site: Site
let own: OwnService
beforeAll(async () => {
  site = await startSite({
    routes: {
      '/held': async (exchange) => {
        await released.promise
        sendHtml(exchange, page('Held', '<p>Released.</p>'))
      },
    },
  })
  own = await startOwnService({ TEAM_CREDITS: '10', TEAM_CONCURRENCY: '2', RATE_PER_MINUTE: '100000' })
})
afterAll(async () => {
  await own.remove()
  await site.stop()
})

interface TeamClient {
  call: OwnService['call']
  get(path: string): Promise<Json>
  scrape(path: string, options?: object): Promise<Answer>
  remaining(): Promise<number>
}

/** Creates a team with ten credits, and returns its calls. */
async function newTeam(): Promise<TeamClient> {
  const key = await own.newTeam()
  const call: TeamClient['call'] = (method, path, options = {}) => own.call(method, path, { key, ...options })
  const get = async (path: string): Promise<Json> => (await call('GET', path)).body
  return {
    call,
    get,
    scrape: (path, options = {}) =>
      call('POST', '/v2/scrape', { body: { url: site.url + path, maxAge: 0, ...options } }),
    remaining: async () => (await get('/v2/team/credit-usage')).data.remainingCredits,
  }
}

describe('credits', () => {
  it('are charged for a page but not for a failed page, and are reported as remaining and as used', async () => {
    const { call, get, scrape, remaining } = await newTeam()
    expect(await remaining()).toBe(10)
    await scrape('/pages/1')
    expect(await remaining()).toBe(9)
    await scrape('/reset')
    expect(await remaining()).toBe(9)

    const credits = (await get('/v2/team/credit-usage')).data
    expect(credits).toMatchObject({ remainingCredits: 9, planCredits: 10, unlimited: false })
    expect(Date.parse(credits.billingPeriodEnd)).toBeGreaterThan(Date.parse(credits.billingPeriodStart))
    expect((await get('/v2/team/token-usage')).data).toMatchObject({ remainingTokens: 135, planTokens: 150 })

    const { periods } = await get('/v2/team/credit-usage/historical')
    expect(periods).toEqual([expect.objectContaining({ creditsUsed: 1, totalCredits: 1 })])
    const byKey = await get('/v2/team/credit-usage/historical?byApiKey=true')
    expect(byKey.periods[0].apiKey).toMatch(/^fc-/)
    const tokens = await get('/v2/team/token-usage/historical?timeRange=day')
    expect(tokens.periods).toEqual([expect.objectContaining({ tokensUsed: 15, totalTokens: 15 })])
    const combined = await call('GET', '/v2/team/credit-usage/historical?byApiKey=true&timeRange=day')
    expect(combined.status).toBe(400)
  })

  it('are never overdrawn by concurrent calls; further calls return 402', async () => {
    const { call, scrape, remaining } = await newTeam()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => scrape(`/pages/${index + 2}`)))
    const codes = answers.map((answer) => answer.body.code ?? 'ok')
    expect(codes.filter((code) => code === 'ok')).toHaveLength(10)
    expect(codes.filter((code) => code === 'CREDITS_EXHAUSTED')).toHaveLength(10)
    expect(await remaining()).toBe(0)
    const { status, body } = await scrape('/pages/1')
    expect(status).toBe(402)
    expect(body).toMatchObject({
      code: 'CREDITS_EXHAUSTED',
      remainingCredits: 0,
      error: expect.stringContaining('limit'),
    })
    const batch = await call('POST', '/v2/batch/scrape', { body: { urls: [`${site.url}/pages/1`] } })
    expect(batch.status).toBe(402)
  })

  it('increase with a grant of the key command', async () => {
    const created = await runCommand(['key', 'create', '--team', 'granted'], own.environment)
    const key = created.stdout.split('\n')[0] ?? ''
    const grant = ['key', 'grant', '--team', 'granted', '--credits', '100']
    const { stdout } = await runCommand(grant, own.environment)
    expect(stdout).toContain('110 credits')
    const { body } = await own.call('GET', '/v2/team/credit-usage', { key })
    expect(body.data.remainingCredits).toBe(110)
  })
})

describe('GET /v2/team/usage', () => {
  it('counts credits by kind and calls by state, for each day', async () => {
    const { call, get, scrape } = await newTeam()
    await scrape('/pages/1')
    await scrape('/pages/2')
    await scrape('/reset')
    await call('POST', '/v2/map', { body: { url: `${site.url}/pages/1` } })
    const { data } = await get('/v2/team/usage')
    expect(data).toHaveLength(30)
    const dates = data.map((day: Json) => day.date)
    expect(dates).toEqual(dates.toSorted())
    expect(Date.parse(dates[29]) - Date.parse(dates[0])).toBe(29 * 24 * 3600_000)
    // The day may have changed during the test, so the sum covers all days.
    const sum = (field: string, name: string) =>
      data.reduce((total: number, day: Json) => total + (day[field][name] ?? 0), 0)
    expect([sum('creditsByKind', 'scrape'), sum('creditsByKind', 'map')]).toEqual([2, 1])
    expect([sum('callsByState', 'completed'), sum('callsByState', 'failed')]).toEqual([3, 1])
    for (const day of data) {
      const values: number[] = Object.values(day.creditsByKind)
      expect(day.credits).toBe(values.reduce((total, credits) => total + credits, 0))
    }
    expect((await get('/v2/team/usage?days=1')).data).toEqual([data[29]])
  })

  it('returns at most ninety days', async () => {
    const { call } = await newTeam()
    expect((await call('GET', '/v2/team/usage?days=90')).body.data).toHaveLength(90)
    const tooMany = await call('GET', '/v2/team/usage?days=91')
    expect(tooMany.body).toMatchObject({ code: 'BAD_REQUEST', bound: 'MAX_USAGE_DAYS', most: 90 })
    for (const days of ['0', '1.5', 'many', '-1'])
      expect((await call('GET', `/v2/team/usage?days=${days}`)).status).toBe(400)
  })
})

describe('slots', () => {
  const usedSlots = async ({ get }: TeamClient) => (await get('/v2/concurrency-check')).concurrency

  it('queues calls beyond the limit, and reports their waiting time', async () => {
    const { get, scrape } = await newTeam()
    const slow = Array.from({ length: 5 }, (_, index) => scrape(`/slow?ms=400&n=${index}`))
    await expect.poll(() => get('/v2/concurrency-check')).toMatchObject({ concurrency: 2, maxConcurrency: 2 })
    const metadata = (await Promise.all(slow)).map((answer) => answer.body.data.metadata)
    const queued = metadata.filter((entry) => entry.concurrencyLimited)
    expect(queued).toHaveLength(3)
    for (const entry of queued) expect(entry.concurrencyQueueDurationMs).toBeGreaterThan(100)
    for (const entry of metadata.filter((entry) => !entry.concurrencyLimited)) {
      expect(entry).not.toHaveProperty('concurrencyQueueDurationMs')
    }
  })

  it('serves queued calls in their order', async () => {
    const team = await newTeam()
    released = Promise.withResolvers()
    const holders = [team.scrape('/held?n=a'), team.scrape('/held?n=b')]
    await expect.poll(() => usedSlots(team)).toBe(2)
    const completed: number[] = []
    const waiting: Promise<unknown>[] = []
    for (let position = 0; position < 4; position += 1) {
      waiting.push(team.scrape(`/slow?ms=150&n=${position}`).then(() => completed.push(position)))
      await expect
        .poll(async () => (await team.get('/v2/team/queue-status')).waitingJobsInQueue)
        .toBe(position + 1)
    }
    released.resolve()
    await Promise.all([...holders, ...waiting])
    expect(completed.indexOf(0)).toBeLessThan(completed.indexOf(2))
    expect(completed.indexOf(1)).toBeLessThan(completed.indexOf(3))
  })

  it('serves a waiting call before the queue of a batch', async () => {
    const team = await newTeam()
    const urls = Array.from({ length: 9 }, (_, index) => `${site.url}/slow?ms=800&batch=${index}`)
    const { id } = (await team.call('POST', '/v2/batch/scrape', { body: { urls } })).body
    await expect.poll(() => usedSlots(team)).toBe(2)
    const { body } = await team.scrape('/pages/1')
    expect(body.data.metadata.concurrencyLimited).toBe(true)
    expect((await team.get(`/v2/batch/scrape/${id}`)).status).toBe('scraping')
    await team.call('DELETE', `/v2/batch/scrape/${id}`)
    await expect.poll(() => usedSlots(team)).toBe(0)
  })

  it('stops waiting after most of the timeout', async () => {
    const team = await newTeam()
    released = Promise.withResolvers()
    const holders = [team.scrape('/held?n=x'), team.scrape('/held?n=y')]
    await expect.poll(() => usedSlots(team)).toBe(2)
    const { status, body } = await team.scrape('/pages/1', { timeout: 1000 })
    expect(status).toBe(408)
    expect(body).toMatchObject({ code: 'CONCURRENCY_QUEUE_TIMEOUT', phase: 'waiting for a slot' })
    released.resolve()
    await Promise.all(holders)
    const queue = await team.get('/v2/team/queue-status')
    expect(queue).toMatchObject({ activeJobsInQueue: 0, waitingJobsInQueue: 0 })
  })

  it('releases a slot when its caller disconnects', async () => {
    const key = await own.newTeam()
    const concurrency = async () => (await own.call('GET', '/v2/concurrency-check', { key })).body.concurrency
    const controller = new AbortController()
    const options = {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      signal: controller.signal,
    }
    const calls = ['p', 'q'].map((name) =>
      fetch(`${own.url}/v2/scrape`, {
        ...options,
        body: JSON.stringify({ url: `${site.url}/hang?${name}` }),
      }),
    )
    await expect.poll(concurrency).toBe(2)
    controller.abort()
    await Promise.allSettled(calls)
    await expect.poll(concurrency).toBe(0)
  })
})

describe('GET /v2/team/activity', () => {
  it('lists calls newest first, and each call once across its pages', async () => {
    const { get, scrape } = await newTeam()
    const urls = Array.from({ length: 10 }, (_, index) => `/pages/${index + 1}`)
    for (const url of urls) await scrape(url)
    const seen: Json[] = []
    let path = '/v2/team/activity?limit=3'
    for (;;) {
      const page = await get(path)
      expect(page.data.length).toBeLessThanOrEqual(3)
      seen.push(...page.data)
      expect(page.has_more).toBe(page.cursor !== null)
      if (page.cursor === null) break
      path = `/v2/team/activity?limit=3&cursor=${page.cursor}`
    }
    expect(seen.map((entry) => entry.target)).toEqual(urls.map((url) => site.url + url).reverse())
    expect(new Set(seen.map((entry) => entry.id)).size).toBe(10)
    const times = seen.map((entry) => entry.created_at)
    expect(times).toEqual(times.toSorted().reverse())
    expect(seen[0]).toEqual({
      id: expect.any(String),
      endpoint: 'scrape',
      api_version: 'v2',
      created_at: expect.any(String),
      target: expect.stringMatching(/^http/),
      state: 'completed',
    })
    expect((await get('/v2/team/activity?endpoint=crawl')).data).toEqual([])
    expect((await get('/v2/team/activity?endpoint=scrape&limit=1')).data).toHaveLength(1)
  })

  it('returns the result of calls, and filters by state', async () => {
    const { get, scrape } = await newTeam()
    await scrape('/pages/1')
    const { body } = await scrape('/reset')
    const { data } = await get('/v2/team/activity')
    expect(data).toMatchObject([{ state: 'failed', code: body.code }, { state: 'completed' }])
    expect((await get('/v2/team/activity?state=failed')).data).toEqual([data[0]])
    expect((await get('/v2/team/activity?state=queued')).data).toEqual([])
  })

  it('clamps the page size, and rejects invalid parameters', async () => {
    expect((await own.call('GET', '/v2/team/activity?limit=5000')).status).toBe(200)
    expect((await own.call('GET', '/v2/team/activity?limit=many')).status).toBe(200)
    expect((await own.call('GET', '/v2/team/activity?endpoint=nothing')).status).toBe(400)
    expect((await own.call('GET', '/v2/team/activity?state=held')).status).toBe(400)
    expect((await own.call('GET', '/v2/team/activity?cursor=broken')).status).toBe(400)
  })
})

describe('the rate limit', () => {
  it('returns 429 with the retry delay, counts work and reading separately, and resets', async () => {
    const strict = await startOwnService({ RATE_PER_MINUTE: '5' })
    // A minute may end during the test and start a new window, so the test sends more calls than two windows allow.
    const answers: Answer[] = []
    for (let index = 0; index < 12; index += 1) {
      answers.push(
        await strict.call('POST', '/v2/scrape', { body: { url: `${site.url}/pages/${index + 1}` } }),
      )
    }
    const rejected = answers.filter((answer) => answer.status === 429)
    expect(rejected.length).toBeGreaterThanOrEqual(2)
    expect(answers.slice(0, 5).map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200])
    expect(rejected[0]?.body).toMatchObject({ code: 'RATE_LIMITED', limit: 5, remaining: 0 })
    expect(Number(rejected[0]?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await strict.call('GET', '/v2/team/queue-status')).status).toBe(200)
    const mcp = await connect('legacy', { url: strict.url, key: await strict.newTeam() })
    const results = []
    for (let index = 0; index < 12; index += 1)
      results.push(await mcp.callTool('map', { url: `${site.url}/pages/1` }))
    const { isError, text } = results.find((answer) => answer.isError) ?? { isError: false, text: '' }
    expect([isError, text]).toEqual([true, expect.stringMatching(/^RATE_LIMITED: .*Try again in \d+ s/)])
    expect(text).toMatch(/retryAfter: \d+/)
    await mcp.close()
    await strict.remove()
  })
})
