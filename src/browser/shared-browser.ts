import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { Clock } from '../platform/clock.ts'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import type { Chromium, LaunchedBrowser } from '../platform/ports/chromium.ts'
import { type Lease, SharedResource } from '../platform/shared-resource.ts'
import { checkMemory, type Excess, type MemoryBounds } from './memory.ts'
import { tabSession } from './page-script.ts'

export interface BrowserLimits extends MemoryBounds {
  /** A browser is replaced after these pages, this time (ms) or memory. */
  maxPages: number
  maxMs: number
  maxMegabytes: number
  idleMs: number
  /** A browser counts as lost after this time without a response. */
  responseTimeoutMs: number
}

export interface BrowserDeps {
  chromium: Chromium
  egress: { selfTest(): Promise<{ proxyUrl: string; url: string }> }
  clock: Clock
  log: Log
}

/** `lost` rejects when the browser has ended: the driver does not settle all its promises in that case. */
export interface RunningBrowser {
  browser: Browser
  frames: FrameWatch
  lost: Promise<never>
  /** Memory limit that the browser exceeded before it was stopped. */
  excess(): Excess | undefined
  /** Memory limit that a page just exceeded; that page was closed. */
  pageExcess(): Excess | undefined
}

interface StartedBrowser extends RunningBrowser {
  launched: LaunchedBrowser
  startedAt: number
  watch(): () => void
}

interface BrowserStart {
  deps: BrowserDeps
  limits: BrowserLimits
  onGone(started: StartedBrowser): void
}

export interface BrowserUse {
  at: number
  error: string | undefined
}

export function createSharedBrowser(deps: BrowserDeps, limits: BrowserLimits) {
  let last: BrowserUse | undefined
  const used = (error?: string) => {
    last = { at: deps.clock.now(), error }
  }
  const browsers = new SharedResource<StartedBrowser>({
    start: () => startBrowser({ deps, limits, onGone: (started) => browsers.markLost(started) }),
    end: ({ launched }) =>
      launched.kill().catch((cause) => deps.log.warn({ cause }, 'a browser could not be stopped')),
    idleMs: limits.idleMs,
    maxUses: limits.maxPages,
    shouldReplace: (started, uses) =>
      performance.now() - started.startedAt > limits.maxMs ||
      // Measuring memory reads many files, so it runs on every twentieth page only.
      (uses % 20 === 0 && started.launched.residentMegabytes() > limits.maxMegabytes),
    onBusy: (started) => started.watch(),
    stopped: () => new AppError('STOPPING'),
  })
  const recordFailure = async (lease: Promise<Lease<RunningBrowser>>) => {
    try {
      return await lease
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'STOPPING') throw thrown
      used(thrown instanceof Error ? thrown.message : String(thrown))
      if (thrown instanceof AppError || thrown instanceof BrowserLost) throw thrown
      throw new AppError('BROWSER_FAILED', { phase: 'launch' }, { cause: thrown })
    }
  }
  return {
    acquire: () => recordFailure(browsers.acquire()),
    acquireAlone: () => recordFailure(browsers.acquireAlone()),
    used,
    lastUse: () => last,
    stop: () => browsers.stop(),
  }
}

const maxExcessAgeMs = 2000

async function startBrowser(start: BrowserStart): Promise<StartedBrowser> {
  const { deps, limits } = start
  const { proxyUrl, url } = await deps.egress.selfTest()
  const launched = await deps.chromium.launch(proxyUrl)
  const { browser } = launched
  const lost = watchLoss(browser)
  try {
    const checks = [
      watchFrames(browser),
      createHeartbeat(browser, limits.responseTimeoutMs),
      assertBrowserProxied(browser, url),
    ] as const
    const timeout = rejectAfter(limits.responseTimeoutMs * 2)
    const [frames, beat] = await Promise.race([Promise.all(checks), lost, timeout])
    return createStartedBrowser(launched, { frames, beat, lost }, start)
  } catch (thrown) {
    const isUnresponsive = thrown instanceof BrowserLost
    if (isUnresponsive) endProcessNow(launched)
    const isLost = isUnresponsive || !browser.isConnected()
    await launched.kill()
    throw isLost ? new BrowserLost(undefined, { cause: thrown }) : thrown
  }
}

function createStartedBrowser(
  launched: LaunchedBrowser,
  { beat, ...watches }: Pick<RunningBrowser, 'frames' | 'lost'> & { beat: Heartbeat },
  { deps: { log }, limits, onGone }: BrowserStart,
): StartedBrowser {
  let excess: Excess | undefined
  let lastPageExcess: { at: number; excess: Excess } | undefined
  const started: StartedBrowser = {
    ...watches,
    launched,
    browser: launched.browser,
    excess: () => excess,
    pageExcess: () =>
      lastPageExcess && performance.now() - lastPageExcess.at < maxExcessAgeMs
        ? lastPageExcess.excess
        : undefined,
    startedAt: performance.now(),
    watch() {
      const stopHeartbeat = beat(() => {
        log.warn({}, 'a browser stopped responding and was stopped')
        endProcessNow(launched)
      })
      const stopMemoryWatch = watchBrowser(launched, limits, {
        onPageExcess(pageExcess) {
          lastPageExcess = { at: performance.now(), excess: pageExcess }
          log.warn({ ...pageExcess }, 'a page used too much memory and was closed')
        },
        onBrowserExcess(browserExcess) {
          excess = browserExcess
          log.warn({ ...browserExcess }, 'a browser used too much memory and was stopped')
          endProcessNow(launched)
        },
      })
      return () => {
        stopHeartbeat()
        stopMemoryWatch()
      }
    },
  }
  launched.browser.on('disconnected', () => onGone(started))
  return started
}

const checkIntervalMs = 250
/** After this processor time (ms), the process of a page gets a lower priority. */
const prioritySteps = [
  { after: 2000, priority: 19 },
  { after: 750, priority: 12 },
  { after: 300, priority: 6 },
]

/** Ends processes that exceed a memory limit, and lowers the priority of pages that use much processor time. */
function watchBrowser(
  launched: Pick<LaunchedBrowser, 'processes' | 'endProcess' | 'setPriority'>,
  bounds: MemoryBounds,
  callbacks: { onPageExcess(excess: Excess): void; onBrowserExcess(excess: Excess): void },
): () => void {
  const priorities = new Map<number, number>()
  const checkProcesses = () => {
    const processes = launched.processes()
    const verdict = checkMemory(processes, bounds)
    if (verdict?.end === 'browser') return callbacks.onBrowserExcess(verdict.excess)
    if (verdict) {
      callbacks.onPageExcess(verdict.excess)
      launched.endProcess(verdict.end.pid)
    }
    for (const { pid, isOfPage, processorTime } of processes) {
      const priority = prioritySteps.find(({ after }) => processorTime >= after)?.priority
      if (!isOfPage || priority === undefined || priorities.get(pid) === priority) continue
      priorities.set(pid, priority)
      launched.setPriority(pid, priority)
    }
  }
  const timer = setInterval(checkProcesses, checkIntervalMs).unref()
  return () => clearInterval(timer)
}

export class BrowserLost extends Error {
  readonly excess: Excess | undefined

  constructor(excess?: Excess, options?: ErrorOptions) {
    super('The browser was lost.', options)
    this.excess = excess
  }
}

function endProcessNow({ processId, endProcess }: LaunchedBrowser): void {
  if (processId !== undefined) endProcess(processId)
}

function rejectAfter(ms: number): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  setTimeout(() => reject(new BrowserLost()), ms).unref()
  return promise
}

function watchLoss(browser: Browser): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  browser.on('disconnected', () => reject(new BrowserLost()))
  promise.catch(() => undefined)
  return promise
}

/** A cross-site frame may lose its process, which the driver does not report. */
async function watchFrames(browser: Browser) {
  const contextByTarget = new Map<string, string>()
  const listeners = new Map<string, () => void>()
  const session = await browser.newBrowserCDPSession()
  session.on('Target.targetCreated', ({ targetInfo }) => {
    if (targetInfo.type === 'iframe')
      contextByTarget.set(targetInfo.targetId, targetInfo.browserContextId ?? '')
  })
  session.on('Target.targetDestroyed', ({ targetId }) => contextByTarget.delete(targetId))
  session.on('Target.targetCrashed', ({ targetId }) => listeners.get(contextByTarget.get(targetId) ?? '')?.())
  await session.send('Target.setDiscoverTargets', { discover: true })
  return {
    async onLoss(tab: Page, listener: () => void) {
      const { contextId } = await tabSession(tab)
      listeners.set(contextId, listener)
      tab.context().once('close', () => listeners.delete(contextId))
    },
  }
}

type Heartbeat = (onSilence: () => void) => () => void
type FrameWatch = Awaited<ReturnType<typeof watchFrames>>

/** Requests the version at intervals: neither the driver nor the operating system reports a browser that hangs. */
async function createHeartbeat(browser: Browser, responseTimeoutMs: number): Promise<Heartbeat> {
  const session = await browser.newBrowserCDPSession()
  return (onSilence) => {
    let pingedAt: number | undefined
    const ping = () => {
      if (pingedAt !== undefined && performance.now() - pingedAt >= responseTimeoutMs) return onSilence()
      if (pingedAt !== undefined) return
      pingedAt = performance.now()
      const onResponse = () => {
        pingedAt = undefined
      }
      session.send('Browser.getVersion').then(onResponse, onResponse)
    }
    const timer = setInterval(ping, responseTimeoutMs / 3).unref()
    return () => clearInterval(timer)
  }
}

/** The guard would not check addresses of this machine if the browser bypassed its proxy for them. */
async function assertBrowserProxied(browser: Browser, url: string): Promise<void> {
  const context = await browser.newContext()
  try {
    const tab = await context.newPage()
    const response = await tab.goto(url, { timeout: 15_000 })
    assertProxied((await response?.text()) ?? '')
  } finally {
    await closeContext(context)
  }
}

export function assertProxied(text: string): void {
  if (text.includes('proxied')) return
  const message =
    'This Chromium bypasses its proxy for addresses of this machine, so the service does not use it. Use another one (CHROMIUM_PATH), without a wrapper that changes its switches.'
  throw new AppError('BROWSER_FAILED', { phase: 'self-test' }, { message })
}

const closeTimeoutMs = 3000

/** The wait is short: a page that hangs must not block its caller, and a dead browser does not respond. */
export async function closeContext(context: BrowserContext | undefined): Promise<boolean> {
  if (!context?.browser()?.isConnected()) return true
  return settlesWithin(closeTimeoutMs, context.close())
}

export function settlesWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
  const toTrue = () => true
  const timeout = new Promise<false>((resolve) => setTimeout(resolve, ms, false).unref())
  return Promise.race([work.then(toTrue, toTrue), timeout])
}
