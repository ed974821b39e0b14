import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** How busy this process is, and how many background jobs it may therefore run. */
export interface Load {
  /** Background jobs that may run now. */
  allowed(): number
  /** A call that somebody waits for has begun; call the answer when it has ended. */
  callBegan(): () => void
  /** Who runs background jobs says how many there are, and hears whenever more is allowed than before. */
  watch(runner: { active(): number; onRoom(): void }): void
  stop(): void
}

/** What was measured since the last look. */
export interface LoadFacts {
  /** The longest that anything had to wait for the event loop, in milliseconds. */
  delay: number
  /** The share of the time in which the event loop was at work, 0 to 1. */
  utilization: number
  /** Somebody waits for an answer now, or did a moment ago. */
  hasCallers: boolean
  /** Background jobs that run. */
  active: number
}

const betweenLooks = 50
const resolution = 5
/** So long after a call the next one is expected. */
const callersStay = 1000
/** A call that takes longer waits for its site rather than for this process. */
const callsAreYoung = 1000

/** Beyond this, background jobs are what the loop waits for. With callers, they get out of the way sooner. */
const most = { delay: 20, delayBesideCalls: 6, utilizationBesideCalls: 0.5 }

/**
 * Additive increase, multiplicative decrease: one job more while the loop is responsive and all that is allowed is in use,
 * half as many as soon as it is not. Never fewer than one, so that what was accepted comes to its end.
 */
export function nextAllowed(allowed: number, capacity: number, facts: LoadFacts): number {
  const isBusy = facts.hasCallers
    ? facts.delay > most.delayBesideCalls || facts.utilization > most.utilizationBesideCalls
    : facts.delay > most.delay
  if (isBusy)
    return facts.active === 0 ? allowed : Math.max(1, Math.floor(Math.min(allowed, facts.active) / 2))
  return facts.active < allowed ? allowed : Math.min(capacity, allowed + 1)
}

/** Bounds background jobs by what the event loop can carry, between one and the capacity. */
export function measureLoad(options: { capacity: number; start: number }): Load {
  const histogram = monitorEventLoopDelay({ resolution })
  histogram.enable()
  let utilization = performance.eventLoopUtilization()
  let allowed = Math.min(options.start, options.capacity)
  let runner = { active: () => 0, onRoom: () => {} }
  let lastCall = Number.NEGATIVE_INFINITY
  const calls = new Set<{ began: number }>()

  function hasCallers(now: number): boolean {
    for (const call of calls) if (now - call.began < callsAreYoung) return true
    return now - lastCall < callersStay
  }

  const timer = setInterval(() => {
    const now = performance.now()
    const current = performance.eventLoopUtilization()
    const facts = {
      // The histogram holds the time between two beats of its own timer.
      delay: Math.max(0, histogram.max / 1e6 - resolution),
      utilization: performance.eventLoopUtilization(current, utilization).utilization,
      hasCallers: hasCallers(now),
      active: runner.active(),
    }
    histogram.reset()
    utilization = current
    const before = allowed
    allowed = nextAllowed(allowed, options.capacity, facts)
    if (allowed > before) runner.onRoom()
  }, betweenLooks)
  timer.unref()

  return {
    allowed: () => allowed,
    callBegan() {
      const call = { began: performance.now() }
      calls.add(call)
      return () => {
        lastCall = performance.now()
        calls.delete(call)
      }
    },
    watch(watched) {
      runner = watched
    },
    stop() {
      clearInterval(timer)
      histogram.disable()
    },
  }
}
