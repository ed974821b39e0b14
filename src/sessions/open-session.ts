import type { Browser } from 'playwright-core'
import type { Egress } from '../fetch/network/egress/egress.ts'
import type { Log } from '../platform/log.ts'
import type { SandboxedChromium } from '../platform/ports/chromium.ts'
import type { Sandbox } from '../platform/ports/sandbox.ts'
import { connectDriver } from './cdp/caller.ts'
import { createCdpMultiplexer } from './cdp/multiplexer.ts'
import { createCdpConnections } from './cdp/socket.ts'
import { createCodeRunner } from './code/code-runner.ts'
import type { CodeLimits, CodePrograms } from './code/programs.ts'
import { createLiveView } from './live-view/live-view.ts'
import type { UnreadLimits } from './outbox.ts'

interface SessionDeps {
  chromium: SandboxedChromium
  sandbox: Sandbox
  egress: Egress
  upstream: URL | undefined
  programs: CodePrograms
  limits: CodeLimits
  unread: UnreadLimits
  log: Log
}

/** `flooded`: the clients of the browser kept sending forbidden messages. */
type SessionEnd = 'closed' | 'closed-by-guest' | 'crashed' | 'out of memory' | 'flooded'

export async function openSession(deps: SessionDeps, hooks: { teamId: string; onActivity(): void }) {
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
    ...{ cdp, code, live },
    /** Resolves when the browser has ended, or when the owner must close the session. */
    ended: endReason.promise,
    driver() {
      driver ??= connectDriver(cdp)
      return driver
    },
    residentMegabytes: browser.residentMegabytes,
    close: () => close('closed'),
  }
}
