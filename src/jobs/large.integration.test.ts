import { afterEach, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { findJob } from '../store/jobs/jobs.ts'
import { sweep } from './sweeper.ts'

afterEach(endJobScenes)

const day = 24 * 3600_000

it('removes 1001 expired jobs', async () => {
  const { deps, store, time, team, insert } = await jobScene()
  time.now = 100 * day
  const owner = await team('team')
  const expired = { state: 'completed', finished_at: time.now - 2 * day } as const
  const jobs = await Promise.all(Array.from({ length: 1001 }, () => insert(owner, expired)))
  await sweep({ ...deps, retentionHours: 24, cacheDays: 2, removeIndexedPages: async () => {} })
  const remaining = await Promise.all(jobs.map(({ id }) => findJob(store.query, id)))
  expect(remaining.filter((row) => row !== undefined)).toEqual([])
})
