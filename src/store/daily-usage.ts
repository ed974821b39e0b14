import { sql } from 'kysely'
import type { Queryable } from './schema.ts'

/** Milliseconds of a day; times of the store are integers, so a division by it is the number of the day in UTC. */
const day = sql.lit(86_400_000)

interface Since {
  teamId: string
  /** Days since 1970, in UTC. */
  firstDay: number
}

/** Credits that a team was charged per day and kind of job; what was given back is subtracted. */
export function chargesByKind(query: Queryable, { teamId, firstDay }: Since) {
  return query
    .selectFrom('ledger')
    .select([
      sql<number>`created_at / ${day}`.as('day'),
      'reason as kind',
      sql<number>`-sum(credits)`.as('credits'),
    ])
    .where('team_id', '=', teamId)
    .where('job_id', 'is not', null)
    .where('created_at', '>=', sql<number>`${firstDay} * ${day}`)
    .groupBy(['day', 'kind'])
    .execute()
}

/** Calls of a team per day and state: those whose jobs are still there, and those that were counted when theirs were removed. */
export function callsByState(query: Queryable, { teamId, firstDay }: Since) {
  const removed = query
    .selectFrom('call_days')
    .select(['day', 'state', sql<number>`sum(calls)`.as('calls')])
    .where('team_id', '=', teamId)
    .where('day', '>=', firstDay)
    .groupBy(['day', 'state'])
  const kept = query
    .selectFrom('jobs')
    .select([
      sql<number>`created_at / ${day}`.as('day'),
      sql<string>`state`.as('state'),
      sql<number>`count(*)`.as('calls'),
    ])
    .where('team_id', '=', teamId)
    .where('parent_id', 'is', null)
    .where('created_at', '>=', sql<number>`${firstDay} * ${day}`)
    .groupBy(['day', 'state'])
  return kept.unionAll(removed).execute()
}

interface RemovedCall {
  team_id: string
  parent_id: string | null
  kind: string
  state: string
  created_at: number
}

/** Counts calls whose jobs are removed, in the transaction that removes them. */
export async function countRemovedCalls(query: Queryable, jobs: RemovedCall[]): Promise<void> {
  const rows = new Map<string, { team_id: string; day: number; kind: string; state: string; calls: number }>()
  // Children of other jobs are not calls.
  for (const { team_id, parent_id, kind, state, created_at } of jobs) {
    if (parent_id !== null) continue
    const row = { team_id, day: Math.floor(created_at / 86_400_000), kind, state }
    const name = JSON.stringify(row)
    rows.set(name, { ...row, calls: (rows.get(name)?.calls ?? 0) + 1 })
  }
  if (rows.size === 0) return
  // In one order everywhere, so that two processes that sweep never hold what the other one waits for.
  const inOrder = [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row)
  await query
    .insertInto('call_days')
    .values(inOrder)
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'day', 'kind', 'state'])
        .doUpdateSet({ calls: sql`call_days.calls + excluded.calls` }),
    )
    .execute()
}

export async function forgetCallDays(query: Queryable, beforeDay: number): Promise<void> {
  await query.deleteFrom('call_days').where('day', '<', beforeDay).execute()
}
