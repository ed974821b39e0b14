import { AppError } from '../base/errors.ts'
import type { PermitBatch, Permits } from '../base/permits.ts'
import type { JobRow } from '../store/jobs.ts'
import {
  claimForTeam,
  claimSlotlessJobs,
  requeueJobs,
  teamsWaiting,
  teamsWithSlotlessJobs,
} from '../store/leases.ts'
import type { RunNeeds } from './run-job.ts'

export interface ClaimNeeds extends Pick<RunNeeds, 'store' | 'holder'> {
  /** Slots of a team that has no number of its own. */
  concurrency: number
  permits: Permits
  /** Nothing more is claimed after its abort. */
  stopping: AbortSignal
  /** Runs a claimed job. Its permit is held until the promise settles. */
  run(row: JobRow): Promise<void>
}

/** What one look for jobs leaves for the next. */
export interface ClaimState {
  /** Jobs wait that take a slot: one that becomes free is worth a look. */
  waitsForSlots: boolean
  /** The store failed while it was asked for jobs. */
  mayHaveLost: boolean
}

/** Jobs of a team that are claimed together; more would hold the locks of one transaction for too long. */
const maxClaimed = 64

/** Claims and starts jobs until nothing is left to claim or no permit is free. */
export async function claimJobs(needs: ClaimNeeds, state: ClaimState): Promise<void> {
  await takeBackLost(needs, state)
  await claimFor(needs, await teamsWithSlotlessJobs(needs.store.query), claimSlotlessJobs)
  const teams = await teamsWaiting(needs.store.query)
  state.waitsForSlots = teams.length > 0
  await claimFor(needs, teams, claimForTeam)
}

/** A store that was away may have given us jobs without being able to say so: nobody runs them. */
async function takeBackLost({ store, holder }: ClaimNeeds, state: ClaimState): Promise<void> {
  if (!state.mayHaveLost) return
  await requeueJobs(store, { holder: holder.id, except: holder.ids() })
  state.mayHaveLost = false
}

type Claim = typeof claimForTeam

/** Takes free permits on behalf of the teams that wait, and claims as many jobs for each. */
async function claimFor(needs: ClaimNeeds, teams: string[], claim: Claim): Promise<void> {
  const waiting = new Set(teams)
  const failures: unknown[] = []
  const claimRound = async (batches: ReadonlyMap<string, PermitBatch>) => {
    for (const [teamId, batch] of batches) {
      const hasMore = await claimInto(needs, { batch, teamId }, claim).catch((thrown) => {
        // Every claim would fail. A failure of another kind concerns this team only: the other teams are served.
        if (thrown instanceof AppError && thrown.code === 'STORE_UNAVAILABLE') throw thrown
        failures.push(thrown)
        return false
      })
      if (!hasMore) waiting.delete(teamId)
    }
    return batches.size > 0
  }
  while (await needs.permits.runWithFree({ teams: waiting, maxPerTeam: maxClaimed }, claimRound));
  if (failures.length > 0) throw failures[0]
}

/** Returns false if the team has nothing more that may run now. */
async function claimInto(
  { store, holder, concurrency, stopping, run }: ClaimNeeds,
  { batch, teamId }: { batch: PermitBatch; teamId: string },
  claim: Claim,
): Promise<boolean> {
  if (stopping.aborted) return false
  const rows = await claim(store, { teamId, most: batch.size(), concurrency, lease: holder.lease() })
  // A process that stops gives back what it has claimed, instead of starting it.
  if (stopping.aborted) return false
  for (const row of rows) void batch.run(() => run(row))
  return batch.size() === 0
}
