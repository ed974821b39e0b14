import { childOf } from '../../jobs/job.ts'
import type { EndedChild, ParentEnd } from '../../jobs/parent-job.ts'
import { listHelperJobs } from '../../store/child-jobs.ts'
import { readError } from '../../store/job-errors.ts'
import { insertJobs, type JobRow } from '../../store/jobs.ts'
import type { Queryable, Store } from '../../store/schema.ts'
import { tellAction } from '../../webhooks/outbox.ts'
import { insertPages } from '../gather/page-jobs.ts'
import type { StepNote } from './step.ts'
import { endInput, endKind, stepInput, stepKind } from './stored.ts'

/** What an agent does when a step of it or the pages of a step have ended. */
export function agentHooks(store: Store) {
  return {
    async childrenEnded(transaction: Queryable, parent: JobRow, ended: EndedChild[]): Promise<void> {
      for (const { row, note, ending } of ended) {
        if (row.kind !== stepKind || ending.state !== 'completed' || parent.state !== 'running') continue
        // Made by that step alone.
        const { orders, end } = (note as StepNote | undefined) ?? {}
        const now = ending.now
        if (orders && orders.pages.length > 0)
          await insertPages(store, transaction, parent, { ...orders, now })
        if (end) {
          const last = { ...childOf(parent, now), kind: endKind, input: endInput.write(end) }
          await insertJobs(transaction, [last])
        }
        await tellAction(transaction, row, now)
      }
    },

    /** Undefined: the next step is taken. */
    async lastEnded(transaction: Queryable, parent: JobRow, now: number): Promise<ParentEnd | undefined> {
      const helpers = await listHelperJobs(transaction, parent.id)
      const failed = helpers.find(({ state }) => state === 'failed')
      if (failed) {
        const error = readError(failed.error)
        return { state: 'failed', ...(error ? { error } : {}) }
      }
      if (helpers.some(({ kind }) => kind === endKind)) return { state: 'completed' }
      const step = helpers.filter(({ kind }) => kind === stepKind).length
      const next = {
        ...childOf(parent, now),
        kind: stepKind,
        takes_slot: 1,
        input: stepInput.write({ step }),
      }
      await insertJobs(transaction, [next])
      return undefined
    },
  }
}
