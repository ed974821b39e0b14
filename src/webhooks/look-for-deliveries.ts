import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import { claimDeliveries, type DeliveryRow, dueJobs, teamsWithDeliveries } from '../store/deliveries.ts'
import type { Store } from '../store/schema.ts'
import type { DeliveryRoom, DeliveryUnderWay, Destination } from './delivery-room.ts'

const leaseTime = 30_000
/** Jobs of a team that are looked at and served in one turn, and its turns in one look. */
const mostJobs = 100
const mostServed = 8
const mostTurns = 20

export interface LookNeeds {
  store: Store
  clock: Clock
  room: DeliveryRoom
  /** The last job of each team that was not gone through to the end: the next look goes on there. */
  lastLooks: Map<string, string>
  stopping: AbortSignal
  send(row: DeliveryRow, delivery: DeliveryUnderWay): Promise<void>
}

/** Claims and sends what is due: a few jobs of each team in turn, of those first that have the fewest deliveries under way. */
export async function lookForDeliveries(needs: LookNeeds): Promise<void> {
  const { store, room, lastLooks, stopping } = needs
  const teams = await teamsWithDeliveries(store.query)
  let looks = teams
    .toSorted((left, right) => room.takenBy(left) - room.takenBy(right))
    .map((teamId) => ({ teamId, after: lastLooks.get(teamId) ?? '', turns: 0 }))
  lastLooks.clear()
  while (looks.length > 0 && !stopping.aborted) {
    const goingOn: typeof looks = []
    for (const look of looks) if (await lookFor(needs, look)) goingOn.push(look)
    looks = goingOn
    await nextTurn()
  }
}

interface Look {
  teamId: string
  after: string
  turns: number
}

/** Moves the look on; false where it has come to its end, for now. */
async function lookFor(needs: LookNeeds, look: Look): Promise<boolean> {
  const { teamId } = look
  const { due, last } = await dueJobs(needs.store.query, {
    ...look,
    most: mostJobs,
    now: needs.clock.now(),
  })
  const served = due.slice(0, mostServed)
  for (const job of served) if (!(await claimFor(needs, { teamId, ...job }))) return false
  const end = due.length > served.length ? served.at(-1)?.jobId : last
  if (end === undefined) return false
  look.after = end
  look.turns += 1
  // A team with very many jobs is gone through in several looks.
  if (look.turns === mostTurns) needs.lastLooks.set(teamId, end)
  return look.turns < mostTurns
}

/** Returns false if there is no permit for this team now. */
function claimFor(needs: LookNeeds, to: Destination): Promise<boolean> {
  return needs.room.use(to, async ({ count, send }) => {
    const now = needs.clock.now()
    const claim = { jobId: to.jobId, most: count, now, leaseUntil: now + leaseTime }
    const rows = await claimDeliveries(needs.store, claim)
    for (const row of rows) void send((delivery) => needs.send(row, delivery))
  })
}
