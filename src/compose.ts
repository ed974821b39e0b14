import { availableParallelism } from 'node:os'
import { lockFolder } from './adapters/database/sqlite-lock.ts'
import { steadyClock } from './base/clock.ts'
import { createLog } from './base/log.ts'
import { serviceAddress } from './compose/address.ts'
import { openApp } from './compose/app.ts'
import { openBrowser } from './compose/browser.ts'
import { installedCapabilities } from './compose/capabilities.ts'
import { openModel, openSharedModel } from './compose/model.ts'
import { openNetwork } from './compose/network.ts'
import { shareListener } from './compose/own-endpoints.ts'
import { openReaders } from './compose/readers.ts'
import { collectAtRest } from './compose/rest.ts'
import { openSearch, searchProviders } from './compose/search.ts'
import { openServer } from './compose/server.ts'
import { sandboxObstacle } from './compose/sessions.ts'
import { stopService } from './compose/stop.ts'
import { storageMeter } from './compose/storage.ts'
import { takeStore } from './compose/take-store.ts'
import { openTelemetry } from './compose/telemetry.ts'
import { takeTemporaryFolder } from './compose/temporary-folder.ts'
import { startWork } from './compose/work.ts'
import { endingRecorder } from './jobs/endings.ts'
import { createHolder } from './jobs/holder.ts'
import { measureLoad } from './jobs/load.ts'
import { createParentHooks } from './parent-jobs.ts'
import { readiness } from './readiness.ts'
import type { Settings } from './settings.ts'

/** Settings in, a running service out, and a `stop` that undoes it in reverse. */
export async function compose(settings: Settings) {
  const { dataDir, databaseUrl } = settings.store
  const providers = searchProviders(settings)
  const sharedModel = await openSharedModel(settings, (...asked) => readers.reader.answer(...asked))
  const log = createLog(settings.log)
  const clock = steadyClock()
  const unlock = databaseUrl === undefined ? lockFolder(dataDir) : () => {}
  const removeTemporary = await takeTemporaryFolder(log)
  // Tested while the store opens.
  const obstacle = sandboxObstacle(settings)
  const { store, blobs, unfollow } = await takeStore(settings, { clock, log })
  const network = openNetwork(settings, log)
  const browser =
    settings.chromiumPath === undefined
      ? undefined
      : openBrowser(settings.chromiumPath, { egress: network.egress, clock, log, dataDir }, settings.browser)
  const readers = openReaders(settings, log)
  const holder = createHolder({ store, clock, log, leaseMs: settings.limits.leaseMs })
  const stopCollecting = collectAtRest(() => holder.held() > 0)
  const model = openModel(settings, sharedModel, { store, clock, log })
  const found = { sandboxObstacle: await obstacle, searchProviders: providers.names, model }
  const capabilities = installedCapabilities(settings, found)
  const address = serviceAddress(settings.http)
  const { publicUrl } = address
  const parentHooks = createParentHooks({ store, clock })
  const recordEnding = endingRecorder(store, parentHooks)
  const capacity = Math.max(64, settings.limits.teamConcurrency)
  const load = measureLoad({ capacity, start: 4 * availableParallelism() })
  const telemetry = await openTelemetry(settings, {
    ...{ store, clock, log, holder, browser },
    ...{ runner: () => work.runner, app: () => app, server: () => server },
  })
  const { observeEnd } = telemetry
  const activity = telemetry.watchdog
  const jobs = { store, blobs, clock, log, holder, parentHooks, recordEnding, load, observeEnd, activity }
  const search = openSearch(settings, { store, clock, log, providers })
  const ready = readiness({ ...jobs, runner: () => work.runner, browser: browser?.health, dataDir, search })
  const condition = {
    uptimeSeconds: () => Math.floor(process.uptime()),
    ready,
    storage: storageMeter(store, settings.store),
  }
  const app = await openApp(settings, {
    ...{ jobs, network, browser, readers, search, model, address, capabilities, condition },
  })
  const work = startWork(settings, jobs, {
    ...{ app, poster: network.poster, capacity, indexing: search.indexing },
  })
  const server = openServer(settings, { jobs, app, ready, publicUrl, telemetry })
  const tickers = [unfollow, stopCollecting, () => load.stop(), () => holder.stop(), () => model?.stop()]
  const holds = [unlock, removeTemporary]
  const stopParts = {
    ...{ log, server, work, app, readers, search, browser, network, store, telemetry, tickers, holds },
  }

  return {
    store,
    log,
    capabilities,
    publicUrl,
    newConsoleCode: app.consoleKey.newCode,
    async listen() {
      address.listensOn(await server.listen(settings.http.host, settings.http.port))
      tickers.push(await shareListener({ store, own: network.own, log }, address.listening()))
    },
    /** Stops accepting calls, lets running work finish within the time, releases leases. */
    stop: (withinMs: number, how?: { isCrash: boolean }) => stopService(stopParts, withinMs, how),
  }
}

export type Service = Awaited<ReturnType<typeof compose>>
