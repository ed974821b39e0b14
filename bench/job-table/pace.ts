import type { JobRow } from '../../src/store/jobs/jobs.ts'
import { claimForTeam } from '../../src/store/jobs/leases.ts'
import type { Scene } from './scene.ts'

export interface Pace {
  enqueued: number
  leased: number
  ended: number
}

/** As one worker of 32 places takes them. */
const atOnce = 32

/** Rows per second through the three steps of a job, one after the other, so that each is seen alone. */
export async function paceOf({ submit, store, teamId, recordEnding }: Scene, jobs: number): Promise<Pace> {
  const enqueueing = performance.now()
  await submit(jobs)
  const enqueued = perSecond(jobs, enqueueing)
  const leasing = performance.now()
  const rows: JobRow[] = []
  for (let some = await claim(); some.length > 0; some = await claim()) rows.push(...some)
  const leased = perSecond(rows.length, leasing)
  const ending = performance.now()
  for (let from = 0; from < rows.length; from += atOnce)
    await Promise.all(rows.slice(from, from + atOnce).map((row) => recordEnding(row, endingOf(row))))
  return { enqueued, leased, ended: perSecond(rows.length, ending) }

  function claim(): Promise<JobRow[]> {
    const now = Date.now()
    const lease = { holder: 'bench', until: now + 600_000, now }
    return claimForTeam(store, { teamId, most: atOnce, concurrency: 1e6, lease })
  }
}

function endingOf({ id }: JobRow) {
  return {
    ...{ id, holder: 'bench', state: 'completed' as const, credits: 1, result: '{"markdown":"page"}' },
    ...{ resultBlob: null, error: undefined, now: Date.now(), input: '{}', forget: false },
  }
}

function perSecond(count: number, since: number): number {
  return count / ((performance.now() - since) / 1000)
}
