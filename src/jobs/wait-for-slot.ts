import { AppError, toAppError } from '../base/errors.ts'
import type { JobRow } from '../store/jobs.ts'
import { giveUp, takeBack } from './give-up.ts'
import type { RunNeeds } from './run-job.ts'
import type { slotLines } from './slot-line.ts'
import { type SlotNeeds, tryStart } from './take-slot.ts'

export interface Caller {
  /** The whole time budget of the call; waiting for a slot counts against it. */
  timeoutMs: number
  /** Aborts when the caller has gone. */
  signal: AbortSignal
}

interface WaitNeeds extends SlotNeeds, Pick<RunNeeds, 'clock' | 'log'> {
  lines: ReturnType<typeof slotLines>
}

/** How much of a call's time may go into waiting for a slot; the rest is left for the work. */
const shareForWaiting = 2 / 3

/** Starts the job as soon as its team has a slot for it. First come, first served, over all processes. */
export async function waitForSlot(needs: WaitNeeds, row: JobRow, caller: Caller): Promise<number> {
  const began = performance.now()
  const place = needs.lines.join(row.team_id, row.id)
  const patience = AbortSignal.timeout(Math.floor(caller.timeoutMs * shareForWaiting))
  const signal = AbortSignal.any([patience, caller.signal])
  try {
    while (!(place.isHead() && (await tryStart(needs, row)))) await place.movement(signal)
    return Math.round(performance.now() - began)
  } catch (thrown) {
    const error = signal.aborted ? waitingEnded(patience) : toAppError(thrown)
    await giveUp(needs, row, error).catch(() => takeBack(needs, row))
    throw error
  } finally {
    place.leave()
  }
}

function waitingEnded(patience: AbortSignal): AppError {
  if (patience.aborted) return new AppError('CONCURRENCY_QUEUE_TIMEOUT', { phase: 'waiting for a slot' })
  return new AppError('SCRAPE_JOB_CANCELLED')
}
