import { sql } from 'kysely'
import { hasValues } from './prepared.ts'
import type { Queryable } from './schema.ts'

export interface RateWindow {
  teamId: string
  lane: string
  minute: number
}

export async function takeFromWindow(query: Queryable, window: RateWindow, calls: number): Promise<number> {
  const row = await query
    .insertInto('rates')
    .values({ team_id: window.teamId, lane: window.lane, minute: window.minute, taken: calls })
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'lane', 'minute']).doUpdateSet({ taken: sql`rates.taken + ${calls}` }),
    )
    .returning('taken')
    .executeTakeFirstOrThrow()
  return row.taken
}

/** Adds one to a daily count of the team (UTC), across all processes. Returns false if the limit is reached. */
export async function takeFromDay(
  query: Queryable,
  { teamId, lane, now }: { teamId: string; lane: string; now: number },
  max: number,
): Promise<boolean> {
  if (max === 0) return false
  // Rows are removed by their minute, so a day is stored under the minute at which it ends.
  const minute = (Math.floor(now / 86_400_000) + 1) * 1440
  const taken = await query
    .insertInto('rates')
    .values({ team_id: teamId, lane, minute, taken: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'lane', 'minute'])
        .doUpdateSet({ taken: sql`rates.taken + 1` })
        .where('rates.taken', '<', max),
    )
    .returning('taken')
    .execute()
  return taken.length > 0
}

export async function countCallsInWindow(query: Queryable, { teamId, lane, minute }: RateWindow) {
  const rows = await query
    .selectFrom('rates')
    .select('taken')
    .where(hasValues({ team_id: teamId, lane }))
    .where('minute', '>=', minute - 1)
    .execute()
  return Math.max(0, ...rows.map(({ taken }) => Number(taken)))
}
