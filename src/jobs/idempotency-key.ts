import { AppError } from '../base/errors.ts'
import { findIdempotencyUse, useIdempotencyKey } from '../store/idempotency.ts'
import type { JobRow, Queryable } from '../store/schema.ts'

/** An idempotency key, as it is written with the job of a call. */
export interface IdempotencyKey {
  key: string
  /** Hash of the request; null if the key alone identifies it. */
  request: string | null
  /** Id of an earlier job that had the key, failed and cost nothing. */
  replaces: string | undefined
}

/** Writes the key of a call, inside the transaction that writes its job. Throws if another call has used it meanwhile. */
export async function claimKey(
  transaction: Queryable,
  row: JobRow,
  idempotency: IdempotencyKey | undefined,
): Promise<void> {
  if (!idempotency) return
  const use = { ...idempotency, teamId: row.team_id, jobId: row.id, now: row.created_at }
  if (await useIdempotencyKey(transaction, use)) return
  const used = await findIdempotencyUse(transaction, row.team_id, idempotency.key)
  throw stillRuns({ id: used?.job_id ?? row.id })
}

export function stillRuns({ id }: Pick<JobRow, 'id'>): AppError {
  const message =
    'The first call with this idempotency key still runs. The field id has its job. Call again after the time in Retry-After to get its response.'
  return new AppError('IDEMPOTENCY_KEY_REUSED', { id, retryAfter: 2 }, { message })
}
