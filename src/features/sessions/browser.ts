import type { Browser, BrowserContext } from 'playwright-core'
import type { WebSocket } from 'ws'
import type { CodeOrder, CodeOutcome } from '../../remote-browser/code/code-runner.ts'

/** The browser of a session, as far as its life and its use go. */
export interface SessionBrowser {
  /** Playwright of the service itself on the default context. */
  driver(): Promise<Browser>
  code: { run(order: CodeOrder, signal: AbortSignal): Promise<CodeOutcome> }
  /** Hands the browser to somebody who speaks the DevTools protocol. */
  serveCdp(socket: WebSocket): void
  /** Shows the browser to somebody, who may steer it when `isInteractive`. */
  show(socket: WebSocket, viewer: { isInteractive: boolean }): void
  /** Settles when the browser has gone by itself, was closed by a guest, or by `close`. */
  ended: Promise<'closed' | 'closed-by-guest' | Breakdown>
  close(): Promise<void>
}

/** Ways for a browser to end that nobody asked for. */
export type Breakdown = 'crashed' | 'out of memory' | 'flooded'

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
