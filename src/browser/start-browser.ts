import type { Browser } from 'playwright-core'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Egress } from '../network/egress/egress.ts'
import type { Chromium, LaunchedBrowser } from '../ports/chromium.ts'
import { type Heartbeat, heartbeat } from './heartbeat.ts'
import type { Excess, MemoryBounds } from './memory.ts'
import { proveProxied } from './self-test.ts'
import { watchBrowser } from './watch-browser.ts'
import { type FrameWatch, watchFrames } from './watch-frames.ts'

export interface BrowserLimits extends MemoryBounds {
  /** A browser is replaced after this many pages, this time or this memory. */
  mostPages: number
  mostMs: number
  mostMegabytes: number
  /** An idle browser is stopped after this time. */
  idleMs: number
  /** A browser that has not answered for this long counts as lost. */
  answerMs: number
}

export interface BrowserNeeds {
  chromium: Chromium
  egress: Pick<Egress, 'selfTest'>
  clock: Clock
  log: Log
}

export interface RunningBrowser {
  browser: Browser
  frames: FrameWatch
  /** Rejects when the browser is gone: the driver does not settle all its promises in that case. */
  lost: Promise<never>
  /** The bound that the browser itself exceeded; it was stopped for that. */
  excess(): Excess | undefined
  /** The bound that one of its pages just exceeded; that page was closed. */
  pageExcess(): Excess | undefined
}

/** A running browser with the state that only its owner uses. */
export interface StartedBrowser extends RunningBrowser {
  launched: LaunchedBrowser
  since: number
  watch(): () => void
}

export interface BrowserStart {
  needs: BrowserNeeds
  limits: BrowserLimits
  onGone(started: StartedBrowser): void
}

/** A page gets the reason of its end if the end is reported within this time. */
const recent = 2000

/** Starts a browser, and returns it after it has proved that it answers and uses the proxy. */
export async function startBrowser(start: BrowserStart): Promise<StartedBrowser> {
  const { needs, limits } = start
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
    return startedBrowser(launched, { frames, beat, lost }, start)
  } catch (thrown) {
    const isSilent = thrown instanceof BrowserLost
    if (isSilent) endAtOnce(launched)
    const isLost = isSilent || !browser.isConnected()
    await launched.kill()
    throw isLost ? new BrowserLost(undefined, { cause: thrown }) : thrown
  }
}

function startedBrowser(
  launched: LaunchedBrowser,
  { beat, ...known }: { frames: FrameWatch; beat: Heartbeat; lost: Promise<never> },
  { needs: { log }, limits, onGone }: BrowserStart,
): StartedBrowser {
  let excess: Excess | undefined
  let ofPage: { at: number; excess: Excess } | undefined
  const started: StartedBrowser = {
    ...known,
    launched,
    browser: launched.browser,
    excess: () => excess,
    pageExcess: () => (ofPage && performance.now() - ofPage.at < recent ? ofPage.excess : undefined),
    since: performance.now(),
    watch() {
      const stopAsking = beat(() => {
        log.warn({}, 'a browser stopped responding and was stopped')
        endAtOnce(launched)
      })
      const stopLooking = watchBrowser(launched, limits, {
        pageEnds(passed) {
          ofPage = { at: performance.now(), excess: passed }
          log.warn({ ...passed }, 'a page used too much memory and was closed')
        },
        browserEnds(passed) {
          excess = passed
          log.warn({ ...passed }, 'a browser used too much memory and was stopped')
          endAtOnce(launched)
        },
      })
      return () => {
        stopAsking()
        stopLooking()
      }
    },
  }
  launched.browser.on('disconnected', () => onGone(started))
  return started
}

export class BrowserLost extends Error {
  /** The memory bound that it exceeded, if that ended it. */
  readonly excess: Excess | undefined

  constructor(excess: Excess | undefined, options: ErrorOptions) {
    super('The browser was lost.', options)
    this.excess = excess
  }
}

function endAtOnce({ processId, endProcess }: LaunchedBrowser): void {
  if (processId !== undefined) endProcess(processId)
}

/** Rejects after this time. */
function silence(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new BrowserLost(undefined, {})), ms).unref()
  })
}

function lossOf(browser: Browser): Promise<never> {
  const lost = new Promise<never>((_, reject) => {
    browser.on('disconnected', () => reject(new BrowserLost(undefined, {})))
  })
  // Usually nothing awaits the end of a browser.
  lost.catch(() => undefined)
  return lost
}
