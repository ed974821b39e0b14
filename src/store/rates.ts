import { sql } from 'kysely'
import type { Queryable } from './schema.ts'

export interface RateWindow {
  teamId: string
  lane: string
  minute: number
}

/** Adds calls to the window's count and answers the new count, exactly, whichever process asks. */
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

/** Calls that were counted in the window or in the one before it, whichever are more. */
export async function callsInWindow(query: Queryable, { teamId, lane, minute }: RateWindow): Promise<number> {
  const rows = await query
    .selectFrom('rates')
    .select('taken')
    .where('team_id', '=', teamId)
    .where('lane', '=', lane)
    .where('minute', '>=', minute - 1)
    .execute()
  return Math.max(0, ...rows.map(({ taken }) => Number(taken)))
}

export async function forgetWindows(query: Queryable, beforeMinute: number): Promise<void> {
  await query.deleteFrom('rates').where('minute', '<', beforeMinute).execute()
}
