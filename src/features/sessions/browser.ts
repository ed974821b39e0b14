import type { Browser, BrowserContext } from 'playwright-core'
import type { WebSocket } from 'ws'
import { AppError } from '../../platform/errors.ts'
import type { CodeOutcome, CodeRequest } from '../../sessions/code/code-runner.ts'

/** The browser of a session, as far as its life and its use go. */
export interface SessionBrowser {
  /** Playwright of the service itself on the default context. */
  driver(): Promise<Browser>
  code: { run(order: CodeRequest, signal: AbortSignal): Promise<CodeOutcome> }
  /** Hands the browser to somebody who speaks the DevTools protocol. */
  serveCdp(socket: WebSocket): void
  /** Shows the browser to somebody, who may steer it when `isInteractive`. */
  show(socket: WebSocket, viewer: { isInteractive: boolean }): void
  /** Settles when the browser has gone by itself, was closed by a guest, or by `close`. */
  ended: Promise<'closed' | 'closed-by-guest' | CrashReason>
  close(): Promise<void>
}

/** Ways for a browser to end that nobody asked for. */
export type CrashReason = 'crashed' | 'out of memory' | 'flooded'

export interface OpenBrowser {
  /** Fails with what is missing where sessions cannot work on this installation. */
  check(): Promise<void>
  open(hooks: { teamId: string; onActivity(): void }): Promise<SessionBrowser>
}

/** The context that sessions work in: the browser's own, which is always there. */
export async function contextOf(browser: SessionBrowser): Promise<BrowserContext> {
  const [context] = (await browser.driver()).contexts()
  if (!context) throw new Error('The browser has no context of its own.')
  return context
}

/** Why a session ends. `lost`: it is no longer this process's own, and what became of it is recorded elsewhere. */
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
  return cause !== undefined && Object.hasOwn(toldOf, cause)
}

/** After a crash there is nothing left to keep, and what is lost belongs to somebody else. */
export function isClean(cause: EndCause): boolean {
  return !isCrashReason(cause) && cause !== 'failed' && cause !== 'lost'
}

/** The error for a call that meets the end of its session. */
export function sessionEndError(cause: EndCause | undefined): AppError {
  // What was running is not known to have run: but a repeated call meets the end of the session, and runs nothing.
  if (isCrashReason(cause)) {
    return new AppError('SESSION_FAILED', { phase: 'running', cause }, { message: toldOf[cause] })
  }
  if (cause === 'stopped') return new AppError('STOPPING')
  return new AppError('SESSION_DESTROYED')
}

const toldOf: Record<CrashReason, string> = {
  crashed: 'The browser of the session crashed, so the session ended. Start a new one.',
  'out of memory':
    'The browser of the session used more memory than SESSION_MEMORY_MB allows, so the session ended. Start a new one.',
  flooded: 'The session ended because its clients kept sending forbidden DevTools messages. Start a new one.',
}
