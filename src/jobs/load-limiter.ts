import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How busy this process is, and how many background jobs it may therefore run. */
export interface Load {
  /** Background jobs that may run now. */
  allowed(): number
  /** A call that somebody waits for has begun; call the answer when it has ended. */
  callBegan(): () => void
  /**
   * Lets everything else have its turn; where somebody waits for an answer, until they have it, but not for long. For
   * background jobs, between the parts of their work.
   */
  giveWay(): Promise<void>
  /** A background job has begun: the loop is measured from here on, until none runs any more. */
  jobBegan(): void
  /** Who runs background jobs says how many there are, and hears whenever more is allowed than before. */
  watch(runner: { active(): number; onRoom(): void }): void
  stop(): void
}

/** What was measured since the last look. */
export interface LoadFacts {
  /** The longest that anything had to wait for the event loop, in milliseconds. */
  delay: number
  /** The share of the time in which the loop was at work, 0 to 1. */
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
/** A background job waits for calls no longer than this at a time, so that it comes to its end whatever they do. */
const longestWay = 50

/** Beyond this, background jobs are what the loop waits for. With callers, there are fewer of them sooner. */
const maxDelayMs = { alone: 20, besideCalls: 8 }
/** A loop that is at work for less than this is not late because of what it does, but because of the machine. */
const minUtilization = 0.5

/** Bounds of the number of background jobs: the most, and the number with which a process begins. */
export interface LoadLimits {
  capacity: number
  start: number
}

/**
 * Additive increase, multiplicative decrease: one job more while the loop is responsive and all that is allowed is in use,
 * half as many as soon as it is not. Never fewer than one, so that what was accepted comes to its end. While no job is active, the
 * number rises to its start: what was measured before says nothing about the next jobs.
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
 * Bounds background jobs by what the event loop can carry, between one and the capacity. Once no job is active and the number has
 * risen to its start, nothing is measured: the timers of a measurement wake an idle process two hundred times a second.
 */
export function createLoadLimiter(options: LoadLimits): Load {
  const histogram = monitorEventLoopDelay({ resolution })
  const calls = youngCalls()
  let last = performance.eventLoopUtilization()
  let allowed = Math.min(options.start, options.capacity)
  let runner = { active: () => 0, onRoom: () => {} }
  let timer: NodeJS.Timeout | undefined

  function look(): void {
    const current = performance.eventLoopUtilization()
    const facts = {
      // The histogram holds the time between two beats of its own timer.
      delay: Math.max(0, histogram.max / 1e6 - resolution),
      utilization: performance.eventLoopUtilization(current, last).utilization,
      hasCallers: calls.areExpected(),
      active: runner.active(),
    }
    histogram.reset()
    last = current
    const before = allowed
    allowed = nextAllowed(allowed, options, facts)
    if (facts.active === 0 && allowed === before) rest()
    if (allowed > before) runner.onRoom()
  }

  function rest(): void {
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
      last = performance.eventLoopUtilization()
      timer = setInterval(look, betweenLooks).unref()
    },
    watch(watched) {
      runner = watched
    },
    stop: rest,
  }
}

/** Calls that somebody waits for, as long as they can be thought to wait for this process. */
function youngCalls() {
  const calls = new Set<{ began: number }>()
  const standing = new Set<() => void>()
  let last = Number.NEGATIVE_INFINITY

  function areUnderWay(): boolean {
    const now = performance.now()
    for (const { began } of calls) if (now - began < callsAreYoung) return true
    return false
  }

  return {
    areUnderWay,
    areExpected: () => areUnderWay() || performance.now() - last < callersStay,
    begin() {
      const call = { began: performance.now() }
      calls.add(call)
      return () => {
        last = performance.now()
        calls.delete(call)
        if (!areUnderWay()) for (const go of standing) go()
      }
    },
    /** Resolves when none is under way any more, and soon in any case. */
    end(): Promise<void> {
      return new Promise((resolve) => {
        const go = () => {
          clearTimeout(patience)
          standing.delete(go)
          resolve()
        }
        const patience = setTimeout(go, longestWay)
        standing.add(go)
      })
    },
  }
}
