import { AppError, type ErrorCode } from './errors.ts'

/** One time budget for a whole call, passed from step to step instead of a timeout per step. */
export interface Deadline {
  /** Aborts when the budget is used up or the caller has disconnected. */
  signal: AbortSignal
  remaining(): number
  /** Runs a step; when the budget ends inside it, the error names the phase that used it up. */
  during<T>(phase: string, step: (signal: AbortSignal) => Promise<T>): Promise<T>
}

export function startDeadline(milliseconds: number, code: ErrorCode, outer?: AbortSignal): Deadline {
  const ends = performance.now() + milliseconds
  const budget = AbortSignal.timeout(Math.max(0, Math.floor(milliseconds)))
  const signal = outer ? AbortSignal.any([budget, outer]) : budget
  return {
    signal,
    remaining: () => Math.max(0, Math.round(ends - performance.now())),
    async during(phase, step) {
      try {
        return await whichever(step(signal), signal)
      } catch (thrown) {
        if (budget.aborted && !outer?.aborted) throw new AppError(code, { phase }, { cause: thrown })
        throw thrown
      }
    },
  }
}

/** A step that ignores its signal must not delay the caller past the deadline. */
function whichever<T>(step: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) {
    step.catch(() => undefined)
    return Promise.reject(signal.reason)
  }
  return new Promise<T>((resolve, reject) => {
    const aborted = () => reject(signal.reason)
    signal.addEventListener('abort', aborted, { once: true })
    step.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted))
  })
}
