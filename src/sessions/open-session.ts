import type { Browser } from 'playwright-core'
import type { Egress } from '../fetch/network/egress/egress.ts'
import type { Log } from '../platform/log.ts'
import type { SandboxedChromium } from '../platform/ports/chromium.ts'
import type { Sandbox } from '../platform/ports/sandbox.ts'
import { connectDriver } from './cdp/caller.ts'
import { type CdpMultiplexer, createCdpMultiplexer } from './cdp/multiplexer.ts'
import { createCdpConnections } from './cdp/socket.ts'
import { type CodeRunner, createCodeRunner } from './code/code-runner.ts'
import type { CodeLimits, CodePrograms } from './code/programs.ts'
import { createLiveView, type LiveView } from './live-view/live-view.ts'
import type { UnreadLimits } from './outbox.ts'

export interface SessionDeps {
  chromium: SandboxedChromium
  sandbox: Sandbox
  egress: Egress
  /** Proxy of the operator for ordinary requests. */
  upstream: URL | undefined
  programs: CodePrograms
  limits: CodeLimits
  unread: UnreadLimits
  log: Log
}

/**
 * Reason for the end of a session. `crashed`: the browser ended unexpectedly. `out of memory`: it was ended for its
 * memory usage. `flooded`: its clients kept sending forbidden messages.
 */
type SessionEnd = 'closed' | 'closed-by-guest' | 'crashed' | 'out of memory' | 'flooded'

/** Running browser of a session, with its operations. */
export interface OpenSession {
  cdp: CdpMultiplexer
  /** Returns the Playwright browser of the service on the default context; connected on first use. */
  driver(): Promise<Browser>
  code: CodeRunner
  live: LiveView
  /**
   * Resolves when the browser has ended or the session must end for another reason. The owner must then close the
   * session.
   */
  ended: Promise<SessionEnd>
  residentMegabytes(): number
  close(): Promise<void>
}

export interface SessionHooks {
  /** Team of the session. */
  teamId: string
  onActivity(): void
}

/**
 * Opens a separate browser in a sandbox, the multiplexer that all its clients share, a code sandbox, and a live view.
 */
export async function openSession(deps: SessionDeps, hooks: SessionHooks): Promise<OpenSession> {
  const exit = await deps.egress.exit({ team: hooks.teamId, upstream: deps.upstream })
  const browser = await deps.chromium.launch(exit.connect).catch((thrown) => {
    exit.release()
    throw thrown
  })
  browser.ended.then(exit.release)
  const endReason = Promise.withResolvers<SessionEnd>()
  // A client cannot close the browser: the owner of the session closes it, after saving its state.
  const cdp = createCdpMultiplexer(browser, {
    ...hooks,
    onBrowserClose: () => endReason.resolve('closed-by-guest'),
    onFlood: () => endReason.resolve('flooded'),
  })
  const code = createCodeRunner({ ...deps, connections: createCdpConnections(cdp, deps.unread) })
  code.warmUp()
  const live = createLiveView(cdp, hooks)
  let driver: Promise<Browser> | undefined
  let closePromise: Promise<void> | undefined

  function close(reason: SessionEnd): Promise<void> {
    endReason.resolve(reason)
    closePromise ??= (async () => {
      live.close()
      await code.stop()
      await browser.kill()
    })()
    return closePromise
  }
  browser.ended.then(({ exceeded }) => close(exceeded ? 'out of memory' : 'crashed'))

  return {
    ...{ cdp, code, live, ended: endReason.promise },
    driver() {
      driver ??= connectDriver(cdp)
      return driver
    },
    residentMegabytes: browser.residentMegabytes,
    close: () => close('closed'),
  }
}
