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
import { type LiveView, liveView } from './live-view/live-view.ts'
import type { UnreadLimits } from './outbox.ts'

export interface SessionDeps {
  chromium: SandboxedChromium
  sandbox: Sandbox
  egress: Egress
  /** The operator's proxy for ordinary requests. */
  upstream: URL | undefined
  programs: CodePrograms
  limits: CodeLimits
  unread: UnreadLimits
  log: Log
}

/**
 * `crashed`: the browser ended unexpectedly. `out of memory`: it was ended for its memory usage. `flooded`: its clients kept sending
 * forbidden messages.
 */
type SessionEnd = 'closed' | 'closed-by-guest' | 'crashed' | 'out of memory' | 'flooded'

/** A running browser and all its operations. */
export interface OpenSession {
  cdp: CdpMultiplexer
  /** Playwright of the service itself on the browser's default context; connected on first use. */
  driver(): Promise<Browser>
  code: CodeRunner
  live: LiveView
  /** The browser has ended, or a guest asked to close it: the owner must then close the session. */
  ended: Promise<SessionEnd>
  residentMegabytes(): number
  close(): Promise<void>
}

export interface SessionHooks {
  /** The team of the session. */
  teamId: string
  onActivity(): void
}

/** A separate browser in a sandbox, the switch that all its clients share, a code sandbox, and a live view. */
export async function openSession(deps: SessionDeps, hooks: SessionHooks): Promise<OpenSession> {
  const exit = await deps.egress.exit({ team: hooks.teamId, upstream: deps.upstream })
  const browser = await deps.chromium.launch(exit.connect).catch((thrown) => {
    exit.leave()
    throw thrown
  })
  browser.ended.then(exit.leave)
  const ending = Promise.withResolvers<SessionEnd>()
  // The owner of the session closes it, after saving its state.
  const cdp = createCdpMultiplexer(browser, {
    ...hooks,
    onBrowserClose: () => ending.resolve('closed-by-guest'),
    onFlood: () => ending.resolve('flooded'),
  })
  const code = createCodeRunner({ ...deps, connections: createCdpConnections(cdp, deps.unread) })
  code.warmUp()
  const live = liveView(cdp, hooks)
  let driver: Promise<Browser> | undefined
  let closing: Promise<void> | undefined

  function close(reason: SessionEnd): Promise<void> {
    ending.resolve(reason)
    closing ??= (async () => {
      live.close()
      await code.stop()
      await browser.kill()
    })()
    return closing
  }
  browser.ended.then(({ exceeded }) => close(exceeded ? 'out of memory' : 'crashed'))

  return {
    ...{ cdp, code, live, ended: ending.promise },
    driver() {
      driver ??= connectDriver(cdp)
      return driver
    },
    residentMegabytes: browser.residentMegabytes,
    close: () => close('closed'),
  }
}
