import type { App } from '../api/app.ts'
import type { EndedJob } from '../jobs/ended-job.ts'
import type { Holder } from '../jobs/holder.ts'
import type { Runner } from '../jobs/runner.ts'
import { createMetrics } from '../jobs/telemetry/metrics.ts'
import { openTracing } from '../jobs/telemetry/tracing.ts'
import { createWatchdog } from '../jobs/telemetry/watchdog.ts'
import type { Clock } from '../platform/clock.ts'
import { bestEffort } from '../platform/functions.ts'
import type { Log } from '../platform/log.ts'
import { backlogOf } from '../store/jobs/queue-counts.ts'
import type { Store } from '../store/schema.ts'
import type { ScrapeBrowser } from './browser.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

interface TelemetryNeeds {
  store: Store
  clock: Clock
  log: Log
  holder: Holder
  browser: ScrapeBrowser | undefined
  /** These exist only later. */
  runner: () => Runner | undefined
  app: () => App
  server: () => { openConnections(): number }
}

/** What this process counts, and the traces that it sends. */
export async function openTelemetry(settings: Settings, needs: TelemetryNeeds) {
  const { store, clock, log, holder, browser } = needs
  const metrics = createMetrics(
    {
      heldJobs: holder.held,
      runningJobs: () => needs.runner()?.active() ?? 0,
      idleQueueSeconds: () => needs.runner()?.queues.idleSeconds() ?? 0,
      stalledQueues: () => needs.runner()?.queues.stalled() ?? [],
      openSessions: () => needs.app().sessions.open(),
      browserPages: () => openPages(browser),
      openConnections: () => needs.server().openConnections(),
      eventListeners: () => needs.app().teamEvents.listeners(),
      watchedJobs: () => needs.app().watchedJobs(),
      watchReads: () => needs.app().watchReads(),
    },
    async () => ({ now: clock.now(), ...(await backlogOf(store.query)) }),
  )
  const tracing = await openTracing(settings.tracing, { version, log })
  const watchdog = createWatchdog({ log, logOptions: settings.log, onBlocked: metrics.turnBlocked })
  return {
    metrics,
    watchdog,
    tracing,
    observeEnd(job: EndedJob) {
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

export type Telemetry = Awaited<ReturnType<typeof openTelemetry>>

/** Both tiers may be one and the same pool. */
function openPages(browser: ScrapeBrowser | undefined): number {
  const pools = new Set(browser ? [browser.pool('basic'), browser.pool('enhanced')] : [])
  return [...pools].reduce((sum, pool) => sum + pool.open(), 0)
}
