import { AppError } from '../../base/errors.ts'
import { childOf } from '../../jobs/job.ts'
import type { EndedChild, ParentEnd } from '../../jobs/parent-job.ts'
import { listHelperJobs, listLeaves } from '../../store/child-jobs.ts'
import { readError } from '../../store/job-errors.ts'
import { insertJobs, type JobRow } from '../../store/jobs.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import { insertPages } from '../gather/page-jobs.ts'
import type { FindNote } from './find.ts'
import { findKind, mergeKind } from './stored.ts'

const day = 24 * 3600_000

/** What an extract does when its pages are found, when all of them have ended, and when they are joined. */
export function extractHooks(store: Store) {
  return {
    async childrenEnded(transaction: Queryable, parent: JobRow, ended: EndedChild[]): Promise<void> {
      for (const { row, note, ending } of ended) {
        if (row.kind !== findKind || note === undefined || parent.state !== 'running') continue
        // Made by that job alone.
        await insertPages(store, transaction, parent, { ...(note as FindNote), now: ending.now })
      }
    },

    /** Undefined: the pages are joined next. */
    async lastEnded(transaction: Queryable, parent: JobRow, now: number): Promise<ParentEnd | undefined> {
      const helpers = await listHelperJobs(transaction, parent.id)
      const failed = helpers.find(({ state }) => state === 'failed')
      if (failed) return failedWith(failed)
      if (helpers.some(({ kind }) => kind === mergeKind)) return { state: 'completed' }
      const pages = await listLeaves(transaction, parent.id)
      const [first] = pages
      // What was found could not be paid for.
      if (!first) return { state: 'failed', error: new AppError('CREDITS_EXHAUSTED').toStored() }
      if (!pages.some(({ state }) => state === 'completed')) return failedWith(first)
      // Joining has its time also where that of the pages is up.
      const merge = { ...childOf(parent, now), kind: mergeKind, deadline_at: now + day }
      await insertJobs(transaction, [merge])
      return undefined
    },
  }
}

function failedWith(row: Pick<JobRow, 'error'>): ParentEnd {
  const error = readError(row.error)
  return { state: 'failed', ...(error ? { error } : {}) }
}
