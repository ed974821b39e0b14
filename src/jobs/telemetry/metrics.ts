import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { TimedStep } from '../../platform/trace/steps.ts'
import type { EndedJobRecord } from '../ended-job.ts'

export type Metrics = ReturnType<typeof createMetrics>

export interface ProcessState {
  heldJobs(): number
  runningJobs(): number
  idleQueueSeconds(): number
  stalledQueues(): { teamId: string; seconds: number }[]
  openSessions(): number
  browserPages(): number
  openConnections(): number
  eventListeners(): number
  watchedJobs(): number
  watchReads(): number
}

/** Resolution of the event loop delay in milliseconds. A shorter interval would wake an idle process more often. */
const lagResolutionMs = 50

/** Labels are bounded: routes, kinds and codes, never URLs. */
export function createMetrics(state: ProcessState, backlog: () => Promise<Backlog>) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagResolutionMs })
  const series = createSeries(registry)
  const { measure } = series
  measure('winnow_jobs_held', 'Jobs this process holds a lease on.', state.heldJobs)
  measure('winnow_jobs_running', 'Background jobs this process runs.', state.runningJobs)
  measure('winnow_sessions_open', 'Browser sessions that live in this process.', state.openSessions)
  measure('winnow_browser_pages', 'Pages open in the browsers of scrapes.', state.browserPages)
  const connections = 'Connections that stay open, as MAX_SOCKETS counts them.'
  measure('winnow_connections_open', connections, state.openConnections)
  measure('winnow_event_listeners', 'Streams of team events.', state.eventListeners)
  measure('winnow_watched_jobs', 'Crawls and batches that are watched.', state.watchedJobs)
  addReadCounter(registry, state.watchReads)
  const idle = 'Time for which jobs that may run have waited while this process has run none.'
  measure('winnow_queue_idle_seconds', idle, state.idleQueueSeconds)
  measureStalledQueues(series, state.stalledQueues)
  measureBacklog(series, backlog)
  const [call, jobEnded] = [countCalls(series), countJobs(series)]
  const blockedHelp = 'Turns of the main thread that used more than a second of processor time.'
  const blockedTurns = series.counter('winnow_event_loop_blocked_total', blockedHelp)
  return {
    call,
    jobEnded,
    measureRequests(unfinished: () => { bytes: number; bodies: number }): void {
      const description = 'request bodies that have not arrived, and of uploads that are not answered'
      measure('winnow_unfinished_request_bytes', `Bytes of ${description}.`, () => unfinished().bytes)
      measure('winnow_unfinished_requests', `Number of ${description}.`, () => unfinished().bodies)
    },
    turnBlocked: () => blockedTurns.inc(),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

type Series = ReturnType<typeof createSeries>

function createSeries(registry: Registry) {
  const registers = [registry]
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    gauge: <Label extends string>(
      name: string,
      help: string,
      { labelNames = [], collect }: { labelNames?: Label[]; collect?: () => void | Promise<void> } = {},
    ) => new Gauge({ name, help, labelNames, registers, ...(collect ? { collect } : {}) }),
    histogram: <Label extends string>(
      name: string,
      help: string,
      { labelNames = [], buckets }: { labelNames?: Label[]; buckets: number[] },
    ) => new Histogram({ name, help, labelNames, buckets, registers }),
    measure(name: string, help: string, read: () => number): void {
      const gauge: Gauge = new Gauge({ name, help, registers, collect: () => gauge.set(read()) })
    },
  }
}

function addReadCounter(registry: Registry, read: () => number): void {
  const counter = new Counter({
    name: 'winnow_watch_reads_total',
    help: 'Reads of the store for watchers of jobs.',
    registers: [registry],
    collect() {
      counter.reset()
      counter.inc(read())
    },
  })
}

/** Maximum teams with their own series, so that the number of series stays bounded. */
const maxStalledTeams = 20

function measureStalledQueues({ gauge, measure }: Series, read: ProcessState['stalledQueues']): void {
  const count = 'winnow_queue_stalled_teams'
  measure(count, 'Teams whose queue does not move, as this process sees it.', () => read().length)
  const help = `Time for which the queue of a team has not moved, for at most ${maxStalledTeams} teams.`
  const stalled = gauge('winnow_queue_stalled_seconds', help, {
    labelNames: ['team'],
    collect() {
      stalled.reset()
      for (const { teamId, seconds } of read().slice(0, maxStalledTeams))
        stalled.set({ team: teamId }, seconds)
    },
  })
}

function countCalls({ counter, histogram }: Series) {
  const calls = counter('winnow_calls_total', 'Calls answered.', ['method', 'route', 'status'])
  const durations = histogram('winnow_call_seconds', 'Time from request to answer.', {
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  })
  // Looking up a series by its labels costs more than incrementing it.
  const seriesByLabels = new Map<string, { calls: Counter.Internal; durations: Histogram.Internal<string> }>()
  return (call: { method: string; route: string; status: number; ms: number }): void => {
    const { method, route, status, ms } = call
    const name = `${method} ${route} ${status}`
    let series = seriesByLabels.get(name)
    if (!series) {
      series = {
        calls: calls.labels({ method, route, status }),
        durations: durations.labels({ method, route }),
      }
      seriesByLabels.set(name, series)
    }
    series.calls.inc()
    series.durations.observe(ms / 1000)
  }
}

interface Backlog {
  now: number
  /** Queued jobs; `oldest` is the queue time of the oldest job, in milliseconds since 1970. */
  queued: { kind: string; count: number; oldest: number }[]
  running: { kind: string; count: number }[]
  deliveries: { count: number; oldest: number | null }
}

/** Cache time of the backlog in milliseconds, because several Prometheus servers may collect metrics. */
const cacheMs = 5000

function measureBacklog({ gauge }: Series, read: () => Promise<Backlog>): void {
  const depth = gauge('winnow_queue_jobs', 'Jobs of all processes, by kind and state.', {
    labelNames: ['kind', 'state'],
    // The other gauges are set here as well: collectors run in order of creation.
    collect: refresh,
  })
  const age = gauge('winnow_queue_oldest_seconds', 'Age of the oldest job in the queue.', {
    labelNames: ['kind'],
  })
  const deliveries = gauge('winnow_webhooks_waiting', 'Webhook events that wait to be delivered.')
  const deliveryAge = gauge('winnow_webhooks_oldest_seconds', 'Age of the oldest event that waits.')
  let readAt = Number.NEGATIVE_INFINITY

  async function refresh(): Promise<void> {
    if (performance.now() - readAt < cacheMs) return
    const backlog = await read()
    readAt = performance.now()
    depth.reset()
    age.reset()
    for (const { kind, count, oldest } of backlog.queued) {
      depth.set({ kind, state: 'queued' }, count)
      age.set({ kind }, seconds(backlog.now, oldest))
    }
    for (const { kind, count } of backlog.running) depth.set({ kind, state: 'running' }, count)
    deliveries.set(backlog.deliveries.count)
    deliveryAge.set(seconds(backlog.now, backlog.deliveries.oldest))
  }
}

const seconds = (now: number, then: number | null) => (then === null ? 0 : Math.max(0, now - then) / 1000)

const jobBuckets = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800]
const attemptBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

function countJobs(series: Series): (job: EndedJobRecord) => void {
  const { counter, histogram } = series
  const endedHelp = 'Jobs that ended in this process.'
  const jobs = counter('winnow_jobs_ended_total', endedHelp, ['kind', 'state', 'code'])
  const seconds = histogram('winnow_job_seconds', 'Time from the start of a job to its end.', {
    labelNames: ['kind'],
    buckets: jobBuckets,
  })
  const credits = counter('winnow_credits_charged_total', 'Credits charged for jobs.', ['kind'])
  const countStep = countSteps(series)
  return ({ kind, state, code, startedAt, endedAt, credits: charged, steps }) => {
    jobs.inc({ kind, state, code: code ?? '' })
    seconds.observe({ kind }, Math.max(0, endedAt - startedAt) / 1000)
    if (charged > 0) credits.inc({ kind }, charged)
    for (const [index, step] of steps.entries()) countStep(step, steps[index + 1])
  }
}

function countSteps({ counter, histogram }: Series): (step: TimedStep, next: TimedStep | undefined) => void {
  const attemptsHelp = 'Attempts to fetch a page, and what came of them.'
  const attempts = counter('winnow_attempts_total', attemptsHelp, ['engine', 'proxy', 'verdict'])
  const attemptSeconds = histogram('winnow_attempt_seconds', 'Time of an attempt to fetch a page.', {
    labelNames: ['engine'],
    buckets: attemptBuckets,
  })
  const cache = counter('winnow_cache_lookups_total', 'Lookups in the cache of pages.', ['result'])
  const waited = histogram('winnow_slot_wait_seconds', 'Time calls waited for a slot of their team.', {
    buckets: attemptBuckets,
  })
  const tokens = counter('winnow_model_tokens_total', 'Tokens of the language model.', ['direction'])
  return (step, next) => {
    if (step.step === 'fetch') {
      attempts.inc({ engine: step.engine, proxy: step.proxy, verdict: verdictOf(step, next) })
      attemptSeconds.observe({ engine: step.engine }, step.ms / 1000)
    } else if (step.step === 'cache') cache.inc({ result: step.result })
    else if (step.step === 'queue') waited.observe(step.waitedMs / 1000)
    else if (step.step === 'model') {
      tokens.inc({ direction: 'input' }, step.inputTokens)
      tokens.inc({ direction: 'output' }, step.outputTokens)
    }
  }
}

function verdictOf(step: Extract<TimedStep, { step: 'fetch' }>, next: TimedStep | undefined): string {
  if (step.result === 'error') return step.code ?? 'error'
  return next?.step === 'verdict' ? next.kind : step.result
}
