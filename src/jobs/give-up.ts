import { AppError } from '../base/errors.ts'
import { endJob, type JobRow } from '../store/jobs.ts'
import { tellEnd } from './job-news.ts'
import { persistently } from './persist.ts'
import type { RunNeeds } from './run-job.ts'

type GiveUpNeeds = Pick<RunNeeds, 'store' | 'clock' | 'log' | 'holder'>

/** Ends a job that this process holds and never ran: its caller gets an error instead. */
export async function giveUp(needs: GiveUpNeeds, row: JobRow, error: AppError): Promise<void> {
  const state = error.code === 'SCRAPE_JOB_CANCELLED' ? 'cancelled' : 'failed'
  const now = needs.clock.now()
  const isOurs = await endJob(needs.store.query, {
    id: row.id,
    holder: needs.holder.id,
    state,
    credits: 0,
    result: null,
    resultBlob: null,
    error: error.toStored(),
    now,
    input: row.input,
    forget: row.retain === 0,
  })
  if (isOurs) tellEnd(needs.store, row, { state, at: now, code: error.code })
  // Callers of other processes may have stood behind this one.
  needs.store.notify('slot', row.team_id)
}

/** The store may have taken the job without being able to say so: nobody would run it, and it would hold a slot. */
export function takeBack(needs: GiveUpNeeds, row: JobRow): void {
  persistently(() => giveUp(needs, row, new AppError('JOB_INTERRUPTED')), 30_000).catch((cause) =>
    needs.log.warn(
      { cause, job: row.id },
      'a job that was not started may hold a slot until its lease runs out',
    ),
  )
}
