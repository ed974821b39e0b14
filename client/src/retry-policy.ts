import { ConnectionError, UnexpectedResponseError, WinnowError } from './errors.ts'

/**
 * Condition under which a call may be retried:
 * - `always`: the call changes nothing, or has an idempotency key.
 * - `unpaid`: the call costs credits but changes nothing, so it is retried only if nothing was charged.
 * - `unstarted`: the call has effects, so it is retried only if the service rejected it before any work.
 */
export type RetryPolicy = 'always' | 'unpaid' | 'unstarted'

/** Codes of calls that the service rejected before any work. */
const rejectedCodes = new Set([
  'RATE_LIMITED',
  'STOPPING',
  'TOO_MANY_SOCKETS',
  'CODE_NOT_STARTED',
  'SESSION_FAILED',
])
/** Codes of calls whose work was not charged. */
const unpaidCodes = new Set(['JOB_INTERRUPTED', 'STORE_UNAVAILABLE', 'TEMPORARY_FOLDER_FULL'])
/**
 * System error codes after which nothing was sent. Each runtime has its own codes. After any other error,
 * the service may have received the call.
 */
const unsentCodes = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['ConnectionRefused', 'FailedToOpenSocket'],
])
export function isRetryable(error: unknown, policy: RetryPolicy): boolean {
  if (error instanceof ConnectionError) return policy === 'always' || wasNotSent(error)
  if (error instanceof UnexpectedResponseError) return isTransient(error.status, policy)
  if (!(error instanceof WinnowError)) return false
  // An interrupted call may still have been completed and charged.
  if (error.code === 'CALL_INTERRUPTED') return policy === 'always'
  return rejectedCodes.has(error.code) || (unpaidCodes.has(error.code) && policy !== 'unstarted')
}

/** True if a retry may help. A proxy sent the response or it was truncated, so the service may have done the work. */
function isTransient(status: number, policy: RetryPolicy): boolean {
  return status === 429 || (policy === 'always' && (status === 200 || status === 408 || status >= 500))
}

function wasNotSent({ cause }: ConnectionError): boolean {
  for (
    let current: unknown = cause, depth = 0;
    current instanceof Error && depth < 4;
    current = current.cause, depth += 1
  ) {
    const code = 'code' in current ? String(current.code) : ''
    if (unsentCodes.has(code)) return true
    if (/connection refused|ECONNREFUSED|dns error/i.test(current.message)) return true
  }
  return false
}

const initialDelayMs = 500
const maxDelayMs = 8_000
/** Maximum wait that the service may request. Rate limits reset within a minute; callers decide about longer waits. */
const maxRetryAfterMs = 60_000

/**
 * Returns the delay before a retry, or undefined if the service requests a wait above the maximum. Jitter prevents many
 * clients from retrying at the same time.
 */
export function retryDelay(retry: number, error: unknown): number | undefined {
  const retryAfter = error instanceof WinnowError ? error.retryAfter : undefined
  if (retryAfter !== undefined)
    return retryAfter * 1000 > maxRetryAfterMs ? undefined : retryAfter * 1000 + Math.random() * 250
  const delay = Math.min(maxDelayMs, initialDelayMs * 2 ** (retry - 1))
  return delay * (0.5 + Math.random() / 2)
}
