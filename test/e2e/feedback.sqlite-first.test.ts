import { randomUUID } from 'node:crypto'
import Firecrawl from 'firecrawl'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chargeAll } from '../../src/accounts/billing.ts'
import { hashKey } from '../../src/accounts/keys.ts'
import { readSettings } from '../../src/bootstrap/settings.ts'
import { openStore } from '../../src/bootstrap/store.ts'
import { chargeFor, newJobRow } from '../../src/jobs/job.ts'
import { silentLog } from '../../src/platform/log.ts'
import { findWrongBalances } from '../../src/store/credits.ts'
import { insertJobs, type JobRow } from '../../src/store/jobs/jobs.ts'
import type { Store } from '../../src/store/schema.ts'
import { type Json, type OwnService, startOwnService } from '../api.ts'
import { runCommand } from '../service.ts'
import { type Site, startSite } from '../site/site.ts'

let site: Site
let own: OwnService
beforeAll(async () => {
  site = await startSite()
  own = await startOwnService({
    ...{ TEAM_CREDITS: '100', TEAM_DAILY_REFUNDS: '2', RATE_PER_MINUTE: '100000', SEARCH_PROVIDERS: 'none' },
  })
})
afterAll(async () => {
  await own.remove()
  await site.stop()
})

const goodFeedback = {
  rating: 'good' as const,
  valuableSources: [{ url: 'https://tide.example/', reason: 'exact' }],
}

/** Creates a team, and returns its key, its clients and helper functions. */
async function newTeam() {
  const key = await own.newTeam()
  const call = (method: string, path: string, body?: unknown) =>
    own.call(method, path, { key, ...(body === undefined ? {} : { body }) })
  return {
    ...{ key, call, client: new Firecrawl({ apiUrl: own.url, apiKey: key }) },
    remaining: async () => (await call('GET', '/v2/team/credit-usage')).body.data.remainingCredits,
    scrapeId: async (options: object = {}): Promise<string> => {
      const { body } = await call('POST', '/v2/scrape', { url: `${site.url}/pages/1`, ...options })
      return body.data.metadata.scrapeId
    },
  }
}

async function withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result> {
  const { store } = await openStore(readSettings(own.environment), silentLog)
  return work(store).finally(() => store.close())
}

/** Stores a completed search that cost two credits. */
function insertSearch(key: string, changes: Partial<JobRow> = {}): Promise<string> {
  return withStore(async (store) => {
    const owner = await store.query
      .selectFrom('keys')
      .select(['id', 'team_id'])
      .where('hash', '=', hashKey(key))
      .executeTakeFirstOrThrow()
    const now = Date.now()
    const team = {
      ...{ id: owner.team_id, keyId: owner.id, name: '', concurrency: 1 },
      ...{ zeroRetention: false, isOperator: false },
    }
    const params = { team, input: { query: 'tide' }, target: 'tide', origin: undefined, retain: true }
    const row = newJobRow({ kind: 'search', takesSlot: true }, { ...params, deadlineAt: now, price: 2 }, now)
    const ended = { ...row, state: 'completed' as const, finished_at: now, ...changes }
    await store.transaction(async (transaction) => {
      await insertJobs(transaction, [ended])
      await chargeAll(transaction, [chargeFor(ended, ended.credits, now)])
    })
    return ended.id
  })
}

describe('feedback on a search', () => {
  it('refunds one credit, once, also for concurrent calls', async () => {
    const { key, call, remaining } = await newTeam()
    const id = await insertSearch(key)
    expect(await remaining()).toBe(98)
    const send = () => call('POST', `/v2/search/${id}/feedback`, { ...goodFeedback, origin: 'mcp-fastmcp' })
    const answers = await Promise.all(Array.from({ length: 6 }, send))
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200))
    const refunds = answers.map(({ body }) => body.creditsRefunded).sort()
    expect(refunds).toEqual([0, 0, 0, 0, 0, 1])
    expect(answers.filter(({ body }) => body.alreadySubmitted)).toHaveLength(5)
    expect(await remaining()).toBe(99)
    const { periods } = (await call('GET', '/v2/team/credit-usage/historical')).body
    expect(periods).toMatchObject([{ creditsUsed: 1 }])
    expect(await withStore(({ query }) => findWrongBalances(query))).toEqual([])
  })

  it('is sent by the published client, with refunds up to the daily limit of the team', async () => {
    const { key, client, remaining } = await newTeam()
    const answers = []
    for (let count = 0; count < 3; count += 1)
      answers.push(await client.searchFeedback(await insertSearch(key), goodFeedback))
    expect(answers).toMatchObject([
      { success: true, creditsRefunded: 1, creditsRefundedToday: 1, dailyRefundCap: 2 },
      { creditsRefunded: 1, creditsRefundedToday: 2, dailyCapReached: true },
      { creditsRefunded: 0, creditsRefundedToday: 2, dailyCapReached: true },
    ])
    expect(answers[2]?.warning).toContain('TEAM_DAILY_REFUNDS')
    expect(await remaining()).toBe(96)
    const generic = { ...goodFeedback, endpoint: 'search' as const, jobId: await insertSearch(key) }
    expect(await client.feedback(generic)).toMatchObject({ creditsRefunded: 0, dailyCapReached: true })
  })

  it('returns the error codes that clients know', async () => {
    const [{ key, call }, otherTeam] = [await newTeam(), await newTeam()]
    const post = async (id: string, body: unknown = goodFeedback) => {
      const answer = await call('POST', `/v2/search/${id}/feedback`, body)
      return [answer.status, answer.body.feedbackErrorCode]
    }
    expect(await post(randomUUID())).toEqual([404, 'SEARCH_NOT_FOUND'])
    expect(await post(await insertSearch(otherTeam.key))).toEqual([404, 'SEARCH_NOT_FOUND'])
    expect(await post(await insertSearch(key, { state: 'failed', credits: 0 }))).toEqual([
      409,
      'SEARCH_FAILED',
    ])
    const expired = await insertSearch(key, { finished_at: Date.now() - 61 * 60_000 })
    expect(await post(expired)).toEqual([409, 'FEEDBACK_WINDOW_EXPIRED'])
    const id = await insertSearch(key)
    expect(await post('no-id')).toEqual([400, 'INVALID_BODY'])
    expect(await post(id, { rating: 'good' })).toEqual([400, 'INVALID_BODY'])
    expect(await post(id, 'no JSON')).toEqual([400, 'INVALID_BODY'])
    expect(await post(id)).toEqual([200, undefined])
  })
})

describe('a search', () => {
  it('accepts feedback, and refunds one credit', async () => {
    const { call, client, remaining, scrapeId } = await newTeam()
    await scrapeId()
    const search = () => call('POST', '/v2/search', { query: 'text of page' })
    await expect.poll(async () => (await search()).body.data?.web?.length).toBeGreaterThan(0)
    const { id, creditsUsed } = (await search()).body
    const creditsBefore = await remaining()
    expect(creditsUsed).toBe(2)
    expect(await client.searchFeedback(id, goodFeedback)).toMatchObject({ creditsRefunded: 1 })
    expect(await remaining()).toBe(creditsBefore + 1)
  })
})

describe('feedback on other jobs', () => {
  it('accepts feedback on scrapes, maps and files, and listed to the team', async () => {
    const [{ call, client, scrapeId }, otherTeam] = [await newTeam(), await newTeam()]
    const map = await call('POST', '/v2/map', { url: `${site.url}/shop`, limit: 3 })
    const file = await client.parse({ data: '<h1>Fog</h1>', filename: 'fog.html' })
    const jobs = [
      { endpoint: 'scrape', jobId: await scrapeId() },
      { endpoint: 'map', jobId: map.body.id },
      { endpoint: 'parse', jobId: String(file.metadata?.scrapeId) },
    ] as const
    const details = {
      issues: ['missing_table'],
      note: 'No table.',
      pageNumbers: [1],
      metadata: { at: 'top' },
    }
    for (const job of jobs) {
      const answer = await client.feedback({ ...job, rating: 'partial', ...details, integration: null })
      expect(answer).toEqual({ success: true, feedbackId: expect.any(String), creditsRefunded: 0 })
      const again = await client.feedback({ ...job, rating: 'good' })
      expect(again).toMatchObject({ alreadySubmitted: true, feedbackId: answer.feedbackId })
    }
    const { body } = await call('GET', '/v2/feedback?limit=2')
    expect(body.data.map((each: Json) => each.endpoint)).toEqual(['parse', 'map'])
    expect(body.data[0]).toMatchObject({ rating: 'partial', ...details })
    const rest = await call('GET', `/v2/feedback?limit=2&cursor=${body.cursor}`)
    expect(rest.body).toMatchObject({ data: [{ endpoint: 'scrape' }], cursor: null, has_more: false })
    const filtered = await call('GET', '/v2/feedback?endpoint=map&rating=partial')
    expect(filtered.body.data).toMatchObject([{ jobId: map.body.id }])
    expect((await otherTeam.call('GET', '/v2/feedback')).body.data).toEqual([])
  })

  it('is rejected for a job of another kind or another team', async () => {
    const [{ call, scrapeId }, otherTeam] = [await newTeam(), await newTeam()]
    const id = await scrapeId()
    const post = async (callAs: typeof call, body: object) => {
      const answer = await callAs('POST', '/v2/feedback', { rating: 'good', ...body })
      return [answer.status, answer.body.feedbackErrorCode]
    }
    expect(await post(call, { endpoint: 'map', jobId: id })).toEqual([404, 'JOB_NOT_FOUND'])
    expect(await post(otherTeam.call, { endpoint: 'scrape', jobId: id })).toEqual([404, 'JOB_NOT_FOUND'])
    expect(await post(call, { endpoint: 'crawl', jobId: id })).toEqual([400, 'INVALID_BODY'])
  })

  it('is reduced to its rating if the job ran with zero data retention', async () => {
    const { stdout } = await runCommand(['key', 'create', '--team', 'secret'], own.environment)
    await runCommand(['key', 'set', '--team', 'secret', '--zero-retention', 'on'], own.environment)
    const key = stdout.split('\n')[0] ?? ''
    const options = { url: `${site.url}/pages/2`, zeroDataRetention: true }
    const scraped = await own.call('POST', '/v2/scrape', { key, body: options })
    const jobId = scraped.body.data.metadata.scrapeId
    const body = { endpoint: 'scrape', jobId, rating: 'bad', note: 'the secret of the tide' }
    const submitted = await own.call('POST', '/v2/feedback', { key, body })
    expect(submitted.body.warning).toContain('only the rating is kept')
    const { data } = (await own.call('GET', '/v2/feedback', { key })).body
    expect(data).toEqual([expect.objectContaining({ jobId, rating: 'bad' })])
    expect(data[0]).not.toHaveProperty('note')
  })
})
