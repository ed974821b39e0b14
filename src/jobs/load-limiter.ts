import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Load of this process, and the number of background jobs that it may run. */
export interface Load {
  /** Number of background jobs that may run now. */
  allowed(): number
  /** Registers a foreground call. Returns a function that marks its end. */
  callBegan(): () => void
  /**
   * Yields to the event loop. If foreground calls are running, also waits for them, at most `maxWaitMs`. Background jobs call it
   * between the parts of their work.
   */
  giveWay(): Promise<void>
  /** Registers the start of a background job. The event loop is measured from now on, until no job is active. */
  jobBegan(): void
  /** Sets the runner of background jobs: the source of the active count, and a callback for increases of the limit. */
  watch(runner: { active(): number; onCapacity(): void }): void
  stop(): void
}

/** Measurements since the last check. */
export interface LoadFacts {
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
/** Age in milliseconds from which a call counts as waiting for its site and not for this process. */
const maxCallAgeMs = 1000
/** Maximum duration in milliseconds of one wait of a background job for calls, so that it finishes under any load. */
const maxWaitMs = 50

/** Event loop delay from which background jobs are reduced. With foreground calls the threshold is lower. */
const maxDelayMs = { alone: 20, besideCalls: 8 }
/** Utilization below which a delay is caused by the machine and not by the work of this process. */
const minUtilization = 0.5

/** Limits of the number of background jobs: maximum and initial value. */
export interface LoadLimits {
  capacity: number
  start: number
}

/**
 * Returns the new number of allowed background jobs: additive increase, multiplicative decrease. It increases by one while the
 * loop is responsive and all allowed jobs run. It is halved when the loop is late, but stays at least one, so that accepted jobs
 * finish. Without active jobs it rises to its start value, because earlier measurements do not apply to the next jobs.
 */
export function nextAllowed(allowed: number, { capacity, start }: LoadLimits, facts: LoadFacts): number {
  if (facts.active === 0) return Math.max(allowed, Math.min(start, capacity, allowed + 1))
  const isLate =
    facts.utilization > minUtilization &&
    facts.delay > (facts.hasCallers ? maxDelayMs.besideCalls : maxDelayMs.alone)
  if (!isLate) return facts.active < allowed ? allowed : Math.min(capacity, allowed + 1)
  return Math.max(1, Math.floor(Math.min(allowed, facts.active) / 2))
}

/**
 * Creates the limiter of background jobs, which adapts to the delay of the event loop. Measuring stops when no job is active and
 * the number has reached its start value: the measurement timer wakes an idle process 200 times per second.
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
    callBegan: calls.begin,
    async giveWay() {
      await nextTurn()
      if (calls.areUnderWay()) await calls.end()
    },
    jobBegan() {
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

/** Tracks foreground calls for as long as they probably wait for this process. */
function trackCalls() {
  const calls = new Set<{ began: number }>()
  const waiters = new Set<() => void>()
  let lastEndedAt = Number.NEGATIVE_INFINITY

  function areRunning(): boolean {
    const now = performance.now()
    for (const { began } of calls) if (now - began < maxCallAgeMs) return true
    return false
  }

  return {
    areUnderWay: areRunning,
    areExpected: () => areRunning() || performance.now() - lastEndedAt < callerGraceMs,
    begin() {
      const call = { began: performance.now() }
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
