import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { AppError } from '../platform/errors.ts'
import { listener } from '../platform/functions.ts'
import { type Permit, Permits } from '../platform/permits.ts'
import { redactedError } from '../platform/safe-errors.ts'
import type { Lease } from '../platform/shared-resource.ts'
import { memoryExceededError } from './memory.ts'
import {
  type BrowserDeps,
  type BrowserLimits,
  BrowserLost,
  closeContext,
  createSharedBrowser,
  type RunningBrowser,
  settlesWithin,
} from './shared-browser.ts'

export interface PoolOptions extends BrowserLimits {
  /** Active pages; further ones would only slow down all others. */
  permits: number
  sparePermits: number
  /** Open pages that only wait and have lent their permits to other pages. */
  waitingPages: number
}

type Work<Result> = (context: BrowserContext, tabPermit: TabPermit) => Promise<Result>
type PageUse<Result> = { request: PageRequest; work: Work<Result>; tabPermit: TabPermit }

export interface TabPermit {
  /** Lends the permit after a short delay, unless `isWaiting` returns false. Queues for one before this resolves. */
  whileWaiting<Result>(wait: () => Promise<Result>, isWaiting?: () => boolean): Promise<Result>
}

interface PageRequest {
  teamId: string
  isBackground?: boolean
  context: BrowserContextOptions
  signal: AbortSignal
}

/** Most waits are shorter, so that the page need not queue again. */
const lendDelayMs = 250

export function createBrowserPool(deps: BrowserDeps, options: PoolOptions) {
  const { permits: count, sparePermits: spare, waitingPages: lent } = options
  const permits = new Permits({ count, spare, lent })
  const shared = createSharedBrowser(deps, options)

  async function useOnce<Result>(
    { resource: running, retire, release }: Lease<RunningBrowser>,
    { request, work, tabPermit }: PageUse<Result>,
  ): Promise<Result> {
    let context: BrowserContext | undefined
    let contextPromise: Promise<BrowserContext> | undefined
    const abort = closeOnAbort(request.signal, () => closeContext(context))
    try {
      request.signal.throwIfAborted()
      contextPromise = running.browser.newContext(request.context)
      context = await Promise.race([contextPromise, running.lost, abort.promise])
      shared.used()
      request.signal.throwIfAborted()
      const crash = watchCrash(context, running)
      return await Promise.race([work(context, tabPermit), running.lost, crash, abort.promise])
    } catch (thrown) {
      // The browser process ended. A second attempt shows whether this page is the cause.
      if (!running.browser.isConnected() && !(thrown instanceof AppError)) {
        throw new BrowserLost(running.excess(), { cause: thrown })
      }
      if (!(thrown instanceof AppError) && !request.signal.aborted && isCrash(thrown))
        throw toCrashError(running)
      throw thrown
    } finally {
      abort.dispose()
      if (context === undefined) contextPromise?.then(closeContext, () => undefined)
      else if (!(await closeContext(context))) retire()
      release()
    }
  }

  /** If the browser used too much memory, each page gets a separate one, so that the cause affects no other page. */
  async function retryUse<Result>(lost: BrowserLost, use: PageUse<Result>): Promise<Result> {
    // Messages of the driver contain the URL of the page.
    const cause = redactedError(lost.cause)
    deps.log.warn({ cause }, 'a browser was lost; its pages are opened again in a new one')
    try {
      return await useOnce(await (lost.excess ? shared.acquireAlone() : shared.acquire()), use)
    } catch (retryError) {
      if (!(retryError instanceof BrowserLost)) throw retryError
      if (retryError.excess) throw memoryExceededError(retryError.excess)
      throw new AppError('BROWSER_FAILED', { phase: 'page' }, { cause: retryError })
    }
  }

  return {
    async use<Result>(request: PageRequest, work: Work<Result>): Promise<Result> {
      const { teamId: team, isBackground = false, signal } = request
      return permits.run({ team, isBackground }, signal, async (permit) => {
        const use = { request, work, tabPermit: createTabPermit(permit) }
        try {
          return await useOnce(await shared.acquire(), use)
        } catch (thrown) {
          if (!(thrown instanceof BrowserLost) || signal.aborted) throw thrown
          await permit.regain()
          return await retryUse(thrown, use)
        }
      })
    },
    open: () => permits.held(),
    lastUse: shared.lastUse,
    stop: shared.stop,
  }
}

export type BrowserPool = ReturnType<typeof createBrowserPool>

function createTabPermit(permit: Permit): TabPermit {
  return {
    async whileWaiting(wait, isWaiting = () => true) {
      const waiting = wait()
      if ((await settlesWithin(lendDelayMs, waiting)) || !isWaiting()) return waiting
      return permit.lendDuring(waiting)
    },
  }
}

/** Rejects even if the page cannot be closed, because its work must not keep the permit. */
function closeOnAbort(signal: AbortSignal, close: () => Promise<unknown>) {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const onAbort = () => void close().finally(() => reject(signal.reason))
  signal.addEventListener('abort', onAbort, { once: true })
  return { promise, dispose: () => signal.removeEventListener('abort', onAbort) }
}

function watchCrash(context: BrowserContext, running: RunningBrowser): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const watchTab = (tab: Page) => {
    tab.once('crash', () => reject(toCrashError(running)))
    const onFrameLost = () => running.pageExcess() && reject(toCrashError(running))
    running.frames.onLoss(tab, onFrameLost).catch(() => undefined)
  }
  context.on('page', listener(watchTab, reject))
  return promise
}

function toCrashError(running: RunningBrowser): AppError {
  const excess = running.pageExcess()
  if (excess) return memoryExceededError(excess)
  return new AppError('SCRAPE_SITE_ERROR', { phase: 'browser', cause: 'the page crashed' })
}

const isCrash = (thrown: unknown) =>
  thrown instanceof Error && /Target crashed|Page crashed/.test(thrown.message)
