import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

export type Load = ReturnType<typeof createLoadLimiter>

export interface LoadMeasurements {
  delay: number
  utilization: number
  hasCallers: boolean
  active: number
}

const checkIntervalMs = 50
const resolutionMs = 5
const callerGraceMs = 1000
/** Age in milliseconds after which a call is assumed to wait for its site and not for this process. */
const maxCallAgeMs = 1000
/** Maximum wait of a background job at a time, so that it finishes under any load. */
const maxWaitMs = 50

const maxDelayMs = { alone: 20, withCalls: 8 }
/** Minimum utilization at which a delay is attributed to this process. Below it, the machine causes the delay. */
const minUtilization = 0.5

export interface LoadLimits {
  capacity: number
  start: number
}

/**
 * Additive increase, multiplicative decrease. While no job runs, the number rises to `start`, because the
 * measurements of earlier jobs do not apply to the next ones.
 */
export function nextAllowed(allowed: number, { capacity, start }: LoadLimits, facts: LoadMeasurements) {
  if (facts.active === 0) return Math.max(allowed, Math.min(start, capacity, allowed + 1))
  const isLate =
    facts.utilization > minUtilization &&
    facts.delay > (facts.hasCallers ? maxDelayMs.withCalls : maxDelayMs.alone)
  if (!isLate) return facts.active < allowed ? allowed : Math.min(capacity, allowed + 1)
  return Math.max(1, Math.floor(Math.min(allowed, facts.active) / 2))
}

/** Measures only while necessary, because the measurement timer wakes an idle process 200 times per second. */
export function createLoadLimiter(options: LoadLimits) {
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
    /** Waits for running foreground calls, at most `maxWaitMs`. Background jobs call it between parts of their work. */
    async yieldToForeground(): Promise<void> {
      await nextTurn()
      if (calls.areRunning()) await calls.waitForEnd()
    },
    beginJob(): void {
      if (timer) return
      histogram.enable()
      lastUtilization = performance.eventLoopUtilization()
      timer = setInterval(check, checkIntervalMs).unref()
    },
    watch(watched: typeof runner): void {
      runner = watched
    },
    stop: stopMeasuring,
  }
}

/** Older calls are ignored, because they probably wait for their site and not for this process. */
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
    waitForEnd(): Promise<void> {
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
