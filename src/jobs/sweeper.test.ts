import { afterEach, describe, expect, it, vi } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { newId } from '../platform/ids.ts'
import { silentLog } from '../platform/log.ts'
import { insertDeliveries, listDeliveries } from '../store/deliveries.ts'
import { getRefundedCredits, insertFeedback, listFeedback, reserveRefund } from '../store/feedback.ts'
import { findFile, insertFile } from '../store/files.ts'
import { findCrawl, insertCrawl } from '../store/frontier.ts'
import { addModelUsage, countCallsOfDay, listModelUsageSince } from '../store/jobs/daily-usage.ts'
import { findIdempotencyUse, useIdempotencyKey } from '../store/jobs/idempotency.ts'
import { findJob, insertJobs, type JobRow } from '../store/jobs/jobs.ts'
import { findPage, storePage } from '../store/pages.ts'
import { takeFromWindow } from '../store/rates.ts'
import { findSiteFile, storeSiteFile } from '../store/site-files.ts'
import { startSweeper, sweep } from './sweeper.ts'

afterEach(endJobScenes)
afterEach(() => vi.useRealTimers())

const hour = 3600_000
const day = 24 * hour

/** Creates a scene with a retention of one day, and two days for pages. The time is day 100. */
async function scene() {
  const jobs = await jobScene()
  jobs.time.now = 100 * day
  const team = await jobs.team('team')
  const { blobs } = jobs.deps
  const names = new Map<string, string>()
  const deps = { ...jobs.deps, retentionHours: 24, cacheDays: 2, removeIndexedPages: async () => {} }
  return {
    ...{ deps, store: jobs.store, teamId: team.id },
    ago: (time: number) => jobs.time.now - time,
    sweep: () => sweep(deps),
    put: (changes: Partial<JobRow>) => jobs.insert(team, { state: 'completed', ...changes }),
    isThere: async ({ id }: JobRow) => (await findJob(jobs.store.query, id)) !== undefined,
    async blob(key: string) {
      const name = await blobs.put(key, Buffer.from('bytes'))
      names.set(key, name)
      return name
    },
    blobsLeft: async (...keys: string[]) => {
      const found = await Promise.all(keys.map((key) => blobs.get(names.get(key) ?? '')))
      return keys.filter((_, index) => found[index] !== undefined)
    },
  }
}

describe('expired jobs', () => {
  it('are removed with their results after the retention time', async () => {
    const { put, isThere, ago, blob, blobsLeft, sweep } = await scene()
    const old = await put({ finished_at: ago(day + 1), result_blob: await blob('old') })
    const fresh = await put({ finished_at: ago(day - 1), result_blob: await blob('fresh') })
    const queued = await put({ state: 'queued', created_at: ago(9 * day) })
    await sweep()
    expect(await Promise.all([old, fresh, queued].map(isThere))).toEqual([false, true, true])
    expect(await blobsLeft('old', 'fresh')).toEqual(['fresh'])
  })

  it('are retained as long as their parent', async () => {
    const { put, isThere, ago, sweep } = await scene()
    const [running, ended] = [
      await put({ state: 'running', takes_slot: 0 }),
      await put({ takes_slot: 0, finished_at: ago(2 * day) }),
    ]
    const [retained, removed] = [
      await put({ finished_at: ago(9 * day), parent_id: running.id }),
      await put({ finished_at: ago(9 * day), parent_id: ended.id }),
    ]
    await sweep()
    expect(await Promise.all([running, retained, ended, removed].map(isThere))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })
})

describe('sweep', () => {
  it('removes jobs with the same end time in several batches, past retained pages', async () => {
    const { store, put, isThere, ago, sweep } = await scene()
    const running = await put({ state: 'running', takes_slot: 0 })
    const retained = await put({ finished_at: ago(3 * day), parent_id: running.id })
    const template = await put({ finished_at: ago(2 * day) })
    const { id: _, ...rest } = template
    await insertJobs(
      store.query,
      Array.from({ length: 1100 }, () => ({ ...rest, id: newId() })),
    )
    const last = await put({ finished_at: ago(day + 1) })
    await sweep()
    expect(await Promise.all([retained, template, last].map(isThere))).toEqual([true, false, false])
    const remaining = await store.query.selectFrom('jobs').select('id').execute()
    expect(remaining.map(({ id }) => id).sort()).toEqual([running.id, retained.id].sort())
  })
})

describe('call counts', () => {
  it('include removed jobs once on their day, without their pages', async () => {
    const { store, teamId, put, ago, sweep } = await scene()
    const parent = await put({ kind: 'crawl', created_at: ago(3 * day), finished_at: ago(2 * day) })
    await put({ parent_id: parent.id, created_at: ago(3 * day), finished_at: ago(2 * day) })
    await put({ state: 'failed', created_at: ago(3 * day), finished_at: ago(2 * day) })
    await put({ created_at: ago(400 * day), finished_at: ago(399 * day) })
    await put({ finished_at: ago(1), created_at: ago(hour) })
    const calls = async () => {
      const lines: string[] = []
      for (let number = -300; number <= 100; number += 1)
        for (const row of await countCallsOfDay(store.query, { teamId, day: number }))
          lines.push(`${number} ${row.state} ${row.calls}`)
      return lines.sort()
    }
    const expected = ['97 completed 1', '97 failed 1', '99 completed 1']
    await sweep()
    expect(await calls()).toEqual(expected)
    await sweep()
    expect(await calls()).toEqual(expected)
  })
})

describe('expired fetched data', () => {
  it('removes cached pages with their blobs after the cache days', async () => {
    const { store, teamId, ago, blob, blobsLeft, sweep } = await scene()
    for (const [key, age] of Object.entries({ old: 2 * day + 1, fresh: 2 * day - 1 })) {
      const page = { cache_key: key, team_id: teamId, url: key, requested_url: key, status: 200 }
      const stored = { rendered: 0, body: null, blob: await blob(key), notes: null, fetched_at: ago(age) }
      await storePage(store, { ...page, ...stored, headers: '{}', bytes: 1 }, { maxTeamBytes: 100 })
    }
    await sweep()
    const findCached = (cacheKey: string) =>
      findPage(store.query, { teamId, cacheKey, fetchedAfter: 0, fetchedBefore: ago(0) })
    expect([await findCached('old'), await findCached('fresh')]).toMatchObject([
      undefined,
      { cache_key: 'fresh' },
    ])
    expect(await blobsLeft('old', 'fresh')).toEqual(['fresh'])
  })

  it('removes site files after a week', async () => {
    const { store, teamId, ago, blob, blobsLeft, sweep } = await scene()
    for (const [url, age] of [
      ['old', 7 * day + 1],
      ['fresh', 7 * day - 1],
    ] as const)
      await storeSiteFile(store.query, {
        ...{ team_id: teamId, url, status: 200, content_type: null, body: null },
        ...{ blob: await blob(url), fetched_at: ago(age) },
      })
    await sweep()
    const findSiteFileOf = (url: string) => findSiteFile(store.query, { teamId, url, fetchedAfter: 0 })
    expect([await findSiteFileOf('old'), await findSiteFileOf('fresh')]).toMatchObject([
      undefined,
      { url: 'fresh' },
    ])
    expect(await blobsLeft('old', 'fresh')).toEqual(['fresh'])
  })

  it('removes files of responses when they expire', async () => {
    const { store, teamId, ago, blob, blobsLeft, sweep } = await scene()
    for (const [id, age] of [
      ['old', 1],
      ['fresh', -1],
    ] as const)
      await insertFile(store.query, {
        ...{ id, team_id: teamId, media_type: 'image/png', blob: await blob(id), expires_at: ago(age) },
      })
    await sweep()
    expect([await findFile(store.query, 'old'), await findFile(store.query, 'fresh')]).toMatchObject([
      undefined,
      { id: 'fresh' },
    ])
    expect(await blobsLeft('old', 'fresh')).toEqual(['fresh'])
  })
})

describe('data of a call', () => {
  it('removes crawls with their job', async () => {
    const { store, put, ago, sweep } = await scene()
    const [old, fresh] = [await put({ finished_at: ago(2 * day) }), await put({ finished_at: ago(1) })]
    for (const { id } of [old, fresh])
      await insertCrawl(store.query, {
        ...{ job_id: id, options: '{}', price: 1, most_living: 1, room: 1, tries: 1, delay: 0 },
        ...{ rest_reason: null, skipped: null, known: 0, notes: '[]' },
      })
    await sweep()
    expect([await findCrawl(store.query, old.id), await findCrawl(store.query, fresh.id)]).toMatchObject([
      undefined,
      { job_id: fresh.id },
    ])
  })

  it('removes expired idempotency keys', async () => {
    const { store, teamId, ago, sweep } = await scene()
    for (const [key, age] of [
      ['old', day + 1],
      ['fresh', day - 1],
    ] as const)
      await useIdempotencyKey(store.query, { teamId, key, jobId: key, now: ago(age) })
    await sweep()
    const jobs = ['old', 'fresh'].map((key) => findIdempotencyUse(store.query, teamId, key))
    expect((await Promise.all(jobs)).map((used) => used?.job_id)).toEqual([undefined, 'fresh'])
  })

  it('removes rate windows that are over', async () => {
    const { store, teamId, ago, sweep } = await scene()
    const minutes = [2, 1, 0].map((age) => Math.floor(ago(age * 60_000) / 60_000))
    for (const minute of minutes) await takeFromWindow(store.query, { teamId, lane: 'a', minute }, 1)
    await sweep()
    const counts: number[] = []
    for (const minute of minutes)
      counts.push(await takeFromWindow(store.query, { teamId, lane: 'a', minute }, 1))
    expect(counts).toEqual([1, 2, 2])
  })

  it('removes finished deliveries, and retains waiting ones', async () => {
    const { store, teamId, ago, sweep } = await scene()
    const common = {
      ...{ team_id: teamId, job_id: 'job', child_id: null, event: 'crawl.page', stage: 1, error: null },
      ...{ attempts: 1, next_at: 0, lease_until: 0, log: '[]', finished_at: null },
    }
    await insertDeliveries(store.query, [
      { ...common, id: 'old', state: 'delivered', created_at: ago(day + 1) },
      { ...common, id: 'waits', state: 'waiting', created_at: ago(day + 1) },
      { ...common, id: 'fresh', state: 'delivered', created_at: ago(day - 1) },
    ])
    await sweep()
    const filter = { teamId, jobId: undefined, state: undefined, before: undefined, limit: 9 }
    const remaining = await listDeliveries(store.query, filter)
    expect(remaining.map(({ id }) => id).sort()).toEqual(['fresh', 'waits'])
  })
})

describe('feedback', () => {
  it('is retained as long as jobs, and refunds until the end of their day', async () => {
    const { store, teamId, ago, sweep } = await scene()
    const common = { team_id: teamId, endpoint: 'map', rating: 'bad', content: null, refunded: 0 }
    for (const [id, age] of [
      ['old', day + 1],
      ['fresh', day - 1],
    ] as const)
      await insertFeedback(store.query, { ...common, id, job_id: id, created_at: ago(age) })
    const days = [99, 100].map((number) => ({ teamId, day: number }))
    for (const refundDay of days) await reserveRefund(store.query, refundDay, { credits: 1, max: 9 })
    await sweep()
    const filter = { endpoint: undefined, rating: undefined, jobId: undefined, before: undefined, limit: 9 }
    const remaining = await listFeedback(store.query, { teamId, ...filter })
    expect(remaining.map(({ id }) => id)).toEqual(['fresh'])
    expect(await Promise.all(days.map((refundDay) => getRefundedCredits(store.query, refundDay)))).toEqual([
      0, 1,
    ])
  })
})

describe('model usage', () => {
  it('is retained for a year', async () => {
    const { store, teamId, sweep } = await scene()
    for (const number of [-267, -266, 100])
      await addModelUsage(store.query, { teamId, day: number }, { input: 1, output: 1, calls: 1 })
    await sweep()
    const remaining = await listModelUsageSince(store.query, { teamId, day: -1000 })
    expect(remaining.map((row) => row.day)).toEqual([-266, 100])
  })
})

describe('rows that only earlier versions use', () => {
  it('are removed in any number', async () => {
    const { store, teamId, ago, sweep } = await scene()
    const rows = Array.from({ length: 501 }, (_, index) => ({
      ...{ id: `row ${index}`, team_id: teamId, host: 'a.example', memory: '{}', used_at: ago(1) },
    }))
    await store.query.insertInto('learned').values(rows).execute()
    await sweep()
    expect(await store.query.selectFrom('learned').select('id').execute()).toEqual([])
  })
})

describe('startSweeper', () => {
  it('sweeps every ten minutes until it is stopped', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { deps, put, isThere, ago } = await scene()
    const sweeper = startSweeper(deps)
    const first = await put({ finished_at: ago(2 * day) })
    vi.advanceTimersByTime(10 * 60_000)
    await expect.poll(() => isThere(first)).toBe(false)
    sweeper.stop()
    const second = await put({ finished_at: ago(2 * day) })
    vi.advanceTimersByTime(20 * 60_000)
    expect(await isThere(second)).toBe(true)
  })
  it('skips sweeps while one is running, and continues afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { deps, put, isThere, ago, blob } = await scene()
    const removing: string[] = []
    const warned: string[] = []
    const gate = Promise.withResolvers<void>()
    const blobs = {
      ...deps.blobs,
      async delete(key: string) {
        removing.push(key)
        await gate.promise
      },
    }
    const log = { ...silentLog, warn: (_: object, message: string) => void warned.push(message) }
    const sweeper = startSweeper({ ...deps, blobs, log })
    const first = await blob('first')
    await put({ finished_at: ago(2 * day), result_blob: first })
    vi.advanceTimersByTime(10 * 60_000)
    await expect.poll(() => removing).toEqual([first])
    const secondBlob = await blob('second')
    const second = await put({ finished_at: ago(2 * day), result_blob: secondBlob })
    vi.advanceTimersByTime(20 * 60_000)
    // A concurrent sweep would have removed the second job by now.
    await sweep({ ...deps, retentionHours: 1000 })
    expect(await isThere(second)).toBe(true)
    expect(removing).toEqual([first])
    expect(warned).toEqual(Array(2).fill(expect.stringContaining('longer than ten minutes')))
    gate.resolve()
    const removedNext = () => {
      vi.advanceTimersByTime(10 * 60_000)
      return removing
    }
    await expect.poll(removedNext).toEqual([first, secondBlob])
    sweeper.stop()
  })
})
