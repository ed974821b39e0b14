import { afterEach, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { findJob } from '../store/jobs/jobs.ts'
import { sweep } from './sweeper.ts'

afterEach(endJobScenes)

const day = 24 * 3600_000

it('removes old jobs, however many there are', async () => {
  const { deps, store, time, team, insert } = await jobScene()
  time.now = 100 * day
  const owner = await team('team')
  const old = { state: 'completed', finished_at: time.now - 2 * day } as const
  const jobs = await Promise.all(Array.from({ length: 1001 }, () => insert(owner, old)))
  await sweep({ ...deps, retentionHours: 24, cacheDays: 2, forgetPages: async () => {} })
  const left = await Promise.all(jobs.map(({ id }) => findJob(store.query, id)))
  expect(left.filter((row) => row !== undefined)).toEqual([])
})
