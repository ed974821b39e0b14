import type { Charge } from '../accounts/billing.ts'
import type { Team } from '../accounts/team.ts'
import { AppError } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Trace } from '../platform/trace/trace.ts'
import { findIdempotencyUse, useIdempotencyKey } from '../store/jobs/idempotency.ts'
import type { JobRow, Queryable } from '../store/schema.ts'
import type { StoredJson } from '../store/stored-json.ts'

/** What a run came to: a result or an error, and what it costs either way. */
export type Outcome<Result> = ({ credits: number; result: Result } | Failure) & {
  /** What the job's parent receives with its end. */
  note?: unknown
}

export interface Failure {
  credits: number
  error: AppError
}

/** A job as its run sees it. */
export interface RunningJob<Input> {
  id: string
  teamId: string
  /** The job that this one is a part of. */
  parentId: string | null
  keyId: string | null
  /** Nobody waits for it: what somebody waits for comes first. */
  isBackground: boolean
  input: Input
  /** How long the caller waited for a free slot; undefined when it did not. */
  waitedMs: number | undefined
  /** What the caller's time budget has lost already, by waiting and by looking for an answer at once. */
  spentMs: number
  /** Between the parts of its work: everything else gets a turn, and a background job lets those pass who are waited for. */
  giveWay(): Promise<void>
  /** Where its steps are noted. */
  trace: Trace
}

/** What a job is on record. Parents and sessions are no more than that: nothing runs in their name. */
export interface StoredJobKind {
  kind: string
  /** Leaves hold one of the team's slots while they run; parents and slotless jobs do not. */
  takesSlot: boolean
}

export interface JobKind<Input, Result> extends StoredJobKind {
  /** What may stay on record of an input once it is no longer needed to run: no secrets of the caller. */
  onRecord(input: Input): unknown
  /**
   * The outcome, where it is at hand and takes no work worth a slot; undefined where the job has to be run. Asked only for
   * jobs whose caller waits.
   */
  atOnce?(job: RunningJob<Input>, signal: AbortSignal): Promise<Outcome<Result> | undefined>
  run(job: RunningJob<Input>, signal: AbortSignal): Promise<Outcome<Result>>
}

/** A kind whose jobs are started from their record, by whichever process claims them. */
export interface BackgroundKind<Input, Result> extends JobKind<Input, Result> {
  input: Pick<StoredJson<Input>, 'read'>
}

// biome-ignore lint/suspicious/noExplicitAny: each kind has its own input; the row's kind picks the right one
export type AnyBackgroundKind = BackgroundKind<any, unknown>

export function defineJob<Input, Result>(kind: JobKind<Input, Result>): JobKind<Input, Result> {
  return kind
}

export function defineBackgroundJob<Input, Result>(
  kind: BackgroundKind<Input, Result>,
): BackgroundKind<Input, Result> {
  return kind
}

/** A job before it is run: who wants what, and what may be kept of it. */
export interface Order<Input> {
  /** Given where callers learn the id before the job is submitted. */
  id?: string
  team: Team
  input: Input
  target: string | null
  origin: string | undefined
  retain: boolean
  deadlineAt: number
  /** Credits the team must have for it: the most that is known before it runs. */
  price: number
  /** Of a call that is made once per key. */
  idempotency?: IdempotencyKey
}

/** Starts of a background job before it counts as lost. Many, because a kill or a restart is not the fault of the job. */
export const maxAttempts = 12
/** A start that ended with an error of ours counts as this many: a page that ends the process must not do so for ever. */
export const crashAttemptCost = 4

/** The columns of a job that has not been started. */
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

export function newJobRow(kind: StoredJobKind, order: Order<unknown>, now: number): JobRow {
  return {
    id: order.id ?? newId(),
    team_id: order.team.id,
    key_id: order.team.keyId,
    parent_id: null,
    kind: kind.kind,
    state: 'queued',
    foreground: 0,
    takes_slot: kind.takesSlot ? 1 : 0,
    input: JSON.stringify(order.input),
    target: order.retain ? order.target : null,
    origin: order.origin ?? null,
    retain: order.retain ? 1 : 0,
    leased_by: null,
    lease_until: null,
    deadline_at: order.deadlineAt,
    created_at: now,
    queued_at: now,
    credits: order.price,
    ...notStarted,
  }
}

/** A job that belongs to another and waits to be run. */
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

/** An idempotency key, as it is written with the job of a call. */
export interface IdempotencyKey {
  key: string
  /** Hash of the request; null if the key alone identifies it. */
  request: string | null
  /** Id of an earlier job that had the key, failed and cost nothing. */
  replaces: string | undefined
}

/** Writes the key of a call, inside the transaction that writes its job. Throws if another call has used it meanwhile. */
export async function claimIdempotencyKey(
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
