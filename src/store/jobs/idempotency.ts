import { hasValues } from '../prepared.ts'
import type { JobRow, Queryable } from '../schema.ts'

export interface IdempotencyUse {
  teamId: string
  key: string
  jobId: string
  now: number
  /** Hash of the request. Null if the key is never used to return the response again. */
  request?: string | null
  /** Id of the job to which the key is bound and which the new job replaces. */
  replaces?: string | undefined
}

/** Returns false if the team has used the key before, or if a concurrent call was faster. */
export async function useIdempotencyKey(query: Queryable, use: IdempotencyUse): Promise<boolean> {
  const { teamId, key, jobId, now, request = null, replaces } = use
  if (replaces !== undefined) {
    const { numUpdatedRows } = await query
      .updateTable('idempotency')
      .set({ job_id: jobId, created_at: now, request })
      .where(hasValues({ team_id: teamId, idempotency_key: key, job_id: replaces }))
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
  const result = await query
    .insertInto('idempotency')
    .values({ team_id: teamId, idempotency_key: key, job_id: jobId, created_at: now, request })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n
}

export async function findJobOfIdempotencyKey(
  query: Queryable,
  teamId: string,
  key: string,
): Promise<string | undefined> {
  return (await findIdempotencyUse(query, teamId, key))?.job_id
}

export function findIdempotencyUse(
  query: Queryable,
  teamId: string,
  key: string,
): Promise<{ job_id: JobRow['id']; request: string | null } | undefined> {
  return query
    .selectFrom('idempotency')
    .select(['job_id', 'request'])
    .where(hasValues({ team_id: teamId, idempotency_key: key }))
    .executeTakeFirst()
}
