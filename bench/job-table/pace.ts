import type { JobRow } from '../../src/store/jobs/jobs.ts'
import { claimForTeam } from '../../src/store/jobs/leases.ts'
import type { Scene } from './scene.ts'

export interface Throughput {
  enqueued: number
  leased: number
  ended: number
}

/** Batch size, like that of a worker with 32 slots. */
const batchSize = 32

/** Measures rows per second of the three steps of a job, one after another, so that each step is measured alone. */
export async function measureThroughput(
  { submit, store, teamId, recordEnding }: Scene,
  jobs: number,
): Promise<Throughput> {
  const enqueueStartedAt = performance.now()
  await submit(jobs)
  const enqueued = perSecond(jobs, enqueueStartedAt)
  const leaseStartedAt = performance.now()
  const rows: JobRow[] = []
  for (let claimed = await claim(); claimed.length > 0; claimed = await claim()) rows.push(...claimed)
  const leased = perSecond(rows.length, leaseStartedAt)
  const endStartedAt = performance.now()
  for (let start = 0; start < rows.length; start += batchSize)
    await Promise.all(rows.slice(start, start + batchSize).map((row) => recordEnding(row, createEnding(row))))
  return { enqueued, leased, ended: perSecond(rows.length, endStartedAt) }

  function claim(): Promise<JobRow[]> {
    const now = Date.now()
    const lease = { holder: 'bench', until: now + 600_000, now }
    return claimForTeam(store, { teamId, limit: batchSize, concurrency: 1e6, lease })
  }
}

function createEnding({ id }: JobRow) {
  return {
    ...{ id, holder: 'bench', state: 'completed' as const, credits: 1, result: '{"markdown":"page"}' },
    ...{ resultBlob: null, error: undefined, now: Date.now(), input: '{}', erase: false },
  }
}

function perSecond(count: number, since: number): number {
  return count / ((performance.now() - since) / 1000)
}
