import type { FairPlace, FairPlaces } from '../base/fair-places.ts'
import type { JobRow } from '../store/jobs.ts'
import {
  claimForTeam,
  claimSlotlessJobs,
  requeueJobs,
  teamsWaiting,
  teamsWithSlotlessJobs,
} from '../store/leases.ts'
import { claimRoom } from './claim-room.ts'
import type { RunNeeds } from './run-job.ts'

export interface ClaimNeeds extends Pick<RunNeeds, 'store' | 'holder'> {
  /** Slots of a team that has no number of its own. */
  concurrency: number
  places: FairPlaces
  /** Nothing more is claimed after its abort. */
  stopping: AbortSignal
  start(row: JobRow, place: FairPlace | undefined): void
}

/** What one look for jobs leaves for the next. */
export interface ClaimState {
  /** Jobs wait that take a slot: one that becomes free is worth a look. */
  waitsForSlots: boolean
  /** The store failed while it was asked for jobs. */
  mayHaveLost: boolean
}

/** Claims and starts jobs until nothing is left to claim or no room is. */
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

/** Takes room in the name of the teams that wait, the one with the fewest jobs first, and claims as much for each. */
async function claimFor(needs: ClaimNeeds, teams: string[], claim: Claim): Promise<void> {
  let waiting = teams
  const takeRoom = () => claimRoom(needs.places, waiting)
  for (let room = takeRoom(); room.size > 0; room = takeRoom()) {
    for (const [teamId, taken] of room) {
      const isServed = await claimInto(needs, { room: taken, teamId }, claim)
      // It leaves room that another may use.
      if (!isServed) waiting = waiting.filter((team) => team !== teamId)
    }
  }
}

/** False: the team has nothing more that may run now. */
async function claimInto(
  { store, holder, concurrency, stopping, start }: ClaimNeeds,
  { room, teamId }: { room: FairPlace[]; teamId: string },
  claim: Claim,
): Promise<boolean> {
  try {
    if (stopping.aborted) return false
    const order = { teamId, most: room.length, concurrency, lease: holder.lease() }
    const rows = await claim(store, order)
    // A process that stops gives back what it has claimed, instead of starting it.
    if (stopping.aborted) return false
    for (const row of rows) start(row, room.pop())
    return room.length === 0
  } finally {
    for (const place of room) place.leave()
  }
}
