import { afterEach, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { findJob, type JobRow } from '../store/jobs/jobs.ts'
import type { Store } from '../store/schema.ts'
import { finishParent } from './finish-parent.ts'

afterEach(endJobScenes)

async function scene() {
  const jobs = await jobScene()
  const team = await jobs.team('team', { balance: 100 })
  const counters = { transactions: 0 }
  const store: Store = {
    ...jobs.store,
    transaction(work, options) {
      counters.transactions += 1
      return jobs.store.transaction(work, options)
    },
  }
  const parent = await jobs.insert(team, { state: 'running', takes_slot: 0 })
  return {
    counted: counters,
    child: (state: 'running' | 'completed') => jobs.insert(team, { state, parent_id: parent.id }),
    end: ({ id }: JobRow) =>
      jobs.store.query.updateTable('jobs').set({ state: 'completed' }).where('id', '=', id).execute(),
    finish: () => finishParent({ ...jobs.deps, store }, parent.id),
    state: async () => (await findJob(jobs.store.query, parent.id))?.state,
  }
}

it('ends a parent in one transaction for children that end together', async () => {
  const { child, counted: counters, finish, state } = await scene()
  for (let index = 0; index < 5; index += 1) await child('completed')
  await Promise.all(Array.from({ length: 5 }, finish))
  expect([await state(), counters.transactions]).toEqual(['completed', 1])
})

it('continues while a child is active, and ends when called after its end', async () => {
  const { child, end, finish, state } = await scene()
  const last = await child('running')
  await Promise.all([finish(), finish()])
  expect(await state()).toBe('running')
  await end(last)
  await finish()
  expect(await state()).toBe('completed')
})
