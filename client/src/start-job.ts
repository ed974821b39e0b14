import { randomId } from './environment.ts'
import { type ErrorProperties, JobFailedError, WinnowError } from './errors.ts'
import type { CallOptions, Transport } from './transport.ts'

/** Response of the service to the start of a job. */
export interface StartResponse {
  /** URLs of a batch that were skipped because they are not valid. */
  invalidURLs?: string[]
  /** Crawl options that were generated from the prompt. */
  promptGeneratedOptions?: unknown
  /** All options of the crawl. */
  finalCrawlerOptions?: Record<string, unknown>
  /** Number of pages that a retry scrapes again. */
  count?: number
  warning?: string
}

/** Creates the error of a job that ended without completing. */
export function createJobFailedError(
  id: string,
  outcome: 'failed' | 'cancelled',
  {
    message,
    code,
    ...body
  }: { message?: string | undefined; code?: string | undefined } & Record<string, unknown>,
): JobFailedError {
  const properties: ErrorProperties = {
    ...{ status: 200, requestId: '', body },
    code: code ?? (outcome === 'cancelled' ? 'JOB_CANCELLED' : 'JOB_FAILED'),
    message: message ?? (outcome === 'cancelled' ? 'The job was cancelled.' : 'The job failed.'),
  }
  return new JobFailedError(id, outcome, properties)
}

export interface StartOptions extends CallOptions {
  /**
   * Key that identifies the job: a second start with the same key returns the job that the first start created. By
   * default, each start has a new random key, so that a retry after a lost response does not start a second job.
   */
  idempotencyKey?: string | undefined
}

/** Starts a job. Returns the existing job if the service has already received a start with this key. */
export async function startJobIdempotent(
  transport: Transport,
  call: { method: 'POST'; path: string; body?: unknown },
  { idempotencyKey = randomId(), ...options }: StartOptions,
): Promise<{ id: string; started: StartResponse }> {
  try {
    const response = await transport.call({ ...call, retry: 'always', idempotencyKey }, options)
    const { success: _, id, url: __, ...started } = response
    return { id: String(id), started }
  } catch (thrown) {
    const isDuplicate = thrown instanceof WinnowError && thrown.code === 'IDEMPOTENCY_KEY_REUSED'
    if (isDuplicate && typeof thrown.body.id === 'string') return { id: thrown.body.id, started: {} }
    throw thrown
  }
}

export async function cancelJob(transport: Transport, path: string, options: CallOptions): Promise<void> {
  try {
    await transport.call({ method: 'DELETE', path, retry: 'always' }, options)
  } catch (thrown) {
    // An earlier attempt cancelled the job, but its response was lost.
    const isAlreadyCancelled =
      thrown instanceof WinnowError && thrown.code === 'JOB_ALREADY_ENDED' && thrown.attempts > 1
    if (!isAlreadyCancelled) throw thrown
  }
}

interface WaitableJob<Result, Options> {
  wait(options: Options): Promise<Result>
  cancel(): Promise<void>
}

/**
 * Starts a job and waits for its result. If the caller aborts, the job is cancelled, because no other client has its
 * id. This also applies while the start request is in flight.
 */
export async function startAndWait<Result, Options extends StartOptions>(
  start: (options: Options) => Promise<WaitableJob<Result, Options>>,
  options: Options,
): Promise<Result> {
  const { signal } = options
  signal?.throwIfAborted()
  const starting = start({ ...options, signal: undefined })
  try {
    const job = await rejectOnAbort(starting, signal)
    return await job.wait(options)
  } catch (thrown) {
    if (signal?.aborted) void starting.then((job) => job.cancel()).catch(() => undefined)
    throw thrown
  }
}

function rejectOnAbort<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
