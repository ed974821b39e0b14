import { AppError, type ErrorCode } from './errors.ts'

/** Time budget of an entire call. It is passed from step to step instead of a timeout per step. */
export interface Deadline {
  /** Aborts when the budget is used up or the caller has disconnected. */
  signal: AbortSignal
  remaining(): number
  /** Runs a step. If the budget ends during the step, the error names the phase. */
  during<T>(phase: string, step: (signal: AbortSignal) => Promise<T>): Promise<T>
}

export function startDeadline(milliseconds: number, code: ErrorCode, callerSignal?: AbortSignal): Deadline {
  const endsAt = performance.now() + milliseconds
  const budget = AbortSignal.timeout(Math.max(0, Math.floor(milliseconds)))
  const signal = callerSignal ? AbortSignal.any([budget, callerSignal]) : budget
  return {
    signal,
    remaining: () => Math.max(0, Math.round(endsAt - performance.now())),
    async during(phase, step) {
      try {
        return await rejectOnAbort(step(signal), signal)
      } catch (thrown) {
        if (budget.aborted && !callerSignal?.aborted) throw new AppError(code, { phase }, { cause: thrown })
        throw thrown
      }
    },
  }
}

/** Rejects when the signal aborts, because a step that ignores its signal must not delay the caller. */
function rejectOnAbort<T>(step: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    step.catch(() => undefined)
    return Promise.reject(signal.reason)
  }
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    step.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
