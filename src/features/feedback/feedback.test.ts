import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../../test/jobs.ts'
import { chargeAll } from '../../accounts/billing.ts'
import type { Team } from '../../accounts/team.ts'
import { newId } from '../../platform/ids.ts'
import { balanceOf, chargesByDay, findWrongBalances, grantsOf } from '../../store/credits.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { giveFeedback, listTeamFeedback } from './feedback.ts'
import { type FeedbackRequest, feedbackRequest } from './schema.ts'

afterEach(endJobScenes)

const hour = 3600_000
const day = 24 * hour

async function scene({ dailyRefunds = 100 } = {}) {
  const { store, deps, time, team, insert } = await jobScene()
  time.now = 100 * day
  const feedback = { store, clock: deps.clock, windowMs: hour, dailyRefunds }
  return {
    ...{ store, time, team },
    /** A search that cost two credits and has ended. */
    async search(of: Team, changes: Partial<JobRow> = {}): Promise<JobRow> {
      const ended = { kind: 'search', state: 'completed' as const, credits: 2, finished_at: time.now }
      const job = await insert(of, { ...ended, ...changes })
      const charge = { teamId: of.id, keyId: null, jobId: job.id, kind: job.kind }
      await chargeAll(store.query, [{ ...charge, credits: job.credits, now: time.now }])
      return job
    },
    give: (by: Team, jobId: string, changes: Partial<FeedbackRequest> = {}) =>
      giveFeedback(feedback, by, { ...good, jobId, ...changes }),
    given: (by: Team, limit = 50, cursor?: string) =>
      listTeamFeedback(feedback, by, { ...everything, limit, cursor }),
  }
}

const everything = { endpoint: undefined, rating: undefined, jobId: undefined }
const good: FeedbackRequest = {
  ...{ endpoint: 'search', jobId: '', rating: 'good' },
  valuableSources: [{ url: 'https://tide.example/', reason: 'names the hour' }],
}

describe('feedback on a search', () => {
  it('is kept and gives one credit back, which lowers what was used and grants nothing', async () => {
    const { store, team, search, give, given } = await scene()
    const asker = await team('asker', { balance: 0 })
    const job = await search(asker)
    const answer = await give(asker, job.id)
    expect(answer).toEqual({
      feedbackId: expect.any(String),
      ...{ creditsRefunded: 1, creditsRefundedToday: 1, dailyRefundCap: 100 },
    })
    expect(await balanceOf(store.query, asker.id)).toBe(-1)
    expect(await grantsOf(store.query, asker.id)).toBe(0)
    expect(await chargesByDay(store.query, asker.id, 0)).toMatchObject([{ day: 100, credits: 1 }])
    expect(await findWrongBalances(store.query)).toEqual([])
    expect((await given(asker)).data).toMatchObject([
      { feedbackId: answer.feedbackId, jobId: job.id, creditsRefunded: 1, ...said(good) },
    ])
  })

  it('is refunded once, however often and at once it comes, and stays as it was', async () => {
    const { store, team, search, give, given } = await scene()
    const asker = await team('asker', { balance: 0 })
    const job = await search(asker)
    const answers = await Promise.all(Array.from({ length: 8 }, () => give(asker, job.id)))
    expect(answers.map(({ creditsRefunded }) => creditsRefunded).sort()).toEqual([0, 0, 0, 0, 0, 0, 0, 1])
    expect(answers.filter(({ alreadySubmitted }) => alreadySubmitted)).toHaveLength(7)
    expect(new Set(answers.map(({ feedbackId }) => feedbackId)).size).toBe(1)
    const later = await give(asker, job.id.toUpperCase(), { rating: 'bad', querySuggestions: 'other words' })
    expect(later).toMatchObject({ alreadySubmitted: true, creditsRefunded: 0, creditsRefundedToday: 1 })
    expect(await balanceOf(store.query, asker.id)).toBe(-1)
    expect((await given(asker)).data).toMatchObject([{ rating: 'good' }])
  })

  it('gives back no more than a team gets per day, and says so', async () => {
    const { time, team, search, give } = await scene({ dailyRefunds: 2 })
    const [asker, other] = [await team('asker'), await team('other')]
    const jobs = [await search(asker), await search(asker), await search(asker)]
    const answers = []
    for (const { id } of jobs) answers.push(await give(asker, id))
    expect(answers).toMatchObject([
      { creditsRefunded: 1, creditsRefundedToday: 1, dailyRefundCap: 2 },
      { creditsRefunded: 1, creditsRefundedToday: 2, dailyCapReached: true },
      { creditsRefunded: 0, creditsRefundedToday: 2, dailyCapReached: true },
    ])
    expect(answers.map(({ warning }) => warning?.includes('TEAM_DAILY_REFUNDS is 2'))).toEqual([
      undefined,
      undefined,
      true,
    ])
    expect(await give(other, (await search(other)).id)).toMatchObject({ creditsRefunded: 1 })
    time.now += day
    const next = await give(asker, (await search(asker)).id)
    expect(next).toMatchObject({ creditsRefunded: 1, creditsRefundedToday: 1 })
  })

  it('gives nothing back where a team gets nothing, or where the search was free', async () => {
    const { team, search, give } = await scene({ dailyRefunds: 0 })
    const asker = await team('asker')
    expect(await give(asker, (await search(asker)).id)).toMatchObject({
      ...{ creditsRefunded: 0, dailyCapReached: true, dailyRefundCap: 0 },
    })
    const open = await scene()
    const free = await open.search(await open.team('asker'), { credits: 0 })
    expect(await open.give({ ...asker, id: free.team_id }, free.id)).toMatchObject({ creditsRefunded: 0 })
  })

  it('is refused where the search failed, or has ended too long ago', async () => {
    const { time, team, search, give } = await scene()
    const asker = await team('asker')
    const failed = await search(asker, { state: 'failed', credits: 0 })
    await expect(give(asker, failed.id)).rejects.toMatchObject({ code: 'FEEDBACK_ON_FAILED_JOB' })
    const [first, second] = [await search(asker), await search(asker)]
    time.now += hour
    const { feedbackId } = await give(asker, first.id)
    time.now += 1
    await expect(give(asker, second.id)).rejects.toMatchObject({ code: 'FEEDBACK_WINDOW_EXPIRED' })
    expect(await give(asker, first.id)).toMatchObject({ alreadySubmitted: true, feedbackId })
  })
})

describe('feedback on a job', () => {
  it('is refused where the team has no such job', async () => {
    const { team, search, give } = await scene()
    const [asker, other] = [await team('asker'), await team('other')]
    const theirs = await search(other)
    const running = await search(asker, { state: 'running', finished_at: null })
    const scrape = await search(asker, { kind: 'scrape' })
    for (const id of [newId(), theirs.id, running.id, scrape.id])
      await expect(give(asker, id)).rejects.toMatchObject({ code: 'JOB_NOT_FOUND' })
    await expect(give(asker, 'no id')).rejects.toMatchObject({ code: 'INVALID_JOB_ID' })
  })

  it('is kept without a refund where the job is no search', async () => {
    const { team, search, give, given } = await scene()
    const asker = await team('asker')
    const scrape = await search(asker, { kind: 'scrape', state: 'failed', credits: 1 })
    const said = { note: 'The table is missing.', issues: ['missing_table'], metadata: { format: 'html' } }
    const answer = await give(asker, scrape.id, { endpoint: 'scrape', rating: 'bad', ...said })
    expect(answer).toEqual({ feedbackId: expect.any(String), creditsRefunded: 0 })
    expect((await given(asker)).data).toMatchObject([{ endpoint: 'scrape', rating: 'bad', ...said }])
  })

  it('keeps only the rating where nothing may be kept of the job', async () => {
    const { team, search, give, given, store } = await scene()
    const asker = await team('asker')
    const { warning } = await give(asker, (await search(asker, { retain: 0 })).id)
    expect(warning).toContain('only the rating is kept')
    const rows = await store.query.selectFrom('feedback').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('tide')
    expect((await given(asker)).data).toMatchObject([{ rating: 'good', creditsRefunded: 1 }])
  })

  it('is listed page by page, to its own team', async () => {
    const { team, search, give, given } = await scene()
    const [asker, other] = [await team('asker'), await team('other')]
    const ids = []
    for (let count = 0; count < 3; count += 1)
      ids.unshift((await give(asker, (await search(asker)).id)).feedbackId)
    const first = await given(asker, 2)
    expect(first.data.map(({ feedbackId }) => feedbackId)).toEqual(ids.slice(0, 2))
    const second = await given(asker, 2, first.cursor ?? '')
    expect([second.data.map(({ feedbackId }) => feedbackId), second.cursor]).toEqual([ids.slice(2), null])
    expect((await given(other)).data).toEqual([])
  })
})

describe('what feedback has to say', () => {
  const fits = (request: object) => feedbackRequest.safeParse({ jobId: newId(), ...request }).success
  const source = { valuableSources: [{ url: 'https://tide.example/' }] }
  const missing = { missingContent: [{ topic: 'neap tides' }] }

  it('depends on the rating of a search', () => {
    const of = (rating: string, request: object) => fits({ endpoint: 'search', rating, ...request })
    expect([of('good', source), of('good', missing), of('good', {})]).toEqual([true, false, false])
    expect([of('partial', source), of('partial', missing), of('partial', {})]).toEqual([true, true, false])
    const suggestion = { querySuggestions: 'the name of the port' }
    expect([of('bad', missing), of('bad', suggestion), of('bad', source)]).toEqual([true, true, false])
    expect(fits({ endpoint: 'scrape', rating: 'good' })).toBe(true)
  })

  it('stays within its bounds', () => {
    const of = (request: object) => fits({ endpoint: 'map', rating: 'bad', ...request })
    expect(of({ issues: Array(20).fill('wrong_links'), pageNumbers: [1], tags: ['a-1'] })).toBe(true)
    const beyond = [
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
    expect(beyond.filter(of)).toEqual([])
  })
})

function said({ endpoint: _, jobId: __, ...rest }: FeedbackRequest) {
  return rest
}
