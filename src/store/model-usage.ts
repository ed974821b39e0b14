import { sql } from 'kysely'
import type { Queryable } from './schema.ts'

export interface UsageDay {
  teamId: string
  /** Days since 1970, in UTC. */
  day: number
}

export interface UsedTokens {
  input: number
  output: number
  calls: number
}

/** Adds to the day of a team, which may also be less than nothing, if more was set aside than was used. */
export async function addModelUsage(
  query: Queryable,
  { teamId, day }: UsageDay,
  { input, output, calls }: UsedTokens,
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

/** Sets tokens aside for a call, whichever process asks. False: the team has used the most already, and nothing was changed. */
export async function setTokensAside(
  query: Queryable,
  { teamId, day }: UsageDay,
  { tokens, most }: { tokens: number; most: number },
): Promise<boolean> {
  const taken = await query
    .insertInto('model_usage')
    .values({ team_id: teamId, day, input_tokens: tokens, output_tokens: 0, calls: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['team_id', 'day'])
        .doUpdateSet({ input_tokens: sql`model_usage.input_tokens + ${tokens}` })
        .where(sql<boolean>`model_usage.input_tokens + model_usage.output_tokens < ${most}`),
    )
    .returning('day')
    .execute()
  return taken.length > 0
}

/** The days of a team on which it used the model, oldest first. */
export function modelUsageSince(query: Queryable, { teamId, day }: UsageDay) {
  return query
    .selectFrom('model_usage')
    .select(['day', 'input_tokens', 'output_tokens', 'calls'])
    .where('team_id', '=', teamId)
    .where('day', '>=', day)
    .orderBy('day')
    .execute()
}

export async function forgetModelUsage(query: Queryable, beforeDay: number): Promise<void> {
  await query.deleteFrom('model_usage').where('day', '<', beforeDay).execute()
}
