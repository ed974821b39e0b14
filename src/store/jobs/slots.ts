import { sql } from 'kysely'
import { countRows, prepared } from '../prepared.ts'
import type { Queryable } from '../schema.ts'

// States stand in these queries as they are, not as values: only then can the indexes that hold one state be used.

/** How many slots of the team are taken now. A job whose lease ran out holds none. */
export async function countRunning(
  query: Queryable,
  teamId: string,
  now: number,
  foreground?: 0 | 1,
): Promise<number> {
  return countRows(
    query
      .selectFrom('jobs')
      .where('state', '=', sql.lit('running'))
      .where('team_id', '=', teamId)
      .where('takes_slot', '=', sql.lit(1))
      .where('lease_until', '>', now)
      .$if(foreground !== undefined, (some) => some.where('foreground', '=', foreground ?? 0)),
  )
}

/** Whether the team has a free slot for this job, and no other caller has waited for one longer. */
export async function hasFreeSlot(
  query: Queryable,
  job: { id: string; team_id: string },
  slots: { most: number; now: number },
): Promise<boolean> {
  const { rows } = await slotsOf(query, { id: job.id, teamId: job.team_id, now: slots.now })
  const [row] = rows
  if (row === undefined || row.earlier !== null) return false
  const kept = row.waits === null ? 0 : keptForBackground(slots.most, Number(row.background))
  return Number(row.taken) + kept < slots.most
}

/**
 * Slots of a team that calls whose callers wait leave to its crawls and batches, as long as those have pages waiting: a
 * quarter of them, less those that run already. Without it, a team that calls all the time would never see its crawls end.
 */
function keptForBackground(most: number, running: number): number {
  const share = most < 2 ? 0 : Math.max(1, Math.floor(most / 4))
  return Math.max(0, share - running)
}

/** Slots that background jobs of a team may take now; none for a team that does not exist. */
export async function countFreeForBackground(
  query: Queryable,
  { teamId, concurrency, now }: { teamId: string; concurrency: number; now: number },
): Promise<number> {
  const team = await query
    .selectFrom('teams')
    .select('concurrency')
    .where('id', '=', teamId)
    .executeTakeFirst()
  if (!team) return 0
  const taken = await countRunning(query, teamId, now)
  // A caller waits for the result of a foreground call, so the slots that become free are for those calls first.
  const promised = await countWaitingCallers(query, teamId, now)
  const most = team.concurrency ?? concurrency
  const kept = keptForBackground(most, await countRunning(query, teamId, now, 0))
  return Math.max(0, Math.min(most - taken, Math.max(most - taken - promised, kept)))
}

interface Slots {
  /** Slots that are taken, and those of them that pages of crawls and batches have. */
  taken: number
  background: number
  /** Another caller that has waited longer, and a page of a crawl or a batch that waits. */
  earlier: string | null
  waits: string | null
}

const slotsOf = prepared<{ id: string; teamId: string; now: number }, Slots>((query, value) => {
  const running = query
    .selectFrom('jobs')
    .where('state', '=', sql.lit('running'))
    .where('team_id', '=', value('teamId'))
    .where('takes_slot', '=', sql.lit(1))
    .where('lease_until', '>', value('now'))
  const taken = running.select(sql<number>`count(*)`.as('count'))
  const background = taken.where('foreground', '=', sql.lit(0))
  const queued = query
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', sql.lit('queued'))
    .where('takes_slot', '=', sql.lit(1))
    .where('team_id', '=', value('teamId'))
    .limit(1)
  const waits = queued.where('foreground', '=', sql.lit(0))
  const earlier = queued
    .where('foreground', '=', sql.lit(1))
    .where('id', '<', value('id'))
    .where('lease_until', '>', value('now'))
  return query
    .selectNoFrom([taken.as('taken'), background.as('background'), earlier.as('earlier'), waits.as('waits')])
    .$castTo<Slots>()
})

/** Callers of a team that wait for a slot. */
async function countWaitingCallers(query: Queryable, teamId: string, now: number): Promise<number> {
  return countRows(
    query
      .selectFrom('jobs')
      .where('state', '=', sql.lit('queued'))
      .where('takes_slot', '=', sql.lit(1))
      .where('team_id', '=', teamId)
      .where('foreground', '=', sql.lit(1))
      .where('lease_until', '>', now),
  )
}
