import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { EndedJob } from '../jobs/ended-job.ts'
import { type Backlog, measureBacklog } from './backlog-metrics.ts'
import { countJobs } from './job-metrics.ts'

export interface Metrics {
  call(call: { method: string; route: string; status: number; ms: number }): void
  jobEnded(job: EndedJob): void
  /** Adds what the HTTP server holds of requests; called once, when the server exists. */
  measureRequests(unfinished: () => { bytes: number; bodies: number }): void
  /** One turn of the main thread has used more than a second of processor time. */
  turnBlocked(): void
  text(): Promise<string>
  contentType: string
}

/** What this process has at hand. */
export interface ProcessState {
  heldJobs(): number
  runningJobs(): number
  /** Seconds for which jobs that may run have waited while this process has run none. */
  idleQueueSeconds(): number
  /** Teams whose queue does not move. */
  stalledQueues(): { teamId: string; seconds: number }[]
  openSessions(): number
  /** Pages that are open in the browsers of scrapes. */
  browserPages(): number
  /** Event streams, WebSockets, calls of /mcp and downloads. */
  openConnections(): number
  /** Streams of team events. */
  eventListeners(): number
  watchedJobs(): number
  /** Reads of the store on behalf of watchers of jobs, since the start. */
  watchReads(): number
}

/** The delay of the event loop is measured by a timer, which wakes a process that has nothing to do. */
const lagPrecision = 50

/** What an operator watches, in the Prometheus format. Labels are bounded: routes, kinds and codes, never URLs. */
export function createMetrics(state: ProcessState, backlog: () => Promise<Backlog>): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagPrecision })
  gauge(registry, 'winnow_jobs_held', 'Jobs this process holds a lease on.', state.heldJobs)
  gauge(registry, 'winnow_jobs_running', 'Background jobs this process runs.', state.runningJobs)
  gauge(registry, 'winnow_sessions_open', 'Browser sessions that live in this process.', state.openSessions)
  gauge(registry, 'winnow_browser_pages', 'Pages open in the browsers of scrapes.', state.browserPages)
  gauge(
    registry,
    'winnow_connections_open',
    'Connections that stay open, as MAX_SOCKETS counts them.',
    state.openConnections,
  )
  gauge(registry, 'winnow_event_listeners', 'Streams of team events.', state.eventListeners)
  gauge(registry, 'winnow_watched_jobs', 'Crawls and batches that are watched.', state.watchedJobs)
  counter(registry, 'winnow_watch_reads_total', 'Reads of the store for watchers of jobs.', state.watchReads)
  gauge(
    registry,
    'winnow_queue_idle_seconds',
    'Time for which jobs that may run have waited while this process has run none.',
    state.idleQueueSeconds,
  )
  measureStalledQueues(registry, state.stalledQueues)
  measureBacklog(registry, backlog)
  return {
    call: countCalls(registry),
    jobEnded: countJobs(registry),
    measureRequests(unfinished) {
      const [bytes, bodies] = ['winnow_unfinished_request_bytes', 'winnow_unfinished_requests']
      const what = 'request bodies that have not arrived, and of uploads that are not answered'
      gauge(registry, bytes, `Bytes of ${what}.`, () => unfinished().bytes)
      gauge(registry, bodies, `Number of ${what}.`, () => unfinished().bodies)
    },
    turnBlocked: countBlockedTurns(registry),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
}

/** Teams that have their own series; the number of series stays bounded however many queues stall. */
const maxStalledTeams = 20

function measureStalledQueues(registry: Registry, read: ProcessState['stalledQueues']): void {
  const count = 'winnow_queue_stalled_teams'
  gauge(registry, count, 'Teams whose queue does not move, as this process sees it.', () => read().length)
  const made = new Gauge({
    name: 'winnow_queue_stalled_seconds',
    help: `Time for which the queue of a team has not moved, for at most ${maxStalledTeams} teams.`,
    labelNames: ['team'],
    registers: [registry],
    collect() {
      made.reset()
      for (const { teamId, seconds } of read().slice(0, maxStalledTeams)) made.set({ team: teamId }, seconds)
    },
  })
}

function countCalls(registry: Registry): Metrics['call'] {
  const calls = new Counter({
    name: 'winnow_calls_total',
    help: 'Calls answered.',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'winnow_call_seconds',
    help: 'Time from request to answer.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [registry],
  })
  // Finding a series by its labels costs more than counting in it.
  const bound = new Map<string, { calls: Counter.Internal; durations: Histogram.Internal<string> }>()
  return ({ method, route, status, ms }) => {
    const name = `${method} ${route} ${status}`
    let series = bound.get(name)
    if (!series) {
      series = {
        calls: calls.labels({ method, route, status }),
        durations: durations.labels({ method, route }),
      }
      bound.set(name, series)
    }
    series.calls.inc()
    series.durations.observe(ms / 1000)
  }
}

/** A counter whose value is counted elsewhere. */
function counter(registry: Registry, name: string, help: string, read: () => number): void {
  const made = new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      made.reset()
      made.inc(read())
    },
  })
}

function countBlockedTurns(registry: Registry): Metrics['turnBlocked'] {
  const blocked = new Counter({
    name: 'winnow_event_loop_blocked_total',
    help: 'Turns of the main thread that used more than a second of processor time.',
    registers: [registry],
  })
  return () => blocked.inc()
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  const made = new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      made.set(read())
    },
  })
}
