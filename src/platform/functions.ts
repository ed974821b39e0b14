import type { Log } from './log.ts'

export function lazy<Value>(create: () => Value): () => Value {
  let cached: { value: Value } | undefined
  return () => {
    cached ??= { value: create() }
    return cached.value
  }
}

/** Value that is usually available synchronously: the time of a promise per request is measurable. */
export type MaybePromise<Value> = Value | Promise<Value>

export function mapMaybePromise<Value, Next>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Next>,
): MaybePromise<Next> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** A call during a run makes the work run once more, so a complete run begins after each call. */
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

/** A run that is due before the previous one has ended is skipped, because it would only delay that one. */
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

/** Runs optional work for a result that already exists, so an error is logged and cannot fail that result. */
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

/** Node exits on an uncaught error of an event handler, so all errors of the work are passed to `failed`. */
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

/** Settles like the work, or rejects when the signal aborts, because work may ignore its signal. */
export async function untilAborted<Value>(
  work: Promise<Value>,
  signal: AbortSignal,
  onAbort = () => {},
): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => {
    reject(signal.reason)
    onAbort()
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, work])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
