import { hasValues, insertIfNew } from '../prepared.ts'
import type { Queryable } from '../schema.ts'

export interface IdempotencyUse {
  teamId: string
  key: string
  jobId: string
  now: number
  request?: string | null
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
  const row = { team_id: teamId, idempotency_key: key, job_id: jobId, created_at: now, request }
  return insertIfNew(query, 'idempotency', row)
}

export function findIdempotencyUse(query: Queryable, teamId: string, key: string) {
  return query
    .selectFrom('idempotency')
    .select(['job_id', 'request'])
    .where(hasValues({ team_id: teamId, idempotency_key: key }))
    .executeTakeFirst()
}
