import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { Chromium, LaunchedBrowser } from '../platform/ports/chromium.ts'
import { type Lease, SharedResource } from '../platform/shared-resource.ts'
import { checkMemory, type Excess, type MemoryBounds } from './memory.ts'
import { tabSession } from './page-script.ts'

export interface BrowserLimits extends MemoryBounds {
  /** A browser is replaced after this many pages, this time or this memory. */
  mostPages: number
  mostMs: number
  maxMegabytes: number
  /** An idle browser is stopped after this time. */
  idleMs: number
  /** A browser that has not answered for this long counts as lost. */
  answerMs: number
}

/** What the page for the self-test says about the way on which it was requested. */
export type SelfTestResult = 'proxied' | 'direct'

export interface BrowserDeps {
  chromium: Chromium
  egress: {
    /** A page that the proxy serves itself. */
    selfTest(): Promise<{ proxyUrl: string; url: string }>
  }
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
interface StartedBrowser extends RunningBrowser {
  launched: LaunchedBrowser
  since: number
  watch(): () => void
}

interface BrowserStart {
  deps: BrowserDeps
  limits: BrowserLimits
  onGone(started: StartedBrowser): void
}

/** The last time a browser was really used, and why that failed if it did. */
export interface IdleSince {
  at: number
  error: string | undefined
}

/** The lifecycle of the one browser that all pages share: started on demand, replaced when worn out, stopped when idle. */
export function createSharedBrowser(deps: BrowserDeps, limits: BrowserLimits) {
  let last: IdleSince | undefined
  const used = (error?: string) => {
    last = { at: deps.clock.now(), error }
  }
  const browsers = new SharedResource<StartedBrowser>({
    start: () => startBrowser({ deps, limits, onGone: (started) => browsers.lose(started) }),
    end: ({ launched }) =>
      launched.kill().catch((cause) => deps.log.warn({ cause }, 'a browser could not be stopped')),
    idleMs: limits.idleMs,
    maxUses: limits.mostPages,
    isSpent: (started, uses) =>
      performance.now() - started.since > limits.mostMs ||
      // Measuring memory reads many files, so it runs on every twentieth page only.
      (uses % 20 === 0 && started.launched.residentMegabytes() > limits.maxMegabytes),
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
    /** The browser of all pages. The caller must release it. */
    acquire: (): Promise<Lease<RunningBrowser>> => reported(browsers.acquire()),
    /** A browser for one page only. */
    acquireAlone: (): Promise<Lease<RunningBrowser>> => reported(browsers.acquireAlone()),
    used,
    lastUse: () => last,
    stop: () => browsers.stop(),
  }
}

/** A page gets the reason of its end if the end is reported within this time. */
const recent = 2000

/** Starts a browser, and returns it after it has proved that it answers and uses the proxy. */
async function startBrowser(start: BrowserStart): Promise<StartedBrowser> {
  const { deps, limits } = start
  const { proxyUrl, url } = await deps.egress.selfTest()
  const launched = await deps.chromium.launch(proxyUrl)
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
  { deps: { log }, limits, onGone }: BrowserStart,
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

const every = 250
/** CPU time after which a page gets a lower priority than others, and that priority. */
const steps = [
  { after: 2000, priority: 19 },
  { after: 750, priority: 12 },
  { after: 300, priority: 6 },
]

/**
 * Checks the processes of a browser while it has pages: ends those that exceed a memory bound, and lowers the priority of
 * pages that compute endlessly. Returns a function that stops it.
 */
function watchBrowser(
  launched: Pick<LaunchedBrowser, 'processes' | 'endProcess' | 'stepBack'>,
  bounds: MemoryBounds,
  on: { pageEnds(excess: Excess): void; browserEnds(excess: Excess): void },
): () => void {
  const priorities = new Map<number, number>()
  const look = () => {
    const processes = launched.processes()
    const verdict = checkMemory(processes, bounds)
    if (verdict?.end === 'browser') return on.browserEnds(verdict.excess)
    if (verdict) {
      on.pageEnds(verdict.excess)
      launched.endProcess(verdict.end.pid)
    }
    for (const { pid, isOfPage, processorTime } of processes) {
      const priority = steps.find(({ after }) => processorTime >= after)?.priority
      if (!isOfPage || priority === undefined || priorities.get(pid) === priority) continue
      priorities.set(pid, priority)
      launched.stepBack(pid, priority)
    }
  }
  const timer = setInterval(look, every).unref()
  return () => clearInterval(timer)
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

/** Reports when a cross-site frame has lost its process, which the driver does not report. */
interface FrameWatch {
  onLoss(tab: Page, listener: () => void): Promise<void>
}

async function watchFrames(browser: Browser): Promise<FrameWatch> {
  const contextOf = new Map<string, string>()
  const listeners = new Map<string, () => void>()
  const session = await browser.newBrowserCDPSession()
  session.on('Target.targetCreated', ({ targetInfo }) => {
    if (targetInfo.type === 'iframe') contextOf.set(targetInfo.targetId, targetInfo.browserContextId ?? '')
  })
  session.on('Target.targetDestroyed', ({ targetId }) => contextOf.delete(targetId))
  session.on('Target.targetCrashed', ({ targetId }) => listeners.get(contextOf.get(targetId) ?? '')?.())
  await session.send('Target.setDiscoverTargets', { discover: true })
  return {
    async onLoss(tab, listener) {
      const { contextId } = await tabSession(tab)
      listeners.set(contextId, listener)
      tab.context().once('close', () => listeners.delete(contextId))
    },
  }
}

/** Starts the heartbeat; returns a function that stops it. */
type Heartbeat = (onSilence: () => void) => () => void

/**
 * Asks the browser for its name at intervals and reports when it has not answered for too long. Neither the driver nor the
 * operating system reports a browser that is alive but hangs.
 */
async function heartbeat(browser: Browser, answerMs: number): Promise<Heartbeat> {
  const session = await browser.newBrowserCDPSession()
  return (onSilence) => {
    let askedAt: number | undefined
    const ask = () => {
      if (askedAt !== undefined && performance.now() - askedAt >= answerMs) return onSilence()
      if (askedAt !== undefined) return
      askedAt = performance.now()
      const answered = () => {
        askedAt = undefined
      }
      // A dead browser is reported in another way.
      session.send('Browser.getVersion').then(answered, answered)
    }
    const timer = setInterval(ask, answerMs / 3).unref()
    return () => clearInterval(timer)
  }
}

/** The content of the self-test page in a browser that does not bypass its proxy. */
const safe: SelfTestResult = 'proxied'

/** Fails for a browser that bypasses its proxy for addresses of this machine, because the guard would not check them. */
async function proveProxied(browser: Browser, url: string): Promise<void> {
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    const answer = await tab.goto(url, { timeout: 15_000 })
    assertProxied((await answer?.text()) ?? '')
  } finally {
    await closeContext(context)
  }
}

export function assertProxied(text: string): void {
  if (text.includes(safe)) return
  const message =
    'This Chromium bypasses its proxy for addresses of this machine, so the service does not use it. Use another one (CHROMIUM_PATH), without a wrapper that changes its switches.'
  throw new AppError('BROWSER_FAILED', { phase: 'self-test' }, { message })
}

const patience = 3000

/**
 * Returns whether it is closed. The wait is short: a page that hangs must not block its caller, and a dead browser does
 * not answer.
 */
export async function closeContext(context: BrowserContext | undefined): Promise<boolean> {
  if (!context?.browser()?.isConnected()) return true
  const isClosed = () => true
  const closing = context.close().then(isClosed, isClosed)
  const late = new Promise<false>((resolve) => setTimeout(resolve, patience, false).unref())
  return Promise.race([closing, late])
}
