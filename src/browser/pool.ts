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
  type IdleSince,
  type RunningBrowser,
} from './shared-browser.ts'

export interface PoolOptions extends BrowserLimits {
  /** Active pages at the same time; more would only make each of them slower. */
  places: number
  /** Additional ones for teams that have none. */
  sparePlaces: number
  /** Pages that stay open while they only wait and others are active. */
  waitingPages: number
}

export interface BrowserPool {
  /** Runs the work in a separate context, which is always closed afterwards. */
  use<Result>(request: PageRequest, work: Work<Result>): Promise<Result>
  open(): number
  lastUse(): IdleSince | undefined
  stop(): Promise<void>
}

type Work<Result> = (context: BrowserContext, turn: Turn) => Promise<Result>

export interface Turn {
  /**
   * Runs work that only waits for something external. If that takes a while, the permit is lent to others; the page takes one
   * again, in turn, before this resolves. `isWaiting` is asked after that while whether the page still only waits.
   */
  whileWaiting<Result>(wait: () => Promise<Result>, isWaiting?: () => boolean): Promise<Result>
}

interface PageRequest {
  teamId: string
  /** No caller waits for the result. */
  isBackground?: boolean
  context: BrowserContextOptions
  signal: AbortSignal
}

/** Most waits are shorter, and then the page need not queue again. */
const patience = 250

/** One shared browser, one isolated context per page. */
export function createBrowserPool(deps: BrowserDeps, options: PoolOptions): BrowserPool {
  const permits = new Permits({
    count: options.places,
    spare: options.sparePlaces,
    lent: options.waitingPages,
  })
  const shared = createSharedBrowser(deps, options)

  async function useOnce<Result>(
    { resource: running, retire, release }: Lease<RunningBrowser>,
    { request, work, turn }: { request: PageRequest; work: Work<Result>; turn: Turn },
  ): Promise<Result> {
    let context: BrowserContext | undefined
    let opening: Promise<BrowserContext> | undefined
    const left = leaving(request.signal, () => closeContext(context))
    try {
      request.signal.throwIfAborted()
      opening = running.browser.newContext(request.context)
      context = await Promise.race([opening, running.lost, left.promise])
      shared.used()
      request.signal.throwIfAborted()
      const crash = crashOf(context, running)
      return await Promise.race([work(context, turn), running.lost, crash, left.promise])
    } catch (thrown) {
      // The browser itself is gone, which this page may or may not have caused; a second attempt shows it.
      if (!running.browser.isConnected() && !(thrown instanceof AppError)) {
        throw new BrowserLost(running.excess(), { cause: thrown })
      }
      // The driver may notice the end of a page's process in another way first.
      if (!(thrown instanceof AppError) && !request.signal.aborted && isCrash(thrown)) throw ended(running)
      throw thrown
    } finally {
      left.forget()
      if (context === undefined) opening?.then(closeContext, () => undefined)
      else if (!(await closeContext(context))) retire()
      release()
    }
  }

  /**
   * Repeats the pages of a lost browser. If it used too much memory, each page gets a separate browser:
   * the one that caused it only harms itself.
   */
  async function useAgain<Result>(
    lost: BrowserLost,
    use: { request: PageRequest; work: Work<Result>; turn: Turn },
  ): Promise<Result> {
    // Messages of the driver contain the URL of the page.
    deps.log.warn(
      { cause: redactedError(lost.cause) },
      'a browser was lost; its pages are opened again in a new one',
    )
    try {
      return await useOnce(await (lost.excess ? shared.acquireAlone() : shared.acquire()), use)
    } catch (again) {
      if (!(again instanceof BrowserLost)) throw again
      if (again.excess) throw memoryExceededError(again.excess)
      throw new AppError('BROWSER_FAILED', { phase: 'page' }, { cause: again })
    }
  }

  return {
    async use(request, work) {
      const { teamId: team, isBackground = false, signal } = request
      return permits.run({ team, isBackground }, signal, async (permit) => {
        const use = { request, work, turn: turnOf(permit) }
        try {
          return await useOnce(await shared.acquire(), use)
        } catch (thrown) {
          if (!(thrown instanceof BrowserLost) || signal.aborted) throw thrown
          await permit.regain()
          return await useAgain(thrown, use)
        }
      })
    },
    open: () => permits.held(),
    lastUse: shared.lastUse,
    stop: shared.stop,
  }
}

function turnOf(permit: Permit): Turn {
  return {
    async whileWaiting(wait, isWaiting = () => true) {
      const waiting = wait()
      const isOver = () => true
      const soon = new Promise<false>((resolve) => setTimeout(resolve, patience, false).unref())
      if ((await Promise.race([waiting.then(isOver, isOver), soon])) || !isWaiting()) return waiting
      return permit.lendDuring(waiting)
    },
  }
}

/**
 * Closes a page whose caller is gone, in any state. Rejects after the attempt: work that continues
 * with a page that cannot be closed must not keep its place.
 */
function leaving(signal: AbortSignal, close: () => Promise<unknown>) {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const leave = () => void close().finally(() => reject(signal.reason))
  signal.addEventListener('abort', leave, { once: true })
  return { promise, forget: () => signal.removeEventListener('abort', leave) }
}

/** Rejects when a process of the context has ended. */
function crashOf(context: BrowserContext, running: RunningBrowser): Promise<never> {
  const crash = new Promise<never>((_, reject) => {
    const follow = (tab: Page) => {
      tab.once('crash', () => reject(ended(running)))
      // Without one frame a page may still be worth reading, unless it was too large with it.
      const lostFrame = () => running.pageExcess() && reject(ended(running))
      running.frames.onLoss(tab, lostFrame).catch(() => undefined)
    }
    context.on('page', listener(follow, reject))
  })
  crash.catch(() => undefined)
  return crash
}

function ended(running: RunningBrowser): AppError {
  const excess = running.pageExcess()
  if (excess) return memoryExceededError(excess)
  return new AppError('SCRAPE_SITE_ERROR', { phase: 'browser', cause: 'the page crashed' })
}

function isCrash(thrown: unknown): boolean {
  return thrown instanceof Error && /Target crashed|Page crashed/.test(thrown.message)
}
