import { afterEach, expect, it } from 'vitest'
import { endJobScenes, jobKind, jobScene } from '../../test/jobs.ts'
import { findJob } from '../store/jobs/jobs.ts'
import { listChildren } from '../store/jobs/parents.ts'
import type { Store } from '../store/schema.ts'
import { submitMore, submitParent } from './submit-parent.ts'

afterEach(endJobScenes)

const rolledBack = new Error('rolled back')

it('decides again which pages are held when the database repeats the transaction', async () => {
  const jobs = await jobScene()
  const team = await jobs.team('team', { balance: 100 })
  const order = jobs.order(team, 'a')
  const kind = jobKind({ run: async () => ({ credits: 0, result: '' }) })
  const children = (count: number) => ({ kind, requests: Array<typeof order>(count).fill(order) })
  const submitted = { kind: 'batch', request: order, children: children(2), idempotencyKey: undefined }
  const parent = await submitParent(jobs.deps, submitted)
  const list = (state: 'queued' | 'held') =>
    listChildren(jobs.store.query, { parentId: parent.id, state, skip: 0, limit: 10 })
  /** Runs each transaction twice, as PostgreSQL does after a deadlock. The running pages end in between. */
  const store: Store = {
    ...jobs.store,
    async transaction(work, options) {
      const first = jobs.store.transaction(async (query) => {
        await work(query)
        throw rolledBack
      })
      await expect(first).rejects.toBe(rolledBack)
      await jobs.store.query
        .updateTable('jobs')
        .set({ state: 'completed' })
        .where('parent_id', '=', parent.id)
        .execute()
      return jobs.store.transaction(work, options)
    },
  }
  const more = { children: children(2), maxActive: 2, idempotencyKey: undefined }
  await submitMore({ ...jobs.deps, store }, parent, more)
  expect((await findJob(jobs.store.query, parent.id))?.state).toBe('running')
  expect([(await list('queued')).length, (await list('held')).length]).toEqual([2, 0])
})
