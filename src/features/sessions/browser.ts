import type { Browser, BrowserContext } from 'playwright-core'
import type { WebSocket } from 'ws'
import { AppError } from '../../platform/errors.ts'
import type { CodeOutcome, CodeRequest } from '../../sessions/code/code-runner.ts'

export interface SessionBrowser {
  driver(): Promise<Browser>
  code: { run(request: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> }
  serveCdp(socket: WebSocket): void
  show(socket: WebSocket, viewer: { isInteractive: boolean }): void
  /** Resolves when the browser exits by itself or is closed, by a client or by `close`. */
  ended: Promise<'closed' | 'closed-by-guest' | CrashReason>
  close(): Promise<void>
}

export type CrashReason = 'crashed' | 'out of memory' | 'flooded'

export interface OpenBrowser {
  check(): Promise<void>
  open(hooks: { teamId: string; onActivity(): void }): Promise<SessionBrowser>
}

export async function contextOf(browser: SessionBrowser): Promise<BrowserContext> {
  const [context] = (await browser.driver()).contexts()
  if (!context) throw new Error('The browser has no context of its own.')
  return context
}

/** Reason why a session ends. `lost` means that this process lost the lease: another process records the end. */
export type EndCause =
  | 'ttl'
  | 'activityTtl'
  | 'deleted'
  | 'closed by client'
  | 'stopped'
  | CrashReason
  | 'failed'
  | 'lost'

export function isCrashReason(cause: EndCause | undefined): cause is CrashReason {
  return cause !== undefined && Object.hasOwn(crashMessages, cause)
}

/** Returns true if the state can be saved. After a crash no state is left; a lost session belongs to another process. */
export const isClean = (cause: EndCause) => !isCrashReason(cause) && cause !== 'failed' && cause !== 'lost'

export function sessionEndError(cause: EndCause | undefined): AppError {
  // The code may have run, but a repeated call runs nothing, because the session has ended.
  if (isCrashReason(cause)) {
    return new AppError('SESSION_FAILED', { phase: 'running', cause }, { message: crashMessages[cause] })
  }
  if (cause === 'stopped') return new AppError('STOPPING')
  return new AppError('SESSION_DESTROYED')
}

const crashMessages: Record<CrashReason, string> = {
  crashed: 'The browser of the session crashed, so the session ended. Start a new one.',
  'out of memory':
    'The browser of the session used more memory than SESSION_MEMORY_MB allows, so the session ended. Start a new one.',
  flooded: 'The session ended because its clients kept sending forbidden DevTools messages. Start a new one.',
}
