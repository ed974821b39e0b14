import type { Log } from './log.ts'

/** A value that is made when it is first asked for, and not again. */
export function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * A value that is usually there, and sometimes has to be waited for. On the road of every call a promise more would be
 * felt, so what may answer at once says so by this type and is continued by {@link proceed}.
 */
export type MaybePromise<Value> = Value | Promise<Value>

/** Continues with a value: at once where it is there. */
export function proceed<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/**
 * Runs the work one at a time: a call during a run makes the work run once more, and returns immediately. A run always
 * starts after each call, so it sees everything that existed before. No run starts after the abort.
 */
export function coalesce(work: () => Promise<void>, signal: AbortSignal): () => Promise<void> {
  let isRunning = false
  let again = false
  return async () => {
    again = true
    if (isRunning) return
    isRunning = true
    try {
      while (again && !signal.aborted) {
        again = false
        await work()
      }
    } finally {
      isRunning = false
    }
  }
}

/**
 * Runs work at an interval. A run that is due before the last one has ended is skipped: a second one would only be in the way of
 * the first. A failure goes to `failed`.
 */
export function repeat(
  work: () => Promise<void>,
  intervalMs: number,
  on: { failed(cause: unknown): void; skipped?(): void },
): { stop(): void } {
  let isBusy = false
  const timer = setInterval(async () => {
    if (isBusy) return on.skipped?.()
    isBusy = true
    try {
      await work()
    } catch (cause) {
      on.failed(cause)
    } finally {
      isBusy = false
    }
  }, intervalMs)
  return { stop: () => clearInterval(timer) }
}

/**
 * Runs work that records or learns something beside a result that is already there. A failure is logged and never thrown, so
 * that it cannot fail that result; then the returned value is undefined.
 */
export async function bestEffort<Result>(
  log: Pick<Log, 'warn'>,
  failure: string,
  work: () => MaybePromise<Result>,
): Promise<Result | undefined> {
  try {
    return await work()
  } catch (cause) {
    log.warn({ cause }, failure)
    return undefined
  }
}

/**
 * A function that events, timers and pipes may call: it never throws. Anything that the work throws, synchronously or in its
 * promise, goes to `failed`, which decides what to report and what to end. Node exits on an uncaught error, and nothing
 * catches errors of an event handler.
 */
export function listener<Given extends unknown[]>(
  work: (...given: Given) => unknown,
  failed: (cause: unknown, ...given: Given) => void,
): (...given: Given) => void {
  return (...given) => {
    try {
      const done = work(...given)
      if (done instanceof Promise) done.catch((cause) => failed(cause, ...given))
    } catch (cause) {
      failed(cause, ...given)
    }
  }
}
