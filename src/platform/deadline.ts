import { AppError, type ErrorCode } from './errors.ts'
import { untilAborted } from './functions.ts'

/** Time budget of an entire call. It is passed from step to step instead of a timeout per step. */
export type Deadline = ReturnType<typeof startDeadline>

export function startDeadline(milliseconds: number, code: ErrorCode, callerSignal?: AbortSignal) {
  const endsAt = performance.now() + milliseconds
  const budget = AbortSignal.timeout(Math.max(0, Math.floor(milliseconds)))
  const signal = callerSignal ? AbortSignal.any([budget, callerSignal]) : budget
  return {
    signal,
    remaining: () => Math.max(0, Math.round(endsAt - performance.now())),
    async during<T>(phase: string, step: (signal: AbortSignal) => Promise<T>): Promise<T> {
      try {
        return await untilAborted(step(signal), signal)
      } catch (thrown) {
        if (budget.aborted && !callerSignal?.aborted) throw new AppError(code, { phase }, { cause: thrown })
        throw thrown
      }
    },
  }
}
