import type { Browser } from 'playwright-core'
import type { Egress } from '../fetch/network/egress/egress.ts'
import type { SandboxedChromium } from '../platform/ports/chromium.ts'
import { connectDriver } from './cdp/caller.ts'
import { createCdpMultiplexer } from './cdp/multiplexer.ts'
import { createCdpConnections } from './cdp/socket.ts'
import { createCodeRunner } from './code/code-runner.ts'
import type { CodeSandboxDeps } from './code/code-sandbox.ts'
import { createLiveView } from './live-view/live-view.ts'
import type { UnreadLimits } from './outbox.ts'

interface SessionDeps extends Omit<CodeSandboxDeps, 'connections'> {
  chromium: SandboxedChromium
  egress: Egress
  upstream: URL | undefined
  unread: UnreadLimits
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
    ended: endReason.promise,
    driver() {
      driver ??= connectDriver(cdp)
      return driver
    },
    residentMegabytes: browser.residentMegabytes,
    close: () => close('closed'),
  }
}
