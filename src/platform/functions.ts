import type { Log } from './log.ts'

/** Returns a getter that computes the value on the first call and caches it. */
export function lazy<Value>(create: () => Value): () => Value {
  let cached: { value: Value } | undefined
  return () => {
    cached ??= { value: create() }
    return cached.value
  }
}

/**
 * Value that is usually available synchronously. A promise per request is measurable on the hot path, so such values
 * have this type. Chain it with {@link mapMaybePromise}.
 */
export type MaybePromise<Value> = Value | Promise<Value>

/** Passes a value to the next function; synchronously if the value is not a promise. */
export function mapMaybePromise<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/**
 * Returns a function that runs the work, one run at a time. A call during a run returns immediately, and the work runs
 * once more. So each call is followed by a run that reads all state from before the call. No run starts after the
 * abort.
 */
export function coalesce(work: () => Promise<void>, signal: AbortSignal): () => Promise<void> {
  let isRunning = false
  let isRequested = false
  return async () => {
    isRequested = true
    if (isRunning) return
    isRunning = true
    try {
      while (isRequested && !signal.aborted) {
        isRequested = false
        await work()
      }
    } finally {
      isRunning = false
    }
  }
}

/**
 * Runs work at an interval. A run that is due before the previous run has ended is skipped, because it would only delay
 * the previous run. Errors are passed to `failed`.
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
 * Runs optional work for a result that already exists, such as recording or learning. An error is logged and never
 * thrown, so it cannot fail that result. After an error, the returned value is undefined.
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
 * Returns a function that events, timers and pipes may call, because it never throws. All errors of the work, thrown or
 * rejected, are passed to `failed`. Node exits on an uncaught error, and no other code catches errors of an event
 * handler.
 */
export function listener<Args extends unknown[]>(
  work: (...args: Args) => unknown,
  failed: (cause: unknown, ...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      const result = work(...args)
      if (result instanceof Promise) result.catch((cause) => failed(cause, ...args))
    } catch (cause) {
      failed(cause, ...args)
    }
  }
}
