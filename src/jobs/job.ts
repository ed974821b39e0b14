import type { Charge } from '../accounts/billing.ts'
import type { Team } from '../accounts/team.ts'
import { AppError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Trace } from '../platform/trace/trace.ts'
import { findIdempotencyUse, useIdempotencyKey } from '../store/jobs/idempotency.ts'
import type { JobRow, Queryable } from '../store/schema.ts'
import type { StoredJson } from '../store/stored-json.ts'

export type Outcome<Result> = ({ credits: number; result: Result } | Failure) & {
  note?: unknown
}

export interface Failure {
  credits: number
  error: AppError
}

export interface RunningJob<Input> {
  id: string
  teamId: string
  parentId: string | null
  keyId: string | null
  isBackground: boolean
  input: Input
  waitedMs: number | undefined
  spentMs: number
  yieldToForeground(): Promise<void>
  trace: Trace
}

export interface StoredJobKind {
  kind: string
  /** Parents and kinds without slots hold none of the team's slots. */
  takesSlot: boolean
}

export interface JobKind<Input, Result> extends StoredJobKind {
  /** Returns the input that remains stored after the run, without secrets of the caller. */
  toRecordedInput(input: Input): unknown
  /** Returns undefined if the job must run. Called only for jobs with a waiting caller. */
  runImmediately?(job: RunningJob<Input>, signal: AbortSignal): Promise<Outcome<Result> | undefined>
  run(job: RunningJob<Input>, signal: AbortSignal): Promise<Outcome<Result>>
}

export interface BackgroundKind<Input, Result> extends JobKind<Input, Result> {
  input: Pick<StoredJson<Input>, 'read'>
}

// biome-ignore lint/suspicious/noExplicitAny: each kind has its own input; the row's kind picks the right one
export type AnyBackgroundKind = BackgroundKind<any, unknown>

export function defineJob<Input, Result>(kind: JobKind<Input, Result>): JobKind<Input, Result> {
  return kind
}

export function defineBackgroundJob<Input, Result>(kind: BackgroundKind<Input, Result>) {
  return kind
}

export interface JobRequest<Input> {
  id?: string
  team: Team
  input: Input
  target: string | null
  origin: string | undefined
  retain: boolean
  deadlineAt: number
  price: number
  idempotency?: IdempotencyKey
}

/** High, because a kill or a restart is not the fault of the job. */
export const maxAttempts = 12
/** Number of starts that an uncaught error counts as, so that a page that crashes the process soon fails. */
export const crashAttemptCost = 4

const notStarted = {
  attempts: 0,
  started_at: null,
  finished_at: null,
  ended_number: null,
  children_ended: 0,
  result: null,
  result_blob: null,
  error: null,
  trace: null,
}

export function newJobRow(kind: StoredJobKind, request: JobRequest<unknown>, now: number): JobRow {
  return {
    id: request.id ?? newId(),
    team_id: request.team.id,
    key_id: request.team.keyId,
    parent_id: null,
    kind: kind.kind,
    state: 'queued',
    foreground: 0,
    takes_slot: kind.takesSlot ? 1 : 0,
    input: JSON.stringify(request.input),
    target: request.retain ? request.target : null,
    origin: request.origin ?? null,
    retain: request.retain ? 1 : 0,
    leased_by: null,
    lease_until: null,
    deadline_at: request.deadlineAt,
    created_at: now,
    queued_at: now,
    credits: request.price,
    ...notStarted,
  }
}

export function createChildRow(parent: JobRow, now: number): JobRow {
  return {
    ...parent,
    id: newId(),
    parent_id: parent.id,
    state: 'queued',
    takes_slot: 0,
    input: '{}',
    target: null,
    created_at: now,
    queued_at: now,
    credits: 0,
    ...notStarted,
  }
}

export function chargeFor(row: JobRow, credits: number, now: number): Charge {
  return { teamId: row.team_id, keyId: row.key_id, jobId: row.id, kind: row.kind, credits, now }
}

export interface IdempotencyKey {
  key: string
  /** Hash of the request; null if the key alone identifies it. */
  request: string | null
  replaces: string | undefined
}

/** Throws if another call has used the key. Runs in the transaction that inserts the job. */
export async function claimIdempotencyKey(
  transaction: Queryable,
  row: JobRow,
  idempotency: IdempotencyKey | undefined,
): Promise<void> {
  if (!idempotency) return
  const use = { ...idempotency, teamId: row.team_id, jobId: row.id, now: row.created_at }
  if (await useIdempotencyKey(transaction, use)) return
  const used = await findIdempotencyUse(transaction, row.team_id, idempotency.key)
  throw stillRunningError({ id: used?.job_id ?? row.id })
}

export function stillRunningError({ id }: Pick<JobRow, 'id'>): AppError {
  const message =
    'The first call with this idempotency key still runs. The field id has its job. Call again after the time in Retry-After to get its response.'
  return new AppError('IDEMPOTENCY_KEY_REUSED', { id, retryAfter: 2 }, { message })
}
