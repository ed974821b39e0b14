import { listActivity } from '../../src/store/jobs/activity.ts'
import { findJob } from '../../src/store/jobs/jobs.ts'
import { claimForTeam, findAbandoned, listTeamsWithQueuedJobs } from '../../src/store/jobs/leases.ts'
import { countChildren, listChildren } from '../../src/store/jobs/parents.ts'
import { countByKind } from '../../src/store/jobs/queue-counts.ts'
import { median } from '../figure.ts'
import type { Scene } from './scene.ts'

const rounds = 15

/** Returns the median times of queries of callers and workers, in milliseconds, at the current size of the table. */
export async function timeQueries({ store, teamId, submit }: Scene, parentId: string) {
  const { query } = store
  // The lease query needs queued jobs, in addition to the ended jobs.
  await submit(rounds * 32)
  const page = { teamId, kind: undefined, states: undefined, since: 0, before: undefined, limit: 50 }
  const children = { parentId, state: 'completed' as const, skip: 0, limit: 100 }
  return {
    'lease 32 jobs': await timed(() => {
      const now = Date.now()
      const lease = { holder: 'bench', until: now + 600_000, now }
      return claimForTeam(store, { teamId, limit: 32, concurrency: 1e6, lease })
    }),
    'teams that wait': await timed(() => listTeamsWithQueuedJobs(query)),
    'abandoned jobs': await timed(() => findAbandoned(query, Date.now())),
    'one job by id': await timed(() => findJob(query, parentId)),
    'status of a crawl of 1000 pages': await timed(() => countChildren(query, parentId)),
    '100 pages of it': await timed(() => listChildren(query, children)),
    '50 newest calls of the team': await timed(() => listActivity(query, page)),
    'depth of the queue': await timed(() => countByKind(query, 'queued')),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now()
    await work()
    times.push(performance.now() - startedAt)
  }
  return median(times)
}
