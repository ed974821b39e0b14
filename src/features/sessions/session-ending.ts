import { sessionPrice } from '../../accounts/prices.ts'
import { AppError } from '../../base/errors.ts'
import type { RecordEnding } from '../../jobs/endings.ts'
import type { Holder } from '../../jobs/holder.ts'
import type { Ending, JobRow } from '../../store/jobs.ts'
import type { Store } from '../../store/schema.ts'
import { findSession } from '../../store/sessions.ts'
import { isBreakdown } from './end-cause.ts'
import type { SessionEnded } from './living.ts'

export interface SessionEndingNeeds {
  store: Store
  holder: Holder
  recordEnding: RecordEnding
}

/** Puts on record how a session of this process ended, and charges it. */
export async function recordSessionEnd(
  { store, holder, recordEnding }: SessionEndingNeeds,
  job: JobRow,
  ended: SessionEnded,
): Promise<void> {
  // Whether a prompt was run may have been noted by another process.
  const usedPrompt = ((await findSession(store.query, job.id))?.used_prompt ?? 0) > 0
  await recordEnding(job, sessionEnding(job, ended, { holder: holder.id, usedPrompt }))
}

/** What the end of a session comes to: its state, its price, and why it ended. */
export function sessionEnding(
  job: JobRow,
  { cause, error, at, lastActivity }: SessionEnded,
  { holder, usedPrompt }: { holder: string; usedPrompt: boolean },
): Ending {
  const isBroken = isBreakdown(cause) || error !== undefined
  const problem =
    error ?? (isBroken ? new AppError('SESSION_FAILED', { phase: 'running', cause }) : undefined)
  return {
    id: job.id,
    holder,
    state: isBroken ? 'failed' : 'completed',
    // A session that nobody could use costs nothing.
    credits: error ? 0 : sessionPrice({ ms: at - job.created_at, usedPrompt }),
    result: null,
    resultBlob: null,
    error: problem?.toStored(),
    now: at,
    input: job.input,
    forget: false,
    session: {
      status: isBroken ? 'error' : 'destroyed',
      reason: error ? error.message : cause,
      lastActivity,
      givesScrapeFree: error !== undefined,
    },
  }
}
