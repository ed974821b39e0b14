import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Team } from '../accounts/team.ts'
import type { Metrics } from '../jobs/telemetry/metrics.ts'
import type { CallSpan, Tracing } from '../jobs/telemetry/tracing.ts'
import type { Activity } from '../platform/activity.ts'
import type { AddressRule } from '../platform/address-rule.ts'
import { AppError, type ErrorCode, type ErrorDetail } from '../platform/errors.ts'
import { listener } from '../platform/functions.ts'
import type { Log } from '../platform/log.ts'
import type { App } from './app.ts'
import { addJsonParser } from './body/body-parsers.ts'
import { requestIdOf } from './body/request-bounds.ts'
import { createRequestAuthorizer, type RequestAuthorizerDeps } from './connections/authorize-request.ts'
import { corsHeaders, createClientAddress } from './connections/client-address.ts'
import { boundConnections, type Connections } from './connections/connections.ts'
import type { OpenConnections } from './connections/open-connections.ts'
import type { UnfinishedLimits } from './connections/request-budget.ts'
import { limitUnfinishedRequests, type Unfinished } from './connections/unfinished.ts'
import {
  limitUnsentBytes,
  type UnsentBytesLimiter,
  type UnsentBytesLimits,
} from './connections/unsent-bytes.ts'
import type { UpgradeRouter } from './connections/upgrades.ts'
import type { Endpoint } from './endpoint.ts'
import { addEndpointRoute } from './endpoint-route.ts'
import { rejectSocket } from './render-error.ts'
import { createErrorSender, type SendError } from './send-error.ts'
import { createRequestObserver } from './send-response.ts'
import {
  addUnsupportedRoute,
  createMethodIndex,
  type Methods,
  type UnsupportedRoute,
} from './unsupported-routes.ts'

export interface ServerDeps extends RequestAuthorizerDeps {
  app: App
  endpoints: Endpoint[]
  absent: UnsupportedRoute[]
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
  maxMegabytes: number
  mostConnections: number
  trustedProxies: readonly AddressRule[]
  answers: UnsentBytesLimits
  /** Of streams. */
  connections: OpenConnections
  requests: UnfinishedLimits
}

export interface Server {
  /** Routes that need no key and count against no budget. */
  addPlainRoutes(
    add: (
      fastify: FastifyInstance,
      held: { unread: UnsentBytesLimiter; unfinished: Unfinished; calls: Pick<Connections, 'admit'> },
    ) => void,
  ): void
  /** Request bodies that have not arrived, and uploads that are not answered: how many, and how many bytes they hold. */
  unfinished(): { bytes: number; bodies: number }
  /** Calls whose response has not begun. */
  unanswered(): number
  /** Who takes connections that are to become something else than HTTP. */
  addUpgrades(upgrades: UpgradeRouter): void
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
export function createServer(deps: ServerDeps): Server {
  const observe = createRequestObserver(deps)
  const sendError = createErrorSender({ ...deps, observe })
  const fastify = openFastify(deps, sendError)
  if (deps.tracing) traceCalls(fastify, deps.tracing)
  if (deps.activity) registerCalls(fastify, deps.activity)
  const calls = interruptibleCalls(fastify, sendError)
  const unread = limitUnsentBytes(fastify.server, deps.answers)
  let upgrades: UpgradeRouter | undefined
  fastify.server.headersTimeout = 15_000
  const clientAddress = createClientAddress(deps.trustedProxies)
  const connections = boundConnections(fastify.server, {
    ...{ maxConnections: deps.mostConnections, clientAddress, log: deps.log },
  })
  const entrance = createRequestAuthorizer(deps, connections)
  const unfinished = limitUnfinishedRequests(fastify.server, {
    limits: deps.requests,
    connections,
    clientAddress,
  })
  fastify.decorateRequest('team', undefined)
  fastify.decorateRequest('began', 0)
  addJsonParser(fastify, { ...deps, unfinished })
  const methods = createMethodIndex(fastify)
  fastify.setErrorHandler(sendError)
  refuseUnknownRoutes(fastify, methods, { sendError, corsOpen: deps.corsOpen })
  if (deps.corsOpen) addPreflight(fastify)
  const stopping = new AbortController()
  const routing = { ...deps, entrance, observe, unread, unfinished, stopping: stopping.signal }
  for (const endpoint of deps.endpoints) addEndpointRoute(fastify, endpoint, routing)
  for (const absent of deps.absent) addUnsupportedRoute(fastify, absent, routing)

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

function openFastify({ maxMegabytes }: Pick<ServerDeps, 'maxMegabytes'>, sendError: SendError) {
  return Fastify({
    bodyLimit: maxMegabytes * 1024 * 1024,
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
    clientErrorHandler: handleClientError,
  })
}

/** What browsers ask before they call from a page of another site. Not as a handler: that one is called when the body has been read. */
function addPreflight(fastify: FastifyInstance): void {
  const headers = {
    ...corsHeaders,
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers':
      'authorization, content-type, x-idempotency-key, x-request-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name',
    'access-control-max-age': '86400',
  }
  fastify.options('*', {
    onRequest: (_, reply) => void reply.headers(headers).code(204).send(),
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
    if (corsOpen) reply.headers(corsHeaders)
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

/** Registers every call until its connection or its response ends. */
function registerCalls(fastify: FastifyInstance, activity: Activity): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    reply.raw.once('close', activity.begin(`${request.id} ${request.method} ${route}`))
    done()
  })
}

/** Every call becomes a span, and what its handler does stands under it. */
function traceCalls(fastify: FastifyInstance, tracing: Pick<Tracing, 'beginCall'>): void {
  const spans = new WeakMap<FastifyRequest, CallSpan>()
  fastify.addHook('onRequest', (request, _, done) => {
    spans.set(request, tracing.beginCall(request))
    done()
  })
  // Not sooner: while a body is read, everything runs on behalf of the socket.
  fastify.addHook('preHandler', (request, _, done) => {
    const span = spans.get(request)
    if (span) span.run(done)
    else done()
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    spans.get(request)?.end({ route, status: reply.statusCode, requestId: request.id })
    done()
  })
}

/** What Node's parser met → a code of the table. */
const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** Bytes that are no HTTP request: there is no request to answer, only a connection. */
export function handleClientError(cause: Error & { code?: string }, socket: Socket): void {
  // The other side has gone, or an answer is under way already and cannot be taken back.
  if (cause.code === 'ECONNRESET' || socket.bytesWritten > 0) return void socket.destroy()
  if (cause.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return void closeUnused(socket)
  rejectSocket(socket, new AppError(codes[cause.code ?? ''] ?? 'MALFORMED_REQUEST'))
}

/**
 * Nothing was asked, so nothing is answered. Clients open connections ahead of their calls, and the first of these may have come
 * while the process was busy, just as the time was over: what is there is read before the connection is closed.
 */
function closeUnused(socket: Socket): void {
  setImmediate(() => {
    if (socket.bytesRead === 0) socket.destroy()
  })
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when the time that running calls have after a request to stop is over. */
    interrupted: AbortSignal
  }
}

interface InterruptibleCalls {
  /** Calls whose response has not begun. */
  unanswered(): number
  /** Aborts all running calls and resolves when each has been answered, at the latest after two seconds. */
  interrupt(): Promise<void>
}

/** Time in which interrupted calls can end by themselves: a charge that is being recorded keeps its response. */
const settleMs = 1000
/** Time in which the last responses are sent. */
const flushMs = 1000
const pollMs = 20

/** Answers calls that a stop of the service interrupts, instead of cutting their connections. */
function interruptibleCalls(fastify: FastifyInstance, sendError: SendError): InterruptibleCalls {
  const calls = new Map<FastifyReply, FastifyRequest>()
  const interrupted = new AbortController()
  fastify.decorate('interrupted', interrupted.signal)
  fastify.addHook('onRequest', (request, reply, done) => {
    calls.set(reply, request)
    reply.raw.once('close', () => calls.delete(reply))
    done()
  })
  const unanswered = () => [...calls].filter(([{ raw }]) => !raw.headersSent)
  const isFlushed = () => [...calls.keys()].every(({ raw }) => raw.writableFinished)
  return {
    unanswered: () => unanswered().length,
    async interrupt() {
      interrupted.abort(new AppError('CALL_INTERRUPTED', { retryAfter: 2 }))
      await waitUntil(() => unanswered().length === 0, settleMs)
      for (const [reply, request] of unanswered()) sendError(interrupted.signal.reason, request, reply)
      await waitUntil(isFlushed, flushMs)
    },
  }
}

async function waitUntil(isDone: () => boolean, withinMs: number): Promise<void> {
  const ends = performance.now() + withinMs
  while (!isDone() && performance.now() < ends) await sleep(pollMs)
}
