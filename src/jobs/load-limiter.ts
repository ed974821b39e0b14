import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Load of this process, and the number of background jobs that it may run. */
export interface Load {
  /** Number of background jobs that may run now. */
  allowed(): number
  /** Registers a foreground call. Returns a function that marks its end. */
  beginCall(): () => void
  /**
   * Yields to the event loop. If foreground calls are running, also waits for them, at most `maxWaitMs`. Background
   * jobs call it between the parts of their work.
   */
  yieldToForeground(): Promise<void>
  /** Registers the start of a background job, and measures the event loop until no job is active. */
  beginJob(): void
  /** Sets the runner of background jobs: the source of the active count, and a callback for increases of the limit. */
  watch(runner: { active(): number; onCapacity(): void }): void
  stop(): void
}

/** Measurements since the last check. */
export interface LoadMeasurements {
  /** Maximum delay of the event loop in milliseconds. */
  delay: number
  /** Utilization of the event loop, from 0 to 1. */
  utilization: number
  /** True if a foreground call is running, or has ended recently. */
  hasCallers: boolean
  /** Number of running background jobs. */
  active: number
}

const checkIntervalMs = 50
const resolutionMs = 5
/** Time in milliseconds after a call in which another call is expected. */
const callerGraceMs = 1000
/** Age in milliseconds after which a call is assumed to wait for its site and not for this process. */
const maxCallAgeMs = 1000
/**
 * Maximum duration in milliseconds for which a background job waits for calls at a time, so that it finishes under any
 * load.
 */
const maxWaitMs = 50

/** Event loop delay in milliseconds above which background jobs are reduced: without and with foreground calls. */
const maxDelayMs = { alone: 20, withCalls: 8 }
/** Minimum utilization at which a delay is attributed to this process. Below it, the machine causes the delay. */
const minUtilization = 0.5

/** Maximum and initial number of background jobs. */
export interface LoadLimits {
  capacity: number
  start: number
}

/**
 * Returns the new number of allowed background jobs: additive increase, multiplicative decrease. It increases by one
 * while the loop is responsive and all allowed jobs run. It is halved when the loop is late, but stays at least one, so
 * that accepted jobs finish. Without active jobs it rises to its start value, because earlier measurements do not apply
 * to the next jobs.
 */
export function nextAllowed(
  allowed: number,
  { capacity, start }: LoadLimits,
  facts: LoadMeasurements,
): number {
  if (facts.active === 0) return Math.max(allowed, Math.min(start, capacity, allowed + 1))
  const isLate =
    facts.utilization > minUtilization &&
    facts.delay > (facts.hasCallers ? maxDelayMs.withCalls : maxDelayMs.alone)
  if (!isLate) return facts.active < allowed ? allowed : Math.min(capacity, allowed + 1)
  return Math.max(1, Math.floor(Math.min(allowed, facts.active) / 2))
}

/**
 * Creates the limiter of background jobs, which adapts to the delay of the event loop. Measuring stops when no job is
 * active and the number has reached its start value: the measurement timer wakes an idle process 200 times per second.
 */
export function createLoadLimiter(options: LoadLimits): Load {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  const calls = trackCalls()
  let lastUtilization = performance.eventLoopUtilization()
  let allowed = Math.min(options.start, options.capacity)
  let runner = { active: () => 0, onCapacity: () => {} }
  let timer: NodeJS.Timeout | undefined

  function check(): void {
    const current = performance.eventLoopUtilization()
    const facts = {
      // The histogram contains the time between two ticks of its own timer.
      delay: Math.max(0, histogram.max / 1e6 - resolutionMs),
      utilization: performance.eventLoopUtilization(current, lastUtilization).utilization,
      hasCallers: calls.areExpected(),
      active: runner.active(),
    }
    histogram.reset()
    lastUtilization = current
    const previous = allowed
    allowed = nextAllowed(allowed, options, facts)
    if (facts.active === 0 && allowed === previous) stopMeasuring()
    if (allowed > previous) runner.onCapacity()
  }

  function stopMeasuring(): void {
    clearInterval(timer)
    timer = undefined
    histogram.disable()
  }

  return {
    allowed: () => allowed,
    beginCall: calls.begin,
    async yieldToForeground() {
      await nextTurn()
      if (calls.areRunning()) await calls.end()
    },
    beginJob() {
      if (timer) return
      histogram.enable()
      lastUtilization = performance.eventLoopUtilization()
      timer = setInterval(check, checkIntervalMs).unref()
    },
    watch(watched) {
      runner = watched
    },
    stop: stopMeasuring,
  }
}

/**
 * Tracks foreground calls. Older calls are ignored, because they probably wait for their site and not for this process.
 */
function trackCalls() {
  const calls = new Set<{ startedAt: number }>()
  const waiters = new Set<() => void>()
  let lastEndedAt = Number.NEGATIVE_INFINITY

  function areRunning(): boolean {
    const now = performance.now()
    for (const { startedAt } of calls) if (now - startedAt < maxCallAgeMs) return true
    return false
  }

  return {
    areRunning,
    areExpected: () => areRunning() || performance.now() - lastEndedAt < callerGraceMs,
    begin() {
      const call = { startedAt: performance.now() }
      calls.add(call)
      return () => {
        lastEndedAt = performance.now()
        calls.delete(call)
        if (!areRunning()) for (const resume of waiters) resume()
      }
    },
    /** Resolves when no call is running, or after `maxWaitMs`. */
    end(): Promise<void> {
      return new Promise((resolve) => {
        const resume = () => {
          clearTimeout(timer)
          waiters.delete(resume)
          resolve()
        }
        const timer = setTimeout(resume, maxWaitMs)
        waiters.add(resume)
      })
    },
  }
}
