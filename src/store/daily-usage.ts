import { sql } from 'kysely'
import type { Queryable } from './schema.ts'

const dayMs = 86_400_000

interface TeamDay {
  teamId: string
  /** Days since 1970, in UTC. */
  day: number
}

/** Credits that a team was charged on a day, by kind of job; what was given back is subtracted. */
export function chargesOfDay(query: Queryable, { teamId, day }: TeamDay) {
  return query
    .selectFrom('ledger')
    .select(['reason as kind', sql<number>`-sum(credits)`.as('credits')])
    .where('team_id', '=', teamId)
    .where('job_id', 'is not', null)
    .where('created_at', '>=', day * dayMs)
    .where('created_at', '<', (day + 1) * dayMs)
    .groupBy('reason')
    .orderBy('reason')
    .execute()
}

/** Calls of a team on a day, by state: those whose jobs are still there, and those that were counted when theirs were removed. */
export function callsOfDay(query: Queryable, { teamId, day }: TeamDay) {
  const removed = query
    .selectFrom('call_days')
    .select(['state', sql<number>`sum(calls)`.as('calls')])
    .where('team_id', '=', teamId)
    .where('day', '=', day)
    .groupBy('state')
  const kept = query
    .selectFrom('jobs')
    .select([sql<string>`state`.as('state'), sql<number>`count(*)`.as('calls')])
    .where('team_id', '=', teamId)
    .where('parent_id', 'is', null)
    .where('created_at', '>=', day * dayMs)
    .where('created_at', '<', (day + 1) * dayMs)
    .groupBy('state')
  return kept.unionAll(removed).execute()
}

/** Credits that a team was charged since a moment. */
export async function chargedSince(query: Queryable, teamId: string, since: number): Promise<number> {
  const row = await query
    .selectFrom('ledger')
    .select(sql<number>`coalesce(-sum(credits), 0)`.as('credits'))
    .where('team_id', '=', teamId)
    .where('job_id', 'is not', null)
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(row.credits)
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
    const row = { team_id, day: Math.floor(created_at / dayMs), kind, state }
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
