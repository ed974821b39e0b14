import { ConnectionError, UnexpectedAnswerError, WinnowError } from './errors.ts'

/**
 * When a call may be made again:
 * - `always`: it changes nothing, or has an idempotency key.
 * - `unpaid`: it costs credits but changes nothing, so it is repeated only where nothing was charged.
 * - `unstarted`: it has effects, so it is repeated only where the service refused it before any work.
 */
export type Repeatable = 'always' | 'unpaid' | 'unstarted'

/** Refused before any work. */
const refused = new Set([
  'RATE_LIMITED',
  'STOPPING',
  'TOO_MANY_SOCKETS',
  'CODE_NOT_STARTED',
  'SESSION_FAILED',
])
/** Work was done, and nothing was charged for it. */
const unpaid = new Set(['JOB_INTERRUPTED', 'STORE_UNAVAILABLE', 'TEMPORARY_FOLDER_FULL'])
/** Of the system: nothing was sent. Each runtime has its own names; where there is none, a call may have arrived. */
const notConnected = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['ConnectionRefused', 'FailedToOpenSocket'],
])
export function mayRepeat(error: unknown, repeatable: Repeatable): boolean {
  if (error instanceof ConnectionError) return repeatable === 'always' || wasNotSent(error)
  if (error instanceof UnexpectedAnswerError) return isPassing(error.status, repeatable)
  if (!(error instanceof WinnowError)) return false
  // What was interrupted may still have been finished and charged.
  if (error.code === 'CALL_INTERRUPTED') return repeatable === 'always'
  return refused.has(error.code) || (unpaid.has(error.code) && repeatable !== 'unstarted')
}

/** Of an answer that a proxy made, or that was cut short: the service may have done the work. */
function isPassing(status: number, repeatable: Repeatable): boolean {
  return status === 429 || (repeatable === 'always' && (status === 200 || status === 408 || status >= 500))
}

function wasNotSent({ cause }: ConnectionError): boolean {
  for (let at: unknown = cause, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
    const code = 'code' in at ? String(at.code) : ''
    if (notConnected.has(code)) return true
    if (/connection refused|ECONNREFUSED|dns error/i.test(at.message)) return true
  }
  return false
}

const firstPauseMs = 500
const longestPauseMs = 8_000
/** The service counts calls by the minute. A longer wait is for the caller to decide about. */
const longestHintMs = 60_000

/** Undefined: the service asks for a longer wait than a call may hide. The jitter keeps many clients apart. */
export function pauseBefore(repetition: number, error: unknown): number | undefined {
  const hint = error instanceof WinnowError ? error.retryAfter : undefined
  if (hint !== undefined) return hint * 1000 > longestHintMs ? undefined : hint * 1000 + Math.random() * 250
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (repetition - 1))
  return pause * (0.5 + Math.random() / 2)
}
