import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { authenticator, firstTeamAlways } from './accounts/authenticate.ts'
import { rateLimiter } from './accounts/limits.ts'
import { removeUnfinished } from './adapters/blobs/disk.ts'
import { lockFolder } from './adapters/database/sqlite-lock.ts'
import { createApp } from './app.ts'
import { steadyClock } from './base/clock.ts'
import { createLog } from './base/log.ts'
import { findCodePrograms } from './browser/code/programs.ts'
import { createProfiles } from './browser/profiles.ts'
import { sessionAgent } from './compose/agent.ts'
import { openBrowser } from './compose/browser.ts'
import { collectAtRest } from './compose/rest.ts'
import { sandboxObstacle, sessionBrowsers } from './compose/sessions.ts'
import { stopper } from './compose/stopper.ts'
import { openStore } from './compose/store.ts'
import { takeTemporaryFolder } from './compose/temporary-folder.ts'
import { documentConverter } from './documents/convert.ts'
import { engineMemory } from './engine/engine-memory.ts'
import { engines } from './engine/engines/index.ts'
import type { FetchPlan, Way } from './engine/fetch-plan.ts'
import { createFamilies } from './families.ts'
import { capabilities } from './features/capabilities.ts'
import { absentRoutes } from './http/absent-routes.ts'
import { ownOriginOnly } from './http/check-origin.ts'
import * as endpointList from './http/endpoints/all.ts'
import { addEventRoutes } from './http/event-routes.ts'
import { addFileRoute } from './http/file-route.ts'
import { addLiveRoute } from './http/live-route.ts'
import { createMetrics } from './http/metrics.ts'
import { openApi } from './http/openapi.ts'
import { addOperatorRoutes } from './http/operator-routes.ts'
import { addPeerRoute } from './http/peer-route.ts'
import { createServer } from './http/server.ts'
import { sessionSockets } from './http/session-sockets.ts'
import { upgrades } from './http/upgrades.ts'
import { watchSockets } from './http/watch-sockets.ts'
import { endingRecorder } from './jobs/endings.ts'
import { createHolder } from './jobs/holder.ts'
import { measureLoad } from './jobs/load.ts'
import { startReaper } from './jobs/reaper.ts'
import { startRunner } from './jobs/runner.ts'
import { startSweeper } from './jobs/sweeper.ts'
import { createHttpClient } from './network/client.ts'
import { createEgress } from './network/egress.ts'
import { createGuard } from './network/guard.ts'
import { peerClient } from './network/peer.ts'
import { createPoster } from './network/post.ts'
import { resolverFor } from './network/resolve-name.ts'
import { pageReader } from './readers/page-reader.ts'
import { pageRooms } from './readers/page-rooms.ts'
import { readiness } from './readiness.ts'
import type { Settings } from './settings.ts'
import { dropDeliveryLeases } from './store/deliveries.ts'
import { dropAllLeases } from './store/leases.ts'
import { dropProfileLeases } from './store/profiles.ts'
import { version } from './version.ts'
import { startDeliverer } from './webhooks/deliverer.ts'

/** In one order, whatever order the list is loaded in: the API description must not depend on it. */
export const endpoints = Object.values(endpointList).sort((left, right) =>
  `${left.path} ${left.method}`.localeCompare(`${right.path} ${right.method}`),
)

/** Settings in, a running service out, and a `stop` that undoes it in reverse. */
export async function compose(settings: Settings) {
  const log = createLog(settings.log)
  const clock = steadyClock()
  const isEmbedded = settings.store.databaseUrl === undefined
  const unlock = isEmbedded ? lockFolder(settings.store.dataDir) : () => {}
  const removeTemporary = await takeTemporaryFolder(log)
  // Tried out while the store is opened.
  const obstacle = sandboxObstacle(settings)
  const { store, blobs } = await openStore(settings, log)
  const unfollow = await clock.follow(store.time, (cause) =>
    log.warn({ cause }, 'the time of the store could not be read; the clock goes on by itself'),
  )
  // Nobody else serves an embedded store, so whatever was under way here has lost its process.
  if (!store.isShared) await removeUnfinished(join(settings.store.dataDir, 'blobs'))
  if (!store.isShared)
    for (const drop of [dropAllLeases, dropDeliveryLeases, dropProfileLeases]) await drop(store.query)
  const guard = createGuard(settings.allowPrivateNetwork, resolverFor(settings.dnsServers))
  const egress = createEgress({ guard, log })
  const client = createHttpClient(guard, egress)
  const browser =
    settings.chromiumPath === undefined
      ? undefined
      : openBrowser(
          settings.chromiumPath,
          { egress, clock, log, dataDir: settings.store.dataDir },
          settings.browser,
        )
  const converter = documentConverter(converterLimits, log)
  const { bounds } = settings
  const reader = pageReader({ ...readerLimits, answerBytes: bounds.answerBytes }, log)
  const holder = createHolder({ store, clock, log, leaseMs: settings.limits.leaseMs })
  const stopCollecting = collectAtRest(() => holder.held() > 0)
  const { teamConcurrency: concurrency, ratePerMinute } = settings.limits
  const able = capabilities({
    store: isEmbedded ? 'SQLite' : 'PostgreSQL',
    blobs: settings.store.bucket ? 'S3 bucket' : 'files on this machine',
    storeFolder: isEmbedded ? settings.store.dataDir : undefined,
    blobsFolder: settings.store.bucket ? undefined : settings.store.dataDir,
    chromiumPath: settings.chromiumPath,
    tesseractPath: settings.tesseractPath,
    sandboxObstacle: await obstacle,
    ...findCodePrograms(settings),
  })
  let port = settings.http.port
  const ownUrl = () => `http://${hostText(settings.http.host)}:${port}`
  const publicUrl = () => settings.http.publicUrl ?? ownUrl()
  const peers = peerClient()
  const families = createFamilies({ store, clock })
  const recordEnding = endingRecorder(store, families)
  const capacity = Math.max(64, concurrency)
  const load = measureLoad({ capacity, start: 4 * availableParallelism() })
  const needs = { store, blobs, clock, log, holder, families, recordEnding, load }
  const app = createApp({
    ...needs,
    ladder: {
      engines: engines({ client, clock, chromium: browser && { ...browser, egress, guard, clock } }),
      memory: engineMemory(clock.now),
      reader,
      ways: (plan) => ({ basic: way('basic', settings, plan), enhanced: way('enhanced', settings, plan) }),
    },
    profiles: createProfiles({ ...needs, key: settings.profileKey }),
    documents: { converter, tesseract: settings.tesseractPath },
    reader,
    rooms: pageRooms(bounds.largePages),
    bounds,
    hasEnhancedProxy: settings.proxies.enhanced !== undefined,
    sessions: {
      browsers: sessionBrowsers(settings, { egress, log }),
      agent: await sessionAgent(settings, log),
      peers,
      peerUrl: () => settings.http.peerUrl ?? ownUrl(),
      teamBrowsers: settings.limits.teamBrowsers,
    },
    client,
    guard,
    ffmpeg: settings.ffmpegPath,
    publicUrl,
    teamConcurrency: concurrency,
    retentionHours: settings.retention.hours,
    version,
    capabilities: able,
  })
  const works = settings.role !== 'api'
  const runner = works ? startRunner(needs, { kinds: app.kinds, capacity, concurrency, load }) : undefined
  const poster = createPoster(guard)
  const deliverer = works
    ? startDeliverer({
        ...needs,
        poster,
        documentOf: app.documentOf,
        ...settings.webhooks,
      })
    : undefined
  const keepers = [startReaper(needs), startSweeper({ ...needs, ...retentionOf(settings) })]

  const authenticate = settings.http.auth
    ? authenticator({ store, clock, concurrency })
    : firstTeamAlways({ store, concurrency })
  const metrics = createMetrics({
    heldJobs: holder.held,
    runningJobs: () => runner?.active() ?? 0,
    openSessions: app.sessions.open,
  })
  // A worker answers operators only; calls go to the processes that serve the API.
  const served = settings.role === 'worker' ? [] : endpoints
  const serving = {
    app,
    authenticate,
    admit: rateLimiter({ store, clock, ratePerMinute }),
    log,
    metrics,
    checkOrigin: settings.http.auth ? () => {} : ownOriginOnly(publicUrl),
    corsOpen: settings.http.auth,
    mostMegabytes: settings.http.mostMegabytes,
    publicUrl,
  }
  const server = createServer({
    ...serving,
    endpoints: served,
    absent: settings.role === 'worker' ? [] : absentRoutes,
    checkResponses: settings.http.checkResponses,
    mostConnections: settings.http.mostConnections,
    answers: settings.answers,
  })
  const ready = readiness({
    store,
    blobs,
    runner,
    log,
    browser: browser?.health,
    dataDir: settings.store.dataDir,
  })
  server.addPlainRoutes((fastify) => addFileRoute(fastify, app))
  if (settings.role !== 'worker') {
    server.addPlainRoutes((fastify) => addEventRoutes(fastify, serving))
    const takers = [watchSockets(serving), sessionSockets(serving)]
    server.addUpgrades(upgrades(takers, { log, limits: settings.limits.sockets }))
    server.addPlainRoutes((fastify) => addPeerRoute(fastify, app))
    server.addPlainRoutes((fastify) => addLiveRoute(fastify, app.sessions))
  }
  server.addPlainRoutes((fastify) =>
    addOperatorRoutes(fastify, { metrics, authenticate, openApi: openApi(endpoints, version), ready }),
  )

  return {
    store,
    log,
    capabilities: able,
    publicUrl,
    async listen() {
      port = await server.listen(settings.http.host, settings.http.port)
    },
    /** Stops accepting, lets running work finish within the time, gives leases back. */
    async stop(withinMs: number, how?: { isCrash: boolean }) {
      for (const keeper of keepers) keeper.stop()
      const step = stopper(log)
      await Promise.all([
        step('server', withinMs, () => server.stop(withinMs)),
        step('sessions', withinMs, () => app.sessions.stop()),
        step('runner', withinMs, () => runner?.stop(withinMs, how)),
        step('deliverer', withinMs, () => deliverer?.stop(withinMs)),
      ])
      await step('cache', patience, () => app.settled())
      unfollow()
      stopCollecting()
      load.stop()
      holder.stop()
      converter.stop()
      await step('reader', patience, () => reader.stop())
      await step('browser', patience, () => browser?.stop())
      for (const part of [client, peers, poster, egress]) await step('network', patience, () => part.close())
      await step('store', patience, () => store.close())
      unlock()
      removeTemporary()
    },
  }
}

/** How long each part may take to stop, beyond the time that running work is given. */
const patience = 2000

/** A file has the memory of a large document and more time than any caller waits; one per core, and never one alone. */
const converterLimits = {
  processes: Math.max(2, availableParallelism()),
  recognisers: Math.max(2, availableParallelism()),
  spare: 1,
  megabytes: 1024,
  mostMs: 300_000,
  idleMs: 60_000,
}

/** Pages are read in as many threads as there are cores, and one that takes long never stands before all others. */
const readerLimits = {
  threads: Math.max(2, availableParallelism()),
  spare: 1,
  megabytes: 512,
  idleMs: 60_000,
  graceMs: 1000,
}

export type Service = Awaited<ReturnType<typeof compose>>

function way(name: Way['name'], settings: Settings, plan: Pick<FetchPlan, 'country'>): Way {
  const country = (plan.country ?? 'us').toLowerCase()
  const text = settings.proxies[name]?.replaceAll('{country}', country)
  const upstream = text === undefined ? undefined : new URL(text)
  return { name, upstream, asBrowser: name === 'enhanced' }
}

function retentionOf(settings: Settings) {
  return { retentionHours: settings.retention.hours, cacheDays: settings.retention.cacheDays }
}

/** What stands in a URL: an address that means "all interfaces" is no address a caller could use. */
function hostText(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
