import type { Queryable } from './schema.ts'

/** The use of an idempotency key: false when the team has used it before. */
export async function useIdempotencyKey(
  query: Queryable,
  use: { teamId: string; key: string; jobId: string; now: number },
): Promise<boolean> {
  const result = await query
    .insertInto('idempotency')
    .values({ team_id: use.teamId, idempotency_key: use.key, job_id: use.jobId, created_at: use.now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function jobOfIdempotencyKey(
  query: Queryable,
  teamId: string,
  key: string,
): Promise<string | undefined> {
  const row = await query
    .selectFrom('idempotency')
    .select('job_id')
    .where('team_id', '=', teamId)
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  return row?.job_id
}

export async function forgetIdempotencyKeys(query: Queryable, before: number): Promise<void> {
  await query.deleteFrom('idempotency').where('created_at', '<', before).execute()
}
