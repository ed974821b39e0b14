import type { Team } from '../accounts/team.ts'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import { isUuid } from '../platform/ids.ts'
import { JsonText } from '../platform/json/json.ts'
import type { Blobs } from '../platform/ports/blobs.ts'
import { readError } from '../store/jobs/job-errors.ts'
import { findJob, type JobRow } from '../store/jobs/jobs.ts'
import { cancelParent } from '../store/jobs/parents.ts'
import { lockParent } from '../store/locks.ts'
import type { Store } from '../store/schema.ts'
import type { ParentHooks } from './finish-parent.ts'
import { publishJobEnd } from './job-events.ts'
import { type ParentJobRequest, submitMore, submitParent } from './submit-parent.ts'

export type { ParentJobRequest } from './submit-parent.ts'

export interface QueueDeps {
  store: Store
  blobs: Blobs
  clock: Clock
  parentHooks: ParentHooks
}

/** A submitted job is durable when the call resolves. */
export function createQueue(deps: QueueDeps) {
  return {
    submitParent: <Input>(request: ParentJobRequest<Input>) => submitParent(deps, request),

    submitMore: <Input>(
      parent: JobRow,
      more: Pick<ParentJobRequest<Input>, 'children' | 'maxActive' | 'idempotencyKey'>,
    ) => submitMore(deps, parent, more),

    /** Throws FORBIDDEN for a job of another team. */
    find: (team: Team, id: string, kind: string) => find(deps, team, { id, kind }),

    /** Does not reveal whether another team has such a job. */
    findOwn: (team: Team, id: string, kind: string) =>
      find(deps, team, { id, kind }).catch((thrown) => {
        const isForeign = thrown instanceof AppError && thrown.code === 'FORBIDDEN'
        throw isForeign ? new AppError('JOB_NOT_FOUND') : thrown
      }),

    resultOf: (row: JobRow) => resultOf(deps, row),

    /** Detects damage before the first byte, for one of many results that are read together. */
    checkedResultOf: (row: JobRow) => resultOf(deps, row, { isCheckedFirst: true }),

    answerOf: (team: Team, id: string, kind: 'scrape' | 'parse') => answerOf(deps, team, { id, kind }),

    cancel: (row: JobRow) => cancel(deps, row),
  }
}

export type Queue = ReturnType<typeof createQueue>

async function find({ store }: QueueDeps, team: Team, job: { id: string; kind: string }): Promise<JobRow> {
  if (!isUuid(job.id)) throw new AppError('INVALID_JOB_ID')
  const row = await findJob(store.query, job.id.toLowerCase())
  if (!row || row.kind !== job.kind) throw new AppError('JOB_NOT_FOUND')
  if (row.team_id !== team.id) throw new AppError('FORBIDDEN')
  return row
}

/** Throws STORED_DATA_DAMAGED if the blob of the result is damaged or missing. */
export async function resultOf(
  { blobs, store }: Pick<QueueDeps, 'blobs' | 'store'>,
  row: Pick<JobRow, 'id' | 'result' | 'result_blob'>,
  options?: Parameters<Blobs['open']>[1],
): Promise<JsonText | undefined> {
  if (row.result !== null) return JsonText.ofBytes(Buffer.from(row.result))
  if (row.result_blob === null) return undefined
  const opened = await blobs.open(row.result_blob, options)
  if (opened) return new JsonText(opened.size, opened.chunks)
  // The sweeper may have removed the job after its row was read.
  if (!(await findJob(store.query, row.id))) return undefined
  throw new AppError('STORED_DATA_DAMAGED', { reason: 'missing' })
}

async function answerOf(deps: QueueDeps, team: Team, job: { id: string; kind: 'scrape' | 'parse' }) {
  const row = await find(deps, team, job)
  const result = await resultOf(deps, row)
  if (result !== undefined) return result
  if (row.finished_at === null) throw new AppError('JOB_NOT_FINISHED')
  const failure = readError(row.error)
  if (!failure || failure.error === '') throw new AppError('JOB_NOT_FOUND')
  const message = `The ${job.kind} failed, so it has no result: ${failure.error}`
  throw new AppError('JOB_NOT_FOUND', { reason: failure.code }, { message })
}

const cancelMessage =
  'The job was cancelled by a call of its team. What it had scraped until then can be read.'

async function cancel({ store, clock, parentHooks }: QueueDeps, row: JobRow): Promise<void> {
  if (row.state !== 'queued' && row.state !== 'running') throw new AppError('JOB_ALREADY_ENDED')
  const now = clock.now()
  const children = await store.transaction(async (transaction) => {
    const parent = await lockParent(store, transaction, row.id)
    if (parent?.state !== 'running' && parent?.state !== 'queued') throw new AppError('JOB_ALREADY_ENDED')
    const error = new AppError('SCRAPE_JOB_CANCELLED', {}, { message: cancelMessage }).toStored()
    const ids = await cancelParent(transaction, row.id, { error, now })
    await parentHooks.parentEnded(transaction, parent, { state: 'cancelled', error })
    return ids
  })
  for (const id of [row.id, ...children]) store.notify('cancelled', id)
  store.notify('slot', row.team_id)
  store.notify('deliveries', '')
  publishJobEnd(store, row, { state: 'cancelled', at: now, code: 'SCRAPE_JOB_CANCELLED' })
}
