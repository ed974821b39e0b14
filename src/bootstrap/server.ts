import { authenticateAsFirstTeam, createAuthenticator } from '../accounts/authenticate.ts'
import { createKeyWatch } from '../accounts/key-watch.ts'
import { createRateLimiter } from '../accounts/limits.ts'
import type { App } from '../api/app.ts'
import { createClientAddress, createOwnOriginCheck } from '../api/connections/client-address.ts'
import { createOpenConnections } from '../api/connections/open-connections.ts'
import { createSessionSocketHandler } from '../api/connections/session-sockets.ts'
import { createUpgradeRouter } from '../api/connections/upgrades.ts'
import { createWatchSocketHandler } from '../api/connections/watch-sockets.ts'
import { addConsoleRoutes } from '../api/console-routes.ts'
import type { Endpoint } from '../api/endpoint.ts'
import * as endpointList from '../api/endpoints/all.ts'
import { addMcpRoute } from '../api/mcp/route.ts'
import { openApi } from '../api/openapi.ts'
import { addOperatorRoutes } from '../api/operator-routes.ts'
import { addFileRoute, addLiveRoute, addPeerRoute } from '../api/plain-routes.ts'
import { createRequestObserver } from '../api/send-response.ts'
import { createServer } from '../api/server.ts'
import { unsupportedRoutes } from '../api/unsupported-routes.ts'
import { v1Endpoints as v1List } from '../api/v1/endpoints.ts'
import { matchV1Watch } from '../api/v1/jobs.ts'
import { matchV2Watch } from '../api/watch.ts'
import { lazy } from '../platform/functions.ts'
import type { JobDeps } from './app.ts'
import { findConsoleFolder } from './capabilities.ts'
import type { Readiness } from './readiness.ts'
import type { Settings } from './settings.ts'
import type { Telemetry } from './telemetry.ts'
import { version } from './version.ts'

interface ServerParts {
  jobs: JobDeps
  app: App
  ready: () => Promise<Readiness>
  publicUrl: () => string
  telemetry: Telemetry
}

export function createHttpServer(settings: Settings, parts: ServerParts) {
  const { app, ready } = parts
  const deps = createRouteDeps(settings, parts)
  const clientAddress = createClientAddress(settings.http.trustedProxies)
  // A worker only serves operators and stored files; other requests go to the processes that serve the API.
  const isWorker = settings.role === 'worker'
  const server = createServer({
    ...deps,
    endpoints: isWorker ? [] : [...endpoints, ...v1Endpoints],
    unsupportedRoutes: isWorker ? [] : [...unsupportedRoutes('v2'), ...unsupportedRoutes('v1')],
    responses: settings.responses,
    requests: settings.limits.unfinished,
  })
  deps.metrics.measureRequests(server.unfinished)
  server.addPlainRoutes((fastify) => addFileRoute(fastify, app))
  if (!isWorker) {
    const matchWatch = (pathname: string) => matchV2Watch(pathname) ?? matchV1Watch(pathname)
    const handlers = [createWatchSocketHandler({ ...deps, matchWatch }), createSessionSocketHandler(deps)]
    server.addUpgrades(createUpgradeRouter(handlers, { ...deps, clientAddress }))
    const mcpDeps = { ...deps, observe: createRequestObserver(deps), version }
    server.addPlainRoutes((fastify, shared) => addMcpRoute(fastify, { ...mcpDeps, ...shared }))
    server.addPlainRoutes((fastify) => addPeerRoute(fastify, app))
    server.addPlainRoutes((fastify) => addLiveRoute(fastify, app.sessions))
  }
  const foundConsole = isWorker ? undefined : findConsoleFolder(settings)
  const consolePath = foundConsole === 'off' ? undefined : foundConsole
  const hasConsole = consolePath !== undefined
  const descriptions = {
    v1: lazy(() => JSON.stringify(openApi(v1Endpoints, version))),
    v2: lazy(() => JSON.stringify(openApi(endpoints, version))),
  }
  server.addPlainRoutes((fastify) =>
    addOperatorRoutes(fastify, { ...deps, ready, hasConsole, descriptions, docs: app.docs, clientAddress }),
  )
  if (consolePath !== undefined) server.addPlainRoutes((fastify) => addConsoleRoutes(fastify, consolePath))
  return { ...server, openConnections: deps.connections.count }
}

function createRouteDeps({ http, limits }: Settings, { jobs, app, publicUrl, telemetry }: ServerParts) {
  const { store, clock, log } = jobs
  const { teamConcurrency: concurrency, ratePerMinute } = limits
  return {
    ...http,
    app,
    authenticate: http.auth
      ? createAuthenticator({ store, clock, concurrency })
      : authenticateAsFirstTeam({ store, concurrency }),
    checkRateLimit: createRateLimiter({ store, clock, ratePerMinute }),
    log,
    connections: createOpenConnections(limits.sockets, createKeyWatch({ store, log })),
    ...telemetry,
    activity: telemetry.watchdog,
    checkOrigin: http.auth ? () => {} : createOwnOriginCheck(publicUrl),
    allowsAllOrigins: http.auth,
    publicUrl,
  }
}

const sortByPath = (list: Endpoint[]) =>
  list.toSorted((left, right) => `${left.path} ${left.method}`.localeCompare(`${right.path} ${right.method}`))

export const endpoints = sortByPath(Object.values(endpointList))

/** Described separately, so that no endpoint is listed twice. */
export const v1Endpoints = sortByPath(v1List)
