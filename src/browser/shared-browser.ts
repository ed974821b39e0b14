import { AppError } from '../base/errors.ts'
import {
  type BrowserLimits,
  BrowserLost,
  type BrowserNeeds,
  type BrowserStart,
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
  acquire(): Promise<RunningBrowser>
  /** A browser for one page only. */
  acquireAlone(): Promise<RunningBrowser>
  /** No further page is opened in it, and it ends with its last one. */
  retire(running: RunningBrowser): void
  release(running: RunningBrowser): void
  used(error?: string): void
  lastUse(): LastUse | undefined
  stop(): Promise<void>
}

interface Shared extends BrowserStart {
  current: Promise<StartedBrowser> | undefined
  idle: NodeJS.Timeout | undefined
  isStopped: boolean
  last: LastUse | undefined
  ending: Set<Promise<void>>
}

/** The lifecycle of the one browser that all pages share: started on demand, replaced when worn out, stopped when idle. */
export function sharedBrowser(needs: BrowserNeeds, limits: BrowserLimits): SharedBrowser {
  const shared: Shared = {
    needs,
    limits,
    onGone: (started) => forget(shared, started),
    ...{ current: undefined, idle: undefined, isStopped: false, last: undefined, ending: new Set() },
  }
  return {
    acquire: () => acquire(shared),
    acquireAlone: () => acquireAlone(shared),
    // Only what was acquired here is retired and released here.
    retire: (running) => forget(shared, running as StartedBrowser),
    release: (running) => release(shared, running as StartedBrowser),
    used: (error) => noteUse(shared, error),
    lastUse: () => shared.last,
    stop: () => stop(shared),
  }
}

async function acquire(shared: Shared): Promise<StartedBrowser> {
  if (shared.isStopped) throw new AppError('STOPPING')
  clearTimeout(shared.idle)
  const starting = shared.current ?? startBrowser(shared)
  shared.current = starting
  // The next caller must not get a browser that failed to start.
  const running = await starting.catch((cause) => {
    // Another waiting caller may already have started the next one.
    if (shared.current === starting) clear(shared)
    throw refusal(shared, cause)
  })
  if (running.isRetiring) {
    clear(shared)
    return acquire(shared)
  }
  enter(running)
  if (isSpent(running, shared.limits)) retire(shared, running)
  return running
}

async function acquireAlone(shared: Shared): Promise<StartedBrowser> {
  if (shared.isStopped) throw new AppError('STOPPING')
  const running = await startBrowser(shared).catch((cause) => {
    throw refusal(shared, cause)
  })
  // It serves one page and ends with it.
  running.isRetiring = true
  enter(running)
  return running
}

/** The error for a browser that did not start. */
function refusal(shared: Shared, cause: unknown): unknown {
  noteUse(shared, cause instanceof Error ? cause.message : String(cause))
  if (cause instanceof AppError || cause instanceof BrowserLost) return cause
  return new AppError('BROWSER_FAILED', { phase: 'launch' }, { cause })
}

function noteUse(shared: Shared, error?: string): void {
  shared.last = { at: shared.needs.clock.now(), error }
}

function enter(running: StartedBrowser): void {
  running.active += 1
  running.pages += 1
  running.unwatch ??= running.watch()
}

function isSpent(running: StartedBrowser, { mostPages, mostMs, mostMegabytes }: BrowserLimits): boolean {
  if (running.pages >= mostPages || performance.now() - running.since > mostMs) return true
  // Measuring memory reads many files, so it runs on every twentieth page only.
  return running.pages % 20 === 0 && running.launched.residentMegabytes() > mostMegabytes
}

/** No caller waits for a browser to stop: the caller of its last page already has its result. */
function release(shared: Shared, running: StartedBrowser): void {
  running.active -= 1
  if (running.active > 0) return
  running.unwatch?.()
  running.unwatch = undefined
  if (running.isRetiring) end(shared, running)
  else shared.idle = setTimeout(() => retireIdle(shared, running), shared.limits.idleMs).unref()
}

function retireIdle(shared: Shared, running: StartedBrowser): void {
  if (running.active > 0) return
  retire(shared, running)
  end(shared, running)
}

function retire(shared: Shared, running: StartedBrowser): void {
  running.isRetiring = true
  clear(shared)
}

function forget(shared: Shared, running: StartedBrowser): void {
  running.isRetiring = true
  shared.current?.then(
    (now) => now === running && clear(shared),
    () => clear(shared),
  )
}

function clear(shared: Shared): void {
  shared.current = undefined
}

function end({ needs, ending }: Shared, running: StartedBrowser): void {
  const ended = running.launched
    .kill()
    .catch((cause) => needs.log.warn({ cause }, 'a browser could not be stopped'))
    .finally(() => ending.delete(ended))
  ending.add(ended)
}

async function stop(shared: Shared): Promise<void> {
  shared.isStopped = true
  clearTimeout(shared.idle)
  const running = await shared.current?.catch(() => undefined)
  clear(shared)
  if (running) end(shared, running)
  await Promise.all(shared.ending)
}
