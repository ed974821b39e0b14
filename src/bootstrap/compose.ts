import { availableParallelism } from 'node:os'
import type { App } from '../api/app.ts'
import { startDeliverer } from '../features/webhooks/deliverer.ts'
import type { Poster } from '../fetch/network/post.ts'
import { createJobFinisher } from '../jobs/finish-jobs.ts'
import { createLeaseHolder } from '../jobs/lease-holder.ts'
import { createLoadLimiter } from '../jobs/load-limiter.ts'
import { startReaper } from '../jobs/reaper.ts'
import { startBlobRemover } from '../jobs/remove-blobs.ts'
import { startRunner } from '../jobs/runner.ts'
import { startSweeper } from '../jobs/sweeper.ts'
import { createSteadyClock } from '../platform/clock.ts'
import { createLog } from '../platform/log.ts'
import type { Indexing } from '../search/indexing.ts'
import { lockFolder } from '../store/database/sqlite.ts'
import { createReaders, type JobDeps, openApp } from './app.ts'
import { openScrapeBrowser } from './browser.ts'
import { installedCapabilities } from './capabilities.ts'
import { openModel, openSharedModel } from './model.ts'
import { createServiceAddress, openNetwork } from './network.ts'
import { shareListener } from './own-endpoints.ts'
import { createParentHooks } from './parent-hooks.ts'
import { createReadinessCheck } from './readiness.ts'
import { openSearch, searchProviders } from './search.ts'
import { createHttpServer } from './server.ts'
import { findSandboxProblem } from './sessions.ts'
import type { Settings } from './settings.ts'
import { stopService } from './stop.ts'
import { acquireStore, collectWhenIdle, createStorageMeter } from './store.ts'
import { createTelemetry } from './telemetry.ts'
import { acquireTemporaryFolder } from './temporary-folder.ts'

export async function compose(settings: Settings) {
  const { dataDir, databaseUrl } = settings.store
  const providers = searchProviders(settings)
  const sharedModel = await openSharedModel(settings, (...args) => readers.reader.answer(...args))
  const log = createLog(settings.log)
  const clock = createSteadyClock()
  const unlock = databaseUrl === undefined ? lockFolder(dataDir) : () => {}
  const removeTemporary = await acquireTemporaryFolder(log)
  // The sandbox check runs while the store opens.
  const sandboxProblem = findSandboxProblem(settings)
  const { store, blobs, unfollow } = await acquireStore(settings, { clock, log })
  const network = openNetwork(settings, log)
  const { chromiumPath: path, browser: bounds } = settings
  const browserDeps = { egress: network.egress, clock, log, dataDir }
  const browser = path === undefined ? undefined : openScrapeBrowser(path, browserDeps, bounds)
  const readers = createReaders(settings, log)
  const holder = createLeaseHolder({ store, clock, log, leaseMs: settings.limits.leaseMs })
  const stopCollecting = collectWhenIdle(() => holder.held() > 0)
  const model = openModel(settings, sharedModel, { store, clock, log })
  const detected = { sandboxProblem: await sandboxProblem, searchProviders: providers.names, model }
  const capabilities = installedCapabilities(settings, detected)
  const address = createServiceAddress(settings.http)
  const { publicUrl } = address
  const parentHooks = createParentHooks({ store, clock })
  const recordEnding = createJobFinisher(store, parentHooks)
  const capacity = Math.max(64, settings.limits.teamConcurrency)
  const load = createLoadLimiter({ capacity, start: 4 * availableParallelism() })
  const telemetry = await createTelemetry(settings, {
    ...{ store, clock, log, holder, browser },
    ...{ runner: () => work.runner, app: () => app, server: () => server },
  })
  const { observeEnd, watchdog: activity } = telemetry
  const jobs = { store, blobs, clock, log, holder, parentHooks, recordEnding, load, observeEnd, activity }
  const search = openSearch(settings, { store, clock, log, providers })
  const ready = createReadinessCheck({
    ...jobs,
    ...{ runner: () => work.runner, browser: browser?.health, dataDir, search },
  })
  const condition = {
    uptimeSeconds: () => Math.floor(process.uptime()),
    ready,
    storage: createStorageMeter(store, settings.store),
  }
  const app = await openApp(settings, {
    ...{ jobs, network, browser, readers, search, model, address, capabilities, condition },
  })
  const work = startWork(settings, jobs, {
    ...{ app, poster: network.poster, capacity, indexing: search.indexing },
  })
  const server = createHttpServer(settings, { jobs, app, ready, publicUrl, telemetry })
  const stopTimers = [unfollow, stopCollecting, () => load.stop(), () => holder.stop(), () => model?.stop()]
  const releaseResources = [unlock, removeTemporary]
  const stopParts = {
    ...{ log, server, work, app, readers, search, browser, network, store, telemetry },
    ...{ stopTimers, releaseResources },
  }

  return {
    store,
    log,
    capabilities,
    publicUrl,
    newConsoleCode: app.consoleKey.newCode,
    async listen() {
      address.setPort(await server.listen(settings.http.host, settings.http.port))
      stopTimers.push(await shareListener({ store, own: network.own, log }, address.getListener()))
    },
    stop: (withinMs: number, options?: { isCrash: boolean }) => stopService(stopParts, withinMs, options),
  }
}

export type Service = Awaited<ReturnType<typeof compose>>

function startWork(
  settings: Settings,
  jobs: JobDeps,
  parts: { app: App; poster: Poster; capacity: number; indexing: Pick<Indexing, 'removeTeam'> },
) {
  const { app, poster, capacity, indexing } = parts
  const isWorker = settings.role !== 'api'
  const concurrency = settings.limits.teamConcurrency
  const { hours: retentionHours, cacheDays } = settings.retention
  return {
    runner: isWorker
      ? startRunner(jobs, { kinds: app.kinds, capacity, concurrency, load: jobs.load })
      : undefined,
    deliverer: isWorker
      ? startDeliverer({ ...jobs, poster, documentOf: app.documentOf, ...settings.webhooks })
      : undefined,
    cleaners: [
      startReaper(jobs),
      startBlobRemover(jobs),
      startSweeper({ ...jobs, retentionHours, cacheDays, removeIndexedPages: indexing.removeTeam }),
    ],
  }
}
