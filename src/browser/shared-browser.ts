import { AppError } from '../base/errors.ts'
import { type Lease, SharedResource } from '../base/shared-resource.ts'
import {
  type BrowserLimits,
  BrowserLost,
  type BrowserNeeds,
  type RunningBrowser,
  type StartedBrowser,
  startBrowser,
} from './start-browser.ts'

/** The last time a browser was really used, and why that failed if it did. */
export interface LastUse {
  at: number
  error: string | undefined
}

export interface SharedBrowser {
  /** The browser of all pages. The caller must release it. */
  acquire(): Promise<Lease<RunningBrowser>>
  /** A browser for one page only. */
  acquireAlone(): Promise<Lease<RunningBrowser>>
  used(error?: string): void
  lastUse(): LastUse | undefined
  stop(): Promise<void>
}

/** The lifecycle of the one browser that all pages share: started on demand, replaced when worn out, stopped when idle. */
export function sharedBrowser(needs: BrowserNeeds, limits: BrowserLimits): SharedBrowser {
  let last: LastUse | undefined
  const used = (error?: string) => {
    last = { at: needs.clock.now(), error }
  }
  const browsers = new SharedResource<StartedBrowser>({
    start: () => startBrowser({ needs, limits, onGone: (started) => browsers.lose(started) }),
    end: ({ launched }) =>
      launched.kill().catch((cause) => needs.log.warn({ cause }, 'a browser could not be stopped')),
    idleMs: limits.idleMs,
    maxUses: limits.mostPages,
    isSpent: (started, uses) => isSpent(started, uses, limits),
    onBusy: (started) => started.watch(),
    stopped: () => new AppError('STOPPING'),
  })
  const reported = async (acquiring: Promise<Lease<StartedBrowser>>) => {
    try {
      return await acquiring
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'STOPPING') throw thrown
      used(thrown instanceof Error ? thrown.message : String(thrown))
      if (thrown instanceof AppError || thrown instanceof BrowserLost) throw thrown
      throw new AppError('BROWSER_FAILED', { phase: 'launch' }, { cause: thrown })
    }
  }
  return {
    acquire: () => reported(browsers.acquire()),
    acquireAlone: () => reported(browsers.acquireAlone()),
    used,
    lastUse: () => last,
    stop: () => browsers.stop(),
  }
}

function isSpent(started: StartedBrowser, uses: number, { mostMs, mostMegabytes }: BrowserLimits): boolean {
  if (performance.now() - started.since > mostMs) return true
  // Measuring memory reads many files, so it runs on every twentieth page only.
  return uses % 20 === 0 && started.launched.residentMegabytes() > mostMegabytes
}
