import type { Browser } from 'playwright-core'
import type { Clock } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Egress } from '../network/egress.ts'
import type { Chromium, LaunchedBrowser } from '../ports/chromium.ts'
import { type Heartbeat, heartbeat } from './heartbeat.ts'
import type { Excess, MemoryBounds } from './memory.ts'
import { proveProxied } from './self-test.ts'
import { watchBrowser } from './watch-browser.ts'
import { type FrameWatch, watchFrames } from './watch-frames.ts'

export interface BrowserLimits extends MemoryBounds {
  /** A browser is replaced after so many pages, so much time or so much memory. */
  mostPages: number
  mostMs: number
  mostMegabytes: number
  /** With nothing to do for so long, the browser is ended. */
  idleMs: number
  /** A browser that has not answered for so long is taken for lost. */
  answerMs: number
}

export interface BrowserNeeds {
  chromium: Chromium
  egress: Pick<Egress, 'selfTest'>
  clock: Clock
  log: Log
}

/** The last time a browser was really used, and why that failed if it did. */
export interface LastUse {
  at: number
  error: string | undefined
}

export interface RunningBrowser {
  browser: Browser
  frames: FrameWatch
  /** Rejects when the browser is gone: the driver leaves some of its promises open then. */
  lost: Promise<never>
  /** The bound that the browser itself passed; it has been ended then. */
  excess(): Excess | undefined
  /** The bound that one of its pages passed just now; that page has been ended. */
  pageExcess(): Excess | undefined
}

interface Running extends RunningBrowser {
  launched: LaunchedBrowser
  /** It serves one page and ends with it. */
  isAlone: boolean
  pages: number
  active: number
  since: number
  isRetiring: boolean
  unwatch: (() => void) | undefined
  watch(): () => void
}

export interface SharedBrowser {
  /** The browser of all pages. Whoever has it releases it. */
  acquire(): Promise<RunningBrowser>
  /** One that no other page is opened in. */
  acquireAlone(): Promise<RunningBrowser>
  /** No further page is opened in it, and it ends with its last one. */
  retire(running: RunningBrowser): void
  release(running: RunningBrowser): void
  used(error?: string): void
  lastUse(): LastUse | undefined
  stop(): Promise<void>
}

/** A page is told why it was ended when its end is heard of within this time. */
const recent = 2000

/** The life of the one browser that all pages share: started when needed, replaced when spent, ended when idle. */
export function sharedBrowser(needs: BrowserNeeds, limits: BrowserLimits): SharedBrowser {
  let current: Promise<Running> | undefined
  let idle: NodeJS.Timeout | undefined
  let isStopped = false
  let last: LastUse | undefined
  const ending = new Set<Promise<void>>()

  function used(error?: string): void {
    last = { at: needs.clock.now(), error }
  }

  async function start(isAlone: boolean): Promise<Running> {
    const { proxyUrl, url } = await needs.egress.selfTest()
    const launched = await needs.chromium.launch(proxyUrl)
    const { browser } = launched
    const lost = lossOf(browser)
    try {
      const [frames, beat] = await Promise.race([
        Promise.all([watchFrames(browser), heartbeat(browser, limits.answerMs), proveProxied(browser, url)]),
        lost,
        silence(limits.answerMs * 2),
      ])
      return running(launched, { frames, beat, lost, isAlone })
    } catch (thrown) {
      const isSilent = thrown instanceof BrowserLost
      if (isSilent) endAtOnce(launched)
      const isLost = isSilent || !browser.isConnected()
      await launched.kill()
      throw isLost ? new BrowserLost(undefined, { cause: thrown }) : thrown
    }
  }

  function running(
    launched: LaunchedBrowser,
    { beat, ...known }: { frames: FrameWatch; beat: Heartbeat; lost: Promise<never>; isAlone: boolean },
  ): Running {
    let excess: Excess | undefined
    let ofPage: { at: number; excess: Excess } | undefined
    const made: Running = {
      ...known,
      launched,
      browser: launched.browser,
      excess: () => excess,
      pageExcess: () => (ofPage && performance.now() - ofPage.at < recent ? ofPage.excess : undefined),
      ...{ pages: 0, active: 0, since: performance.now(), isRetiring: false, unwatch: undefined },
      watch() {
        const stopAsking = beat(() => {
          needs.log.warn({}, 'a browser has stopped answering and was ended')
          endAtOnce(launched)
        })
        const stopLooking = watchBrowser(launched, limits, {
          pageEnds(passed) {
            ofPage = { at: performance.now(), excess: passed }
            needs.log.warn({ ...passed }, 'a page took too much memory and was ended')
          },
          browserEnds(passed) {
            excess = passed
            needs.log.warn({ ...passed }, 'a browser took too much memory and was ended')
            endAtOnce(launched)
          },
        })
        return () => {
          stopAsking()
          stopLooking()
        }
      },
    }
    launched.browser.on('disconnected', () => forget(made))
    return made
  }

  function forget(running: Running): void {
    running.isRetiring = true
    current?.then((now) => now === running && clear(), clear)
  }

  const clear = () => {
    current = undefined
  }

  /** What a browser that did not start is called. */
  function refusal(cause: unknown): unknown {
    used(cause instanceof Error ? cause.message : String(cause))
    if (cause instanceof AppError || cause instanceof BrowserLost) return cause
    return new AppError('BROWSER_FAILED', { phase: 'launch' }, { cause })
  }

  async function acquire(): Promise<Running> {
    if (isStopped) throw new AppError('STOPPING')
    clearTimeout(idle)
    const starting = current ?? start(false)
    current = starting
    // A browser that did not start must not be handed to the next caller too.
    const running = await starting.catch((cause) => {
      // Whoever waited for it too may have started the next one already.
      if (current === starting) clear()
      throw refusal(cause)
    })
    if (running.isRetiring) {
      clear()
      return acquire()
    }
    enter(running)
    if (isSpent(running)) retire(running)
    return running
  }

  async function acquireAlone(): Promise<Running> {
    if (isStopped) throw new AppError('STOPPING')
    const running = await start(true).catch((cause) => {
      throw refusal(cause)
    })
    running.isRetiring = true
    enter(running)
    return running
  }

  function enter(running: Running): void {
    running.active += 1
    running.pages += 1
    running.unwatch ??= running.watch()
  }

  function isSpent(running: Running): boolean {
    if (running.pages >= limits.mostPages || performance.now() - running.since > limits.mostMs) return true
    // Counting memory reads many files; every twentieth page is often enough.
    return running.pages % 20 === 0 && running.launched.residentMegabytes() > limits.mostMegabytes
  }

  function retire(running: Running): void {
    running.isRetiring = true
    clear()
  }

  /** Nobody waits for a browser to end: whoever gave up its last page has its answer already. */
  function release(given: RunningBrowser): void {
    const running = given as Running
    running.active -= 1
    if (running.active > 0) return
    running.unwatch?.()
    running.unwatch = undefined
    if (running.isRetiring) end(running)
    else idle = setTimeout(() => retireIdle(running), limits.idleMs).unref()
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

  return {
    acquire,
    acquireAlone,
    // Only what was acquired here is retired and released here.
    retire: (running) => forget(running as Running),
    release,
    used,
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

export class BrowserLost extends Error {
  /** The bound of memory that it passed, where that ended it. */
  readonly excess: Excess | undefined

  constructor(excess: Excess | undefined, options: ErrorOptions) {
    super('The browser was lost.', options)
    this.excess = excess
  }
}

function endAtOnce({ processId, endProcess }: LaunchedBrowser): void {
  if (processId !== undefined) endProcess(processId)
}

/** Rejects after so long. */
function silence(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new BrowserLost(undefined, {})), ms).unref()
  })
}

function lossOf(browser: Browser): Promise<never> {
  const lost = new Promise<never>((_, reject) => {
    browser.on('disconnected', () => reject(new BrowserLost(undefined, {})))
  })
  // Most browsers end with nobody waiting for them.
  lost.catch(() => undefined)
  return lost
}
