import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { getBalance } from '../store/credits.ts'
import { findJob, type JobRow } from '../store/jobs/jobs.ts'
import type { Store } from '../store/schema.ts'
import { findSession, insertSession } from '../store/sessions.ts'
import { createJobFinisher } from './finish-jobs.ts'
import type { EndedChild } from './finish-parent.ts'

afterEach(endJobScenes)

/** Creates a finisher that records the durability of its transactions, and hooks that may throw. */
async function scene({ thrown }: { thrown?: Error } = {}) {
  const jobs = await jobScene()
  const team = await jobs.team('team', { balance: 100 })
  const durable: unknown[] = []
  const store: Store = {
    ...jobs.store,
    transaction(work, options) {
      durable.push(options?.durable)
      return jobs.store.transaction(work, options)
    },
  }
  const notified: EndedChild[][] = []
  const finish = createJobFinisher(store, {
    ...jobs.deps.parentHooks,
    async childrenEnded(_, ended) {
      notified.push(ended)
      if (thrown) throw thrown
    },
  })
  const running = { state: 'running', leased_by: 'me', lease_until: jobs.time.now + 1000 } as const
  return {
    ...{ durable, told: notified, store: jobs.store },
    put: (changes: Partial<JobRow> = {}) => jobs.insert(team, { ...running, ...changes }),
    end: (row: JobRow, { holder = 'me', credits = 5, note = undefined as unknown } = {}) => {
      const fields = { result: '"done"', resultBlob: null, error: undefined, input: '{}', erase: false }
      const ending = {
        id: row.id,
        holder,
        state: 'completed' as const,
        credits,
        now: jobs.time.now,
        ...fields,
      }
      return finish(row, ending, note)
    },
    now: async ({ id }: JobRow) => (await findJob(jobs.store.query, id)) ?? expect.unreachable(),
    balance: () => getBalance(jobs.store.query, team.id),
  }
}

describe('createJobFinisher', () => {
  it('records the end of a job with its charge', async () => {
    const { put, end, now, balance } = await scene()
    const job = await put()
    expect(await end(job)).toBe(true)
    const ended = { state: 'completed', credits: 5, result: '"done"', leased_by: null, ended_number: null }
    expect(await now(job)).toMatchObject(ended)
    expect(await balance()).toBe(95)
  })

  it('records and charges once if two calls end the job concurrently', async () => {
    const { put, end, balance } = await scene()
    const job = await put()
    expect(await Promise.all([end(job), end(job)])).toEqual([true, false])
    expect(await balance()).toBe(95)
  })

  it('changes nothing if another process holds the job', async () => {
    const { put, end, now, balance, told: notified } = await scene()
    const job = await put({ leased_by: 'other', parent_id: (await put({ takes_slot: 0 })).id })
    expect(await end(job)).toBe(false)
    expect(await now(job)).toMatchObject({ state: 'running', result: null })
    expect([await balance(), notified]).toEqual([100, []])
  })

  it('is durable for a job with a caller, not for a page of a batch', async () => {
    const { put, end, durable } = await scene()
    const batch = await put({ takes_slot: 0 })
    await end(await put())
    await end(await put({ parent_id: batch.id }))
    expect(durable).toEqual([true, false])
  })
})

describe('end of a session', () => {
  it('ends the browser session of the job', async () => {
    const { put, end, now, store } = await scene()
    const job = await put({ kind: 'browser', takes_slot: 0 })
    await insertSession(store.query, {
      ...{ id: job.id, team_id: job.team_id, scrape_id: null, status: 'active', home: '', holder: 'me' },
      ...{ ttl: 60, activity_ttl: 60, stream_web_view: 0, profile_name: null, profile_save: 0 },
      ...{ used_prompt: 0, created_at: 0, last_activity: 0, expires_at: 1, ended_at: null, reason: null },
      credits: 0,
    })
    await end(job)
    expect(await now(job)).toMatchObject({ state: 'completed' })
    const ended = { status: 'destroyed', reason: 'interrupted', credits: 5 }
    expect(await findSession(store.query, job.id)).toMatchObject(ended)
  })
})

describe('concurrent ends', () => {
  it('share a transaction, and each is charged', async () => {
    const { put, end, durable, balance } = await scene()
    const jobs = await Promise.all(Array.from({ length: 10 }, () => put()))
    const ends = await Promise.all(jobs.map((job) => end(job, { credits: 2 })))
    expect(ends).toEqual(jobs.map(() => true))
    // The first entry is written immediately.
    expect(durable).toHaveLength(2)
    expect(await balance()).toBe(80)
  })

  it('number the children of each parent in the order of their ends', async () => {
    const { put, end, now } = await scene()
    const [batch, other] = [await put({ takes_slot: 0 }), await put({ takes_slot: 0 })]
    const [first, second, third] = [
      await put({ parent_id: batch.id }),
      await put({ parent_id: other.id }),
      await put({ parent_id: batch.id }),
    ]
    await Promise.all([end(third), end(second), end(first)])
    const numbers = [first, second, third].map(async (job) => (await now(job)).ended_number)
    expect(await Promise.all(numbers)).toEqual([2, 1, 1])
    expect([(await now(batch)).children_ended, (await now(other)).children_ended]).toEqual([2, 1])
  })
})

describe('parent hooks', () => {
  it('receive ended children with their notes', async () => {
    const { put, end, told: notified } = await scene()
    const child = await put({ parent_id: (await put({ takes_slot: 0 })).id })
    await end(child, { note: { links: 3 } })
    expect(notified).toMatchObject([[{ row: { id: child.id }, note: { links: 3 } }]])
  })

  it('roll back the end and the charge of a child if they throw', async () => {
    const { put, end, now, balance } = await scene({ thrown: new Error('cannot be taken') })
    const child = await put({ parent_id: (await put({ takes_slot: 0 })).id })
    await expect(end(child)).rejects.toThrow('cannot be taken')
    expect(await now(child)).toMatchObject({ state: 'running', ended_number: null })
    expect(await balance()).toBe(100)
  })
})
