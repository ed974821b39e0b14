import { AppError } from '../base/errors.ts'
import { atOnceAnswers } from './answer-at-once.ts'
import { takeBack } from './give-up.ts'
import { type JobKind, newJobRow, type Order, type Outcome } from './job.ts'
import { isUnavailable } from './persist.ts'
import { type RunNeeds, runJob } from './run-job.ts'
import { slotLines } from './slot-line.ts'
import { admit } from './take-slot.ts'
import { type Caller, waitForSlot } from './wait-for-slot.ts'

export type { Caller } from './wait-for-slot.ts'

/** All that is written of an input that may not stay. */
const nothing = '{}'

/** A job whose caller waits: it runs here and now, without a hop through the queue. */
export function foreground(needs: RunNeeds, concurrency: number) {
  const waiting = { ...needs, concurrency, lines: slotLines(needs.store) }
  const answerAtOnce = atOnceAnswers(needs)

  return async function run<Input, Result>(
    kind: JobKind<Input, Result>,
    order: Order<Input>,
    caller: Caller,
  ): Promise<Result> {
    const ended = needs.load?.callBegan()
    try {
      return await answer(kind, order, caller)
    } finally {
      ended?.()
    }
  }

  async function answer<Input, Result>(
    kind: JobKind<Input, Result>,
    order: Order<Input>,
    caller: Caller,
  ): Promise<Result> {
    const began = performance.now()
    // It is never started again from the record, so the record holds no more than may stay: what is written and erased
    // later would still stand in the log of the database, in its free pages and in backups.
    const input = order.retain ? JSON.stringify(kind.onRecord(order.input)) : nothing
    const row = { ...newJobRow(kind, order, needs.clock.now()), foreground: 1, input }
    const ready = await answerAtOnce({ row, kind, order }, caller.signal)
    if (ready) return resultOf(ready, row.id)
    const isStarted = await admit(waiting, row, order).catch((thrown) => {
      if (isUnavailable(thrown)) takeBack(needs, row)
      throw thrown
    })
    // Not before: a heartbeat that finds no row of a job takes it for lost.
    const lost = needs.holder.hold(row.id)
    try {
      const waitedMs = isStarted ? undefined : await waitForSlot(waiting, row, caller).catch(named(row.id))
      const signal = AbortSignal.any([lost, caller.signal])
      const spentMs = Math.round(performance.now() - began)
      return resultOf(
        await runJob(needs, kind, { row, input: order.input, waitedMs, spentMs, signal }),
        row.id,
      )
    } finally {
      needs.holder.release(row.id)
    }
  }
}

function resultOf<Result>(outcome: Outcome<Result>, id: string): Result {
  return 'error' in outcome ? named(id)(outcome.error) : outcome.result
}

/** The error for the caller of a job that is on record names the job: its trace says what it did. */
function named(id: string) {
  return (thrown: unknown): never => {
    if (!(thrown instanceof AppError) || isUnavailable(thrown)) throw thrown
    const { code, detail, message, cause } = thrown
    throw new AppError(code, { ...detail, id }, { message, cause })
  }
}
