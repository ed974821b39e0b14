import { randomId } from './environment.ts'
import { type ErrorFacts, JobFailedError, WinnowError } from './errors.ts'
import type { CallOptions, Transport } from './transport.ts'

/** What the service said when the job was started. */
export interface Started {
  /** URLs of a batch that were left out because they are not valid. */
  invalidURLs?: string[]
  /** What the prompt of a crawl came to, and all its options. */
  promptGeneratedOptions?: unknown
  finalCrawlerOptions?: Record<string, unknown>
  /** Pages that a retry tries again. */
  count?: number
  warning?: string
}

/** The error of a job that has ended without completing. */
export function jobFailed(
  id: string,
  outcome: 'failed' | 'cancelled',
  {
    message,
    code,
    ...body
  }: { message?: string | undefined; code?: string | undefined } & Record<string, unknown>,
): JobFailedError {
  const facts: ErrorFacts = {
    ...{ status: 200, requestId: '', body },
    code: code ?? (outcome === 'cancelled' ? 'JOB_CANCELLED' : 'JOB_FAILED'),
    message: message ?? (outcome === 'cancelled' ? 'The job was cancelled.' : 'The job failed.'),
  }
  return new JobFailedError(id, outcome, facts)
}

export interface StartOptions extends CallOptions {
  /**
   * Two starts with the same key are one job: the second answers the job that the first started. Without one, each
   * start makes its own, so that a lost answer does not start a job twice.
   */
  idempotencyKey?: string | undefined
}

/** Starts a job. A start that the service has seen before answers the job that it started then. */
export async function startOnce(
  transport: Transport,
  call: { method: 'POST'; path: string; body?: unknown },
  { idempotencyKey = randomId(), ...options }: StartOptions,
): Promise<{ id: string; started: Started }> {
  try {
    const answer = await transport.call({ ...call, repeatable: 'always', idempotencyKey }, options)
    const { success: _, id, url: __, ...started } = answer
    return { id: String(id), started }
  } catch (thrown) {
    const isKnown = thrown instanceof WinnowError && thrown.code === 'IDEMPOTENCY_KEY_REUSED'
    if (isKnown && typeof thrown.body.id === 'string') return { id: thrown.body.id, started: {} }
    throw thrown
  }
}

export async function cancelJob(transport: Transport, path: string, options: CallOptions): Promise<void> {
  try {
    await transport.call({ method: 'DELETE', path, repeatable: 'always' }, options)
  } catch (thrown) {
    // The answer to an earlier attempt was lost.
    const isDone = thrown instanceof WinnowError && thrown.code === 'JOB_ALREADY_ENDED' && thrown.attempts > 1
    if (!isDone) throw thrown
  }
}

interface Waitable<Result, Options> {
  wait(options: Options): Promise<Result>
  cancel(): Promise<void>
}

/**
 * Starts a job and waits for it. Nobody else has its id, so it is cancelled when the caller does not wait any more, also
 * where the answer to its start is still on the way.
 */
export async function startAndWait<Result, Options extends StartOptions>(
  start: (options: Options) => Promise<Waitable<Result, Options>>,
  options: Options,
): Promise<Result> {
  const { signal } = options
  signal?.throwIfAborted()
  const starting = start({ ...options, signal: undefined })
  try {
    const job = await orAborted(starting, signal)
    return await job.wait(options)
  } catch (thrown) {
    if (signal?.aborted) void starting.then((job) => job.cancel()).catch(() => undefined)
    throw thrown
  }
}

function orAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
