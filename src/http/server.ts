import Fastify, { type FastifyInstance } from 'fastify'
import type { Team } from '../accounts/team.ts'
import type { App } from '../app.ts'
import type { Activity } from '../base/activity.ts'
import type { AddressRule } from '../base/address-rule.ts'
import type { AppError, ErrorCode, ErrorDetail } from '../base/errors.ts'
import { listener } from '../base/listener.ts'
import type { Log } from '../base/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Tracing } from '../telemetry/tracing.ts'
import { type AbsentRoute, addAbsentRoute } from './absent-routes.ts'
import { answerPreflight } from './answer-preflight.ts'
import { createClientAddress } from './client-address.ts'
import { boundConnections, type Connections } from './connections.ts'
import type { Endpoint } from './endpoint.ts'
import { addEndpointRoute } from './endpoint-route.ts'
import { createEntrance, type EntranceNeeds } from './entrance.ts'
import { type InterruptibleCalls, interruptibleCalls } from './interruptible-calls.ts'
import { refuseMalformed } from './malformed.ts'
import { knownMethods, type Methods } from './methods.ts'
import { callObserver } from './observe-call.ts'
import type { OpenConnections } from './open-connections.ts'
import { openToPages } from './open-to-pages.ts'
import { takeJson } from './read-bodies.ts'
import { registerCalls } from './register-calls.ts'
import type { UnfinishedLimits } from './request-budget.ts'
import { requestIdOf } from './request-id.ts'
import { errorSender, type SendError } from './send-error.ts'
import { traceCalls } from './trace-calls.ts'
import { type Unfinished, watchUnfinished } from './unfinished.ts'
import { type Unread, type UnreadLimits, watchUnread } from './unread.ts'
import type { Upgrades } from './upgrades.ts'

export interface ServerNeeds extends EntranceNeeds {
  app: App
  endpoints: Endpoint[]
  absent: AbsentRoute[]
  log: Log
  metrics: Metrics
  /** Undefined: no traces. */
  tracing?: Pick<Tracing, 'beginCall'> | undefined
  /** Undefined: the main thread is not watched. */
  activity?: Activity | undefined
  corsOpen: boolean
  publicUrl: () => string
  checkResponses: boolean
  /** Of a JSON body. */
  mostMegabytes: number
  mostConnections: number
  trustedProxies: readonly AddressRule[]
  answers: UnreadLimits
  /** Of streams. */
  connections: OpenConnections
  requests: UnfinishedLimits
}

export interface Server {
  /** Routes that need no key and count against no budget. */
  addPlainRoutes(
    add: (
      fastify: FastifyInstance,
      held: { unread: Unread; unfinished: Unfinished; calls: Pick<Connections, 'admit'> },
    ) => void,
  ): void
  /** Request bodies that have not arrived, and uploads that are not answered: how many, and how many bytes they hold. */
  unfinished(): { bytes: number; bodies: number }
  /** Calls whose response has not begun. */
  unanswered(): number
  /** Who takes connections that are to become something else than HTTP. */
  addUpgrades(upgrades: Upgrades): void
  listen(host: string, port: number): Promise<number>
  /** Takes no new calls, lets running ones finish within the time, answers the others with CALL_INTERRUPTED, then closes. */
  stop(withinMs: number): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    team: Team | undefined
    began: number
  }
  interface FastifyContextConfig {
    codes?: ReadonlySet<ErrorCode>
    errorFields?: (error: AppError) => ErrorDetail
  }
}

/** Routes endpoints: authenticate → limit → validate → handle → render. */
export function createServer(needs: ServerNeeds): Server {
  const observe = callObserver(needs)
  const sendError = errorSender({ ...needs, observe })
  const fastify = openFastify(needs, sendError)
  if (needs.tracing) traceCalls(fastify, needs.tracing)
  if (needs.activity) registerCalls(fastify, needs.activity)
  const calls = interruptibleCalls(fastify, sendError)
  const unread = watchUnread(fastify.server, needs.answers)
  let upgrades: Upgrades | undefined
  fastify.server.headersTimeout = 15_000
  const clientAddress = createClientAddress(needs.trustedProxies)
  const connections = boundConnections(fastify.server, {
    ...{ maxConnections: needs.mostConnections, clientAddress, log: needs.log },
  })
  const entrance = createEntrance(needs, connections)
  const unfinished = watchUnfinished(fastify.server, { limits: needs.requests, connections, clientAddress })
  fastify.decorateRequest('team', undefined)
  fastify.decorateRequest('began', 0)
  takeJson(fastify, { ...needs, unfinished })
  const methods = knownMethods(fastify)
  fastify.setErrorHandler(sendError)
  refuseUnknownRoutes(fastify, methods, { sendError, corsOpen: needs.corsOpen })
  if (needs.corsOpen) addPreflight(fastify)
  const stopping = new AbortController()
  const routing = { ...needs, entrance, observe, unread, unfinished, stopping: stopping.signal }
  for (const endpoint of needs.endpoints) addEndpointRoute(fastify, endpoint, routing)
  for (const absent of needs.absent) addAbsentRoute(fastify, absent, routing)

  return {
    addPlainRoutes(add) {
      fastify.register(async (scope) => {
        scope.addHook('onRequest', (request, reply, done) => entrance.letIn(request, reply, done))
        add(scope, { unread, unfinished, calls: connections })
      })
    },
    unfinished: unfinished.counts,
    unanswered: calls.unanswered,
    addUpgrades(added) {
      upgrades = added
      fastify.server.on(
        'upgrade',
        listener(added.upgrade, (_, __, socket) => socket.destroy()),
      )
    },
    async listen(host, port) {
      await fastify.listen({ host, port })
      const address = fastify.server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    async stop(withinMs) {
      entrance.close()
      stopping.abort()
      unread.stop()
      unfinished.stop()
      upgrades?.stop()
      await closeWithin(fastify, { connections, calls }, withinMs)
    },
  }
}

/** Called for a route that has a schema of Fastify's, and none has. */
function noSchemas(): never {
  throw new Error('Routes have no schemas of Fastify: endpoints validate by their own.')
}

function openFastify({ mostMegabytes }: Pick<ServerNeeds, 'mostMegabytes'>, sendError: SendError) {
  return Fastify({
    bodyLimit: mostMegabytes * 1024 * 1024,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    // Bodies have a bound of their own (REQUEST_STALL_SECONDS), which does not cut an upload on a slow line.
    requestTimeout: 4 * 3600_000,
    return503OnClosing: false,
    // Endpoints validate by their own schemas. Fastify would load a validator and a serialiser at every start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    // Comes before every hook, so nothing has been noted of the request yet.
    frameworkErrors(error, request, reply) {
      request.began = performance.now()
      sendError(error, request, reply)
    },
    clientErrorHandler: refuseMalformed,
  })
}

/** Not as a handler: that one would be called when the body has been read. */
function addPreflight(fastify: FastifyInstance): void {
  fastify.options('*', {
    onRequest: (_, reply) => void answerPreflight(reply),
    handler: () => undefined,
  })
}

function refuseUnknownRoutes(
  fastify: FastifyInstance,
  methods: Methods,
  { sendError, corsOpen }: { sendError: SendError; corsOpen: boolean },
): void {
  // Not as the handler of what is not found: that one is reached when the body has been read.
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    request.began = performance.now()
    if (corsOpen) reply.headers(openToPages)
    sendError(methods.refusalOf(request.method, request.url), request, reply)
  })
}

async function closeWithin(
  fastify: FastifyInstance,
  { connections, calls }: { connections: Connections; calls: InterruptibleCalls },
  withinMs: number,
): Promise<void> {
  // Connections without a call, also those that fall idle during the close, would hold it open for ever.
  const sweep = setInterval(() => {
    fastify.server.closeIdleConnections()
    connections.closeUnused()
  }, 100)
  const closeAll = () => fastify.server.closeAllConnections()
  const force = setTimeout(() => calls.interrupt().then(closeAll, closeAll), withinMs)
  await fastify.close()
  clearInterval(sweep)
  clearTimeout(force)
}
