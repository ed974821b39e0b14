import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Egress } from '../network/egress.ts'
import type { Chromium, LaunchedBrowser } from '../ports/chromium.ts'
import { closeContext } from './close-context.ts'
import { placesInTurn } from './places.ts'
import { proveProxied } from './self-test.ts'

export interface PoolOptions {
  /** Pages that are open at the same time; more would only make each of them slower. */
  places: number
  /** A browser is replaced after so many pages, so much time or so much memory. */
  mostPages: number
  mostMs: number
  mostMegabytes: number
  /** With nothing to do for so long, the browser is ended. */
  idleMs: number
}

export interface BrowserPool {
  /** Runs the work in a context of its own, which is closed whatever happens. */
  use<Result>(wish: Wish, work: (context: BrowserContext) => Promise<Result>): Promise<Result>
  open(): number
  lastUse(): LastUse | undefined
  stop(): Promise<void>
}

/** The last time a browser was really used, and why that failed if it did. */
export interface LastUse {
  at: number
  error: string | undefined
}

export interface Wish {
  teamId: string
  context: BrowserContextOptions
  signal: AbortSignal
}

interface Running {
  launched: LaunchedBrowser
  /** Rejects when the browser is gone: the driver leaves some of its promises open then. */
  lost: Promise<never>
  pages: number
  active: number
  since: number
  isRetiring: boolean
}

/** One shared browser, one isolated context per page. */
export function browserPool(
  needs: { chromium: Chromium; egress: Pick<Egress, 'selfTest'>; clock: Clock; log: Log },
  options: PoolOptions,
): BrowserPool {
  const places = placesInTurn(options.places)
  let current: Promise<Running> | undefined
  let idle: NodeJS.Timeout | undefined
  let isStopped = false
  let last: LastUse | undefined
  const ending = new Set<Promise<void>>()

  function used(error?: string): void {
    last = { at: needs.clock.now(), error }
  }

  async function start(): Promise<Running> {
    const { proxyUrl, url } = await needs.egress.selfTest()
    const launched = await needs.chromium.launch(proxyUrl)
    const lost = lossOf(launched.browser)
    const running = { launched, lost, pages: 0, active: 0, since: performance.now(), isRetiring: false }
    launched.browser.on('disconnected', () => forget(running))
    try {
      await Promise.race([proveProxied(launched.browser, url), lost])
    } catch (thrown) {
      const isLost = !launched.browser.isConnected()
      await launched.kill()
      throw isLost ? new BrowserLost({ cause: thrown }) : thrown
    }
    return running
  }

  function forget(running: Running): void {
    running.isRetiring = true
    current?.then((now) => now === running && clear(), clear)
  }

  const clear = () => {
    current = undefined
  }

  async function acquire(): Promise<Running> {
    if (isStopped) throw new AppError('STOPPING')
    clearTimeout(idle)
    const starting = current ?? start()
    current = starting
    // A browser that did not start must not be handed to the next caller too.
    const running = await starting.catch((cause) => {
      // Whoever waited for it too may have started the next one already.
      if (current === starting) clear()
      used(cause instanceof Error ? cause.message : String(cause))
      if (cause instanceof AppError || cause instanceof BrowserLost) throw cause
      throw new AppError('BROWSER_FAILED', { phase: 'launch' }, { cause })
    })
    if (running.isRetiring) {
      clear()
      return acquire()
    }
    running.active += 1
    running.pages += 1
    if (isSpent(running)) retire(running)
    return running
  }

  function isSpent(running: Running): boolean {
    if (running.pages >= options.mostPages || performance.now() - running.since > options.mostMs) return true
    // Counting memory reads many files; every twentieth page is often enough.
    return running.pages % 20 === 0 && running.launched.residentMegabytes() > options.mostMegabytes
  }

  function retire(running: Running): void {
    running.isRetiring = true
    clear()
  }

  /** Nobody waits for a browser to end: whoever gave up its last page has its answer already. */
  function release(running: Running): void {
    running.active -= 1
    if (running.active > 0) return
    if (running.isRetiring) end(running)
    else idle = setTimeout(() => retireIdle(running), options.idleMs).unref()
  }

  function retireIdle(running: Running): void {
    if (running.active > 0) return
    retire(running)
    end(running)
  }

  function end(running: Running): void {
    const ended = running.launched
      .kill()
      .catch((cause) => needs.log.warn({ cause }, 'a browser could not be ended'))
      .finally(() => ending.delete(ended))
    ending.add(ended)
  }

  async function useOnce<Result>(
    wish: Wish,
    work: (context: BrowserContext) => Promise<Result>,
  ): Promise<Result> {
    const running = await acquire()
    const { browser } = running.launched
    let context: BrowserContext | undefined
    // A page that nobody waits for any more is closed, whatever it is doing.
    const leave = () => void closeContext(context)
    wish.signal.addEventListener('abort', leave)
    try {
      wish.signal.throwIfAborted()
      context = await browser.newContext(wish.context)
      used()
      wish.signal.throwIfAborted()
      return await Promise.race([work(context), running.lost])
    } catch (thrown) {
      // The browser itself has gone: nothing this page did is to blame, or everything; a second try tells.
      if (!browser.isConnected() && !(thrown instanceof AppError)) throw new BrowserLost({ cause: thrown })
      throw thrown
    } finally {
      wish.signal.removeEventListener('abort', leave)
      await closeContext(context)
      release(running)
    }
  }

  return {
    async use(wish, work) {
      const leave = await places.enter(wish.teamId, wish.signal)
      try {
        return await useOnce(wish, work)
      } catch (thrown) {
        if (!(thrown instanceof BrowserLost) || wish.signal.aborted) throw thrown
        needs.log.warn({ cause: thrown.cause }, 'a browser was lost; its pages are opened again in a new one')
        return await useOnce(wish, work).catch((again) => {
          if (again instanceof BrowserLost)
            throw new AppError('BROWSER_FAILED', { phase: 'page' }, { cause: again })
          throw again
        })
      } finally {
        leave()
      }
    },
    open: () => places.taken(),
    lastUse: () => last,
    async stop() {
      isStopped = true
      clearTimeout(idle)
      const running = await current?.catch(() => undefined)
      clear()
      if (running) end(running)
      await Promise.all(ending)
    },
  }
}

class BrowserLost extends Error {
  constructor(options: ErrorOptions) {
    super('The browser was lost.', options)
  }
}

function lossOf(browser: Browser): Promise<never> {
  const lost = new Promise<never>((_, reject) => {
    browser.on('disconnected', () => reject(new BrowserLost({})))
  })
  // Most browsers end with nobody waiting for them.
  lost.catch(() => undefined)
  return lost
}
