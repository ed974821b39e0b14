import { sql } from 'kysely'
import { countRows, hasValues, prepared } from '../prepared.ts'
import type { Queryable } from '../schema.ts'

// States are literals in these queries, not parameters, because only then can the indexes of one state be used.

/** A job with an expired lease takes no slot. */
function selectRunning(query: Queryable, teamId: string, now: number) {
  return query
    .selectFrom('jobs')
    .where(hasValues({ state: sql.lit('running'), team_id: teamId, takes_slot: sql.lit(1) }))
    .where('lease_until', '>', now)
}

export function countRunning(query: Queryable, teamId: string, now: number): Promise<number> {
  return countRows(selectRunning(query, teamId, now))
}

export async function hasFreeSlot(
  query: Queryable,
  job: { id: string; team_id: string },
  slots: { limit: number; now: number },
): Promise<boolean> {
  const { rows } = await querySlots(query, { id: job.id, teamId: job.team_id, now: slots.now })
  const [row] = rows
  if (row === undefined || row.earlier !== null) return false
  const reserved = row.waits === null ? 0 : countReservedForBackground(slots.limit, Number(row.background))
  return Number(row.taken) + reserved < slots.limit
}

/** A quarter, less the running ones: without it, the crawls of a team with constant calls would never end. */
function countReservedForBackground(maxSlots: number, running: number): number {
  const share = maxSlots < 2 ? 0 : Math.max(1, Math.floor(maxSlots / 4))
  return Math.max(0, share - running)
}

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
  // A caller waits for the result of a foreground call, so slots that become free go to those calls first.
  const waitingCallers = await countWaitingCallers(query, teamId, now)
  const maxSlots = team.concurrency ?? concurrency
  const running = selectRunning(query, teamId, now).where('foreground', '=', 0)
  const reserved = countReservedForBackground(maxSlots, await countRows(running))
  return Math.max(0, Math.min(maxSlots - taken, Math.max(maxSlots - taken - waitingCallers, reserved)))
}

interface Slots {
  taken: number
  background: number
  /** Id of another caller that has waited longer, and id of a waiting page of a crawl or a batch. */
  earlier: string | null
  waits: string | null
}

const querySlots = prepared<{ id: string; teamId: string; now: number }, Slots>((query, value) => {
  const running = selectRunning(query, value('teamId'), value('now'))
  const taken = running.select(sql<number>`count(*)`.as('count'))
  const background = taken.where('foreground', '=', sql.lit(0))
  const queued = query
    .selectFrom('jobs')
    .select('id')
    .where(hasValues({ state: sql.lit('queued'), takes_slot: sql.lit(1), team_id: value('teamId') }))
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

async function countWaitingCallers(query: Queryable, teamId: string, now: number): Promise<number> {
  return countRows(
    query
      .selectFrom('jobs')
      .where(hasValues({ state: sql.lit('queued'), takes_slot: sql.lit(1), foreground: sql.lit(1) }))
      .where('team_id', '=', teamId)
      .where('lease_until', '>', now),
  )
}
