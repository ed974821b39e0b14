import type { App } from '../api/app.ts'
import type { EndedJobRecord } from '../jobs/ended-job.ts'
import type { LeaseHolder } from '../jobs/lease-holder.ts'
import type { Runner } from '../jobs/runner.ts'
import { createMetrics } from '../jobs/telemetry/metrics.ts'
import { openTracing } from '../jobs/telemetry/tracing.ts'
import { createWatchdog } from '../jobs/telemetry/watchdog.ts'
import type { Clock } from '../platform/clock.ts'
import { bestEffort } from '../platform/functions.ts'
import type { Log } from '../platform/log.ts'
import { getBacklog } from '../store/jobs/queue-counts.ts'
import type { Store } from '../store/schema.ts'
import type { ScrapeBrowser } from './browser.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

interface TelemetryDeps {
  store: Store
  clock: Clock
  log: Log
  holder: LeaseHolder
  browser: ScrapeBrowser | undefined
  /** Getters, because these are created later. */
  runner: () => Runner | undefined
  app: () => App
  server: () => { openConnections(): number }
}

export async function createTelemetry(settings: Settings, deps: TelemetryDeps) {
  const { store, clock, log, holder, browser } = deps
  const metrics = createMetrics(
    {
      heldJobs: holder.held,
      runningJobs: () => deps.runner()?.active() ?? 0,
      idleQueueSeconds: () => deps.runner()?.queues.idleSeconds() ?? 0,
      stalledQueues: () => deps.runner()?.queues.stalled() ?? [],
      openSessions: () => deps.app().sessions.countOpen(),
      browserPages: () => countOpenPages(browser),
      openConnections: () => deps.server().openConnections(),
      eventListeners: () => deps.app().teamEvents.listenerCount(),
      watchedJobs: () => deps.app().watchedJobs(),
      watchReads: () => deps.app().watchReads(),
    },
    async () => ({ now: clock.now(), ...(await getBacklog(store.query)) }),
  )
  const tracing = await openTracing(settings.tracing, { version, log })
  const watchdog = createWatchdog({ log, logOptions: settings.log, onBlocked: metrics.turnBlocked })
  return {
    metrics,
    watchdog,
    tracing,
    observeEnd(job: EndedJobRecord) {
      void bestEffort(log, 'the end of a job could not be counted', () => {
        metrics.jobEnded(job)
        tracing?.jobEnded(job)
      })
    },
    async stop() {
      watchdog.stop()
      await tracing?.stop()
    },
  }
}

export type Telemetry = Awaited<ReturnType<typeof createTelemetry>>

function countOpenPages(browser: ScrapeBrowser | undefined): number {
  const pools = new Set(browser ? [browser.pool('basic'), browser.pool('enhanced')] : [])
  return [...pools].reduce((sum, pool) => sum + pool.open(), 0)
}
