import { AppError } from '../../base/errors.ts'
import type { Breakdown } from './browser.ts'

/** Why a session ends. `lost`: it is no longer this process's own, and what became of it is recorded elsewhere. */
export type EndCause =
  | 'ttl'
  | 'activityTtl'
  | 'deleted'
  | 'closed by client'
  | 'stopped'
  | Breakdown
  | 'failed'
  | 'lost'

export function isBreakdown(cause: EndCause | undefined): cause is Breakdown {
  return cause !== undefined && Object.hasOwn(toldOf, cause)
}

/** After a crash there is nothing left to keep, and what is lost belongs to somebody else. */
export function isClean(cause: EndCause): boolean {
  return !isBreakdown(cause) && cause !== 'failed' && cause !== 'lost'
}

/** The error for a call that meets the end of its session. */
export function refusalAfter(cause: EndCause | undefined): AppError {
  // What was running is not known to have run: but a repeated call meets the end of the session, and runs nothing.
  if (isBreakdown(cause)) {
    return new AppError('SESSION_FAILED', { phase: 'running', cause }, { message: toldOf[cause] })
  }
  if (cause === 'stopped') return new AppError('STOPPING')
  return new AppError('SESSION_DESTROYED')
}

const toldOf: Record<Breakdown, string> = {
  crashed: 'The browser of the session crashed, so the session ended. Start a new one.',
  'out of memory':
    'The browser of the session used more memory than SESSION_MEMORY_MB allows, so the session ended. Start a new one.',
  flooded: 'The session ended because its clients kept sending forbidden DevTools messages. Start a new one.',
}
