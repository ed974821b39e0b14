import { sql } from 'kysely'
import { hasValues } from '../prepared.ts'
import type { JobRow, Queryable } from '../schema.ts'
import { readCalls } from './activity.ts'

const dayMs = 86_400_000

export interface TeamDay {
  teamId: string
  /** Days since 1970, in UTC. */
  day: number
}

export function sumChargesOfDay(query: Queryable, { teamId, day }: TeamDay) {
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

export async function countCallsOfDay(query: Queryable, { teamId, day }: TeamDay) {
  const removed = await query
    .selectFrom('call_days')
    .select(['state', sql<number>`sum(calls)`.as('calls')])
    .where(hasValues({ team_id: teamId, day }))
    .groupBy('state')
    .execute()
  const stored = await readCalls(
    query,
    {
      teamId,
      since: day * dayMs,
      before: { created_at: (day + 1) * dayMs, id: '' },
      limit: Number.MAX_SAFE_INTEGER,
    },
    (calls) => calls.select('state'),
  )
  const counts = Map.groupBy(stored, ({ state }) => state)
  return [...removed, ...[...counts].map(([state, calls]) => ({ state, calls: calls.length }))]
}

export async function sumChargesSince(query: Queryable, teamId: string, since: number): Promise<number> {
  const row = await query
    .selectFrom('ledger')
    .select(sql<number>`coalesce(-sum(credits), 0)`.as('credits'))
    .where('team_id', '=', teamId)
    .where('job_id', 'is not', null)
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(row.credits)
}

type RemovedCall = Pick<JobRow, 'team_id' | 'parent_id' | 'kind' | 'state' | 'created_at'>

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
  // All processes write rows in the same order, which prevents deadlocks between two sweeps.
  const sorted = [...rows].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, row]) => row)
  await query
    .insertInto('call_days')
    .values(sorted)
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'day', 'kind', 'state'])
        .doUpdateSet({ calls: sql`call_days.calls + excluded.calls` }),
    )
    .execute()
}

/** Adds to the usage of a day. A value may be negative, if more was reserved than was used. */
export async function addModelUsage(
  query: Queryable,
  { teamId, day }: TeamDay,
  { input, output, calls }: { input: number; output: number; calls: number },
): Promise<void> {
  await query
    .insertInto('model_usage')
    .values({ team_id: teamId, day, input_tokens: input, output_tokens: output, calls })
    .onConflict((conflict) =>
      conflict.columns(['team_id', 'day']).doUpdateSet({
        input_tokens: sql`model_usage.input_tokens + ${input}`,
        output_tokens: sql`model_usage.output_tokens + ${output}`,
        calls: sql`model_usage.calls + ${calls}`,
      }),
    )
    .execute()
}

/** Returns false, without a change, if the team has reached the maximum, across all processes. */
export async function reserveModelTokens(
  query: Queryable,
  { teamId, day }: TeamDay,
  { tokens, max }: { tokens: number; max: number },
): Promise<boolean> {
  const taken = await query
    .insertInto('model_usage')
    .values({ team_id: teamId, day, input_tokens: tokens, output_tokens: 0, calls: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'day'])
        .doUpdateSet({ input_tokens: sql`model_usage.input_tokens + ${tokens}` })
        .where(sql<boolean>`model_usage.input_tokens + model_usage.output_tokens < ${max}`),
    )
    .returning('day')
    .execute()
  return taken.length > 0
}

export function listModelUsageSince(query: Queryable, { teamId, day }: TeamDay) {
  return query
    .selectFrom('model_usage')
    .select(['day', 'input_tokens', 'output_tokens', 'calls'])
    .where('team_id', '=', teamId)
    .where('day', '>=', day)
    .orderBy('day')
    .execute()
}
