import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  call(call: { method: string; route: string; status: number; ms: number }): void
  text(): Promise<string>
  contentType: string
}

/** The delay of the event loop is measured by a timer, which wakes a process that has nothing to do. */
const lagPrecision = 50

/** What an operator watches, in the Prometheus format. Labels are bounded: routes and statuses, never URLs. */
export function createMetrics(state: {
  heldJobs: () => number
  runningJobs: () => number
  openSessions: () => number
}): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: lagPrecision })
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
  gauge(registry, 'winnow_jobs_held', 'Jobs this process holds a lease on.', state.heldJobs)
  gauge(registry, 'winnow_jobs_running', 'Background jobs this process runs.', state.runningJobs)
  gauge(registry, 'winnow_sessions_open', 'Browser sessions that live in this process.', state.openSessions)
  return {
    call({ method, route, status, ms }) {
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
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  }
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
