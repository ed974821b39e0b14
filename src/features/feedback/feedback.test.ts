import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../../test/jobs.ts'
import { chargeAll } from '../../accounts/billing.ts'
import type { Team } from '../../accounts/team.ts'
import { newId } from '../../platform/ids.ts'
import { findWrongBalances, getBalance, sumChargesByDay, sumGrants } from '../../store/credits.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { giveFeedback, listTeamFeedback } from './feedback.ts'
import { type FeedbackRequest, feedbackRequest } from './schema.ts'

afterEach(endJobScenes)

const hourMs = 3600_000
const dayMs = 24 * hourMs

async function setup({ dailyRefunds = 100 } = {}) {
  const { store, deps, time, team, insert } = await jobScene()
  time.now = 100 * dayMs
  const feedback = { store, clock: deps.clock, windowMs: hourMs, dailyRefunds }
  return {
    ...{ store, time, team },
    /** Inserts an ended job: by default a completed search that cost two credits. */
    async search(owner: Team, changes: Partial<JobRow> = {}): Promise<JobRow> {
      const ended = { kind: 'search', state: 'completed' as const, credits: 2, finished_at: time.now }
      const job = await insert(owner, { ...ended, ...changes })
      const charge = { teamId: owner.id, keyId: null, jobId: job.id, kind: job.kind }
      await chargeAll(store.query, [{ ...charge, credits: job.credits, now: time.now }])
      return job
    },
    give: (caller: Team, jobId: string, changes: Partial<FeedbackRequest> = {}) =>
      giveFeedback(feedback, caller, { ...goodRequest, jobId, ...changes }),
    list: (caller: Team, limit = 50, cursor?: string) =>
      listTeamFeedback(feedback, caller, { ...allFeedback, limit, cursor }),
  }
}

const allFeedback = { endpoint: undefined, rating: undefined, jobId: undefined }
const goodRequest: FeedbackRequest = {
  ...{ endpoint: 'search', jobId: '', rating: 'good' },
  valuableSources: [{ url: 'https://tide.example/', reason: 'names the hour' }],
}

describe('feedback on a search', () => {
  it('is stored and refunds one credit, without a grant', async () => {
    const { store, team, search, give, list } = await setup()
    const customer = await team('asker', { balance: 0 })
    const job = await search(customer)
    const response = await give(customer, job.id)
    expect(response).toEqual({
      feedbackId: expect.any(String),
      ...{ creditsRefunded: 1, creditsRefundedToday: 1, dailyRefundCap: 100 },
    })
    expect(await getBalance(store.query, customer.id)).toBe(-1)
    expect(await sumGrants(store.query, customer.id)).toBe(0)
    expect(await sumChargesByDay(store.query, customer.id, 0)).toMatchObject([{ day: 100, credits: 1 }])
    expect(await findWrongBalances(store.query)).toEqual([])
    expect((await list(customer)).data).toMatchObject([
      { feedbackId: response.feedbackId, jobId: job.id, creditsRefunded: 1, ...withoutJob(goodRequest) },
    ])
  })

  it('is stored and refunded once, also for concurrent and repeated calls', async () => {
    const { store, team, search, give, list } = await setup()
    const customer = await team('asker', { balance: 0 })
    const job = await search(customer)
    const responses = await Promise.all(Array.from({ length: 8 }, () => give(customer, job.id)))
    expect(responses.map(({ creditsRefunded }) => creditsRefunded).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
    expect(responses.filter(({ alreadySubmitted }) => alreadySubmitted)).toHaveLength(7)
    expect(new Set(responses.map(({ feedbackId }) => feedbackId)).size).toBe(1)
    const later = await give(customer, job.id.toUpperCase(), {
      rating: 'bad',
      querySuggestions: 'other words',
    })
    expect(later).toMatchObject({ alreadySubmitted: true, creditsRefunded: 0, creditsRefundedToday: 1 })
    expect(await getBalance(store.query, customer.id)).toBe(-1)
    expect((await list(customer)).data).toMatchObject([{ rating: 'good' }])
  })

  it('is refunded up to the daily maximum of the team, with a warning beyond it', async () => {
    const { time, team, search, give } = await setup({ dailyRefunds: 2 })
    const [customer, other] = [await team('asker'), await team('other')]
    const jobs = [await search(customer), await search(customer), await search(customer)]
    const responses = []
    for (const { id } of jobs) responses.push(await give(customer, id))
    expect(responses).toMatchObject([
      { creditsRefunded: 1, creditsRefundedToday: 1, dailyRefundCap: 2 },
      { creditsRefunded: 1, creditsRefundedToday: 2, dailyCapReached: true },
      { creditsRefunded: 0, creditsRefundedToday: 2, dailyCapReached: true },
    ])
    expect(responses.map(({ warning }) => warning?.includes('TEAM_DAILY_REFUNDS is 2'))).toEqual([
      undefined,
      undefined,
      true,
    ])
    expect(await give(other, (await search(other)).id)).toMatchObject({ creditsRefunded: 1 })
    time.now += dayMs
    const next = await give(customer, (await search(customer)).id)
    expect(next).toMatchObject({ creditsRefunded: 1, creditsRefundedToday: 1 })
  })

  it('is not refunded with dailyRefunds 0 or for a free search', async () => {
    const { team, search, give } = await setup({ dailyRefunds: 0 })
    const customer = await team('asker')
    expect(await give(customer, (await search(customer)).id)).toMatchObject({
      ...{ creditsRefunded: 0, dailyCapReached: true, dailyRefundCap: 0 },
    })
    const open = await setup()
    const free = await open.search(await open.team('asker'), { credits: 0 })
    expect(await open.give({ ...customer, id: free.team_id }, free.id)).toMatchObject({ creditsRefunded: 0 })
  })

  it('is rejected for a failed search, and after the feedback window', async () => {
    const { time, team, search, give } = await setup()
    const customer = await team('asker')
    const failed = await search(customer, { state: 'failed', credits: 0 })
    await expect(give(customer, failed.id)).rejects.toMatchObject({ code: 'FEEDBACK_ON_FAILED_JOB' })
    const [first, second] = [await search(customer), await search(customer)]
    time.now += hourMs
    const { feedbackId } = await give(customer, first.id)
    time.now += 1
    await expect(give(customer, second.id)).rejects.toMatchObject({ code: 'FEEDBACK_WINDOW_EXPIRED' })
    expect(await give(customer, first.id)).toMatchObject({ alreadySubmitted: true, feedbackId })
  })
})

describe('feedback on a job', () => {
  it('is rejected with JOB_NOT_FOUND if the team has no such ended job', async () => {
    const { team, search, give } = await setup()
    const [customer, other] = [await team('asker'), await team('other')]
    const otherJob = await search(other)
    const running = await search(customer, { state: 'running', finished_at: null })
    const scrape = await search(customer, { kind: 'scrape' })
    for (const id of [newId(), otherJob.id, running.id, scrape.id])
      await expect(give(customer, id)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
    await expect(give(customer, 'no id')).rejects.toMatchObject({ code: 'INVALID_JOB_ID' })
  })

  it('is stored without a refund for a scrape', async () => {
    const { team, search, give, list } = await setup()
    const customer = await team('asker')
    const scrape = await search(customer, { kind: 'scrape', state: 'failed', credits: 1 })
    const content = { note: 'The table is missing.', issues: ['missing_table'], metadata: { format: 'html' } }
    const response = await give(customer, scrape.id, { endpoint: 'scrape', rating: 'bad', ...content })
    expect(response).toEqual({ feedbackId: expect.any(String), creditsRefunded: 0 })
    expect((await list(customer)).data).toMatchObject([{ endpoint: 'scrape', rating: 'bad', ...content }])
  })

  it('stores only the rating for a job with zero data retention', async () => {
    const { team, search, give, list, store } = await setup()
    const customer = await team('asker')
    const { warning } = await give(customer, (await search(customer, { retain: 0 })).id)
    expect(warning).toContain('only the rating is kept')
    const rows = await store.query.selectFrom('feedback').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('tide')
    expect((await list(customer)).data).toMatchObject([{ rating: 'good', creditsRefunded: 1 }])
  })

  it('is listed in pages, only for its own team', async () => {
    const { team, search, give, list } = await setup()
    const [customer, other] = [await team('asker'), await team('other')]
    const ids = []
    for (let count = 0; count < 3; count += 1)
      ids.unshift((await give(customer, (await search(customer)).id)).feedbackId)
    const first = await list(customer, 2)
    expect(first.data.map(({ feedbackId }) => feedbackId)).toEqual(ids.slice(0, 2))
    const second = await list(customer, 2, first.cursor ?? '')
    expect([second.data.map(({ feedbackId }) => feedbackId), second.cursor]).toEqual([ids.slice(2), null])
    expect((await list(other)).data).toEqual([])
  })
})

describe('feedbackRequest', () => {
  const isAccepted = (request: object) => feedbackRequest.safeParse({ jobId: newId(), ...request }).success
  const source = { valuableSources: [{ url: 'https://tide.example/' }] }
  const missing = { missingContent: [{ topic: 'neap tides' }] }

  it('requires fields that depend on the rating of a search', () => {
    const isSearchAccepted = (rating: string, request: object) =>
      isAccepted({ endpoint: 'search', rating, ...request })
    expect([
      isSearchAccepted('good', source),
      isSearchAccepted('good', missing),
      isSearchAccepted('good', {}),
    ]).toEqual([true, false, false])
    expect([
      isSearchAccepted('partial', source),
      isSearchAccepted('partial', missing),
      isSearchAccepted('partial', {}),
    ]).toEqual([true, true, false])
    const suggestion = { querySuggestions: 'the name of the port' }
    expect([
      isSearchAccepted('bad', missing),
      isSearchAccepted('bad', suggestion),
      isSearchAccepted('bad', source),
    ]).toEqual([true, true, false])
    expect(isAccepted({ endpoint: 'scrape', rating: 'good' })).toBe(true)
  })

  it('accepts values within the limits and rejects others', () => {
    const isMapAccepted = (request: object) => isAccepted({ endpoint: 'map', rating: 'bad', ...request })
    expect(isMapAccepted({ issues: Array(20).fill('wrong_links'), pageNumbers: [1], tags: ['a-1'] })).toBe(
      true,
    )
    const rejected = [
      { issues: Array(21).fill('wrong_links') },
      { tags: ['Wrong links'] },
      { tags: ['a'.repeat(81)] },
      { note: 'a'.repeat(4001) },
      { pageNumbers: Array(101).fill(1) },
      { pageNumbers: [0] },
      { metadata: { text: 'a'.repeat(8192) } },
      { valuableSources: Array(51).fill(source.valuableSources[0]) },
      { missingContent: [{ topic: '' }] },
      { querySuggestions: 'a'.repeat(2001) },
      { rating: 'fine' },
      { jobId: 'no id' },
      { unknown: 1 },
    ]
    expect(rejected.filter(isMapAccepted)).toEqual([])
  })
})

function withoutJob({ endpoint: _, jobId: __, ...rest }: FeedbackRequest) {
  return rest
}
