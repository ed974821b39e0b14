import { hash } from 'node:crypto'
import { AppError } from '../platform/errors.ts'
import { JsonText } from '../platform/json/json.ts'
import type { Blobs } from '../platform/ports/blobs.ts'
import { findIdempotencyUse } from '../store/jobs/idempotency.ts'
import { readError } from '../store/jobs/job-errors.ts'
import { findJob, type JobRow } from '../store/jobs/jobs.ts'
import type { Store } from '../store/schema.ts'
import type { foreground } from './foreground.ts'
import type { JobKind, JobRequest } from './job.ts'
import { stillRunningError } from './job.ts'
import { resultOf } from './queue.ts'
import type { Caller } from './slots.ts'

export interface KeyedCaller extends Caller {
  idempotencyKey: string | undefined
  /** Value that identifies the request. Default: the input of the job. Null if the key alone identifies the request. */
  identity?: unknown
}

/**
 * A caller that got no response can repeat its call for no charge. A job that failed and was free releases
 * its key.
 */
export function onceByKey(
  { store, blobs }: { store: Store; blobs: Blobs },
  runNow: ReturnType<typeof foreground>,
) {
  return async function runOnce<Input, Result>(
    kind: JobKind<Input, Result>,
    jobRequest: JobRequest<Input>,
    caller: KeyedCaller,
  ): Promise<Result | JsonText> {
    const { idempotencyKey: key, identity = jobRequest.input } = caller
    if (key === undefined) return runNow(kind, jobRequest, caller)
    // With zero retention nothing of the request is stored, not even a hash.
    const request =
      identity === null || !jobRequest.retain ? null : hash('sha256', JSON.stringify([kind.kind, identity]))
    const used = await findIdempotencyUse(store.query, jobRequest.team.id, key)
    const earlier = used && (await findJob(store.query, used.job_id))
    if (used && earlier) {
      if (earlier.kind !== kind.kind || used.request !== request)
        throw keyReusedError(earlier, otherRequestMessage)
      const recorded = await recordedResult({ blobs, store }, earlier)
      if (recorded) return recorded
    }
    return runNow(kind, { ...jobRequest, idempotency: { key, request, replaces: used?.job_id } }, caller)
  }
}

/** No caller can send such a key, because it has a line feed. Hashed, because the part may be a long URL. */
export function derivedKey(key: string | undefined, part: string): string | undefined {
  return key === undefined ? undefined : `${key}\n${hash('sha256', part)}`
}

/** Parses a stored result. Only for kinds with small results. */
export async function toValue<Result>(result: Result | JsonText): Promise<Result> {
  // The stored value is the result of a job of the same kind.
  return result instanceof JsonText ? ((await result.value()) as Result) : result
}

const otherRequestMessage =
  'This idempotency key was used before, for another request. The field id has its job. Use a new key for a new request.'
const notStoredMessage =
  'The call with this idempotency key has ended and was charged, and its response was not kept (zero data retention). Use a new key to run it again.'

/** Returns undefined for a free job without a result: its call may run again. */
async function recordedResult(deps: { blobs: Blobs; store: Store }, row: JobRow) {
  if (row.finished_at === null) throw stillRunningError(row)
  if (row.state === 'completed') {
    const result = await resultOf(deps, row)
    if (result) return result
    throw keyReusedError(row, notStoredMessage)
  }
  if (row.credits === 0) return undefined
  const stored = readError(row.error)
  if (!stored || stored.error === '') throw keyReusedError(row, notStoredMessage)
  throw new AppError(stored.code, { ...stored.detail, id: row.id }, { message: stored.error })
}

function keyReusedError({ id }: Pick<JobRow, 'id'>, message: string): AppError {
  return new AppError('IDEMPOTENCY_KEY_REUSED', { id }, { message })
}
