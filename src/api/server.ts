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
import { addJsonParser } from './body/body-parsers.ts'
import { requestIdOf } from './body/request-bounds.ts'
import type { RunDeps } from './call-endpoint.ts'
import { createRequestAuthorizer, type RequestAuthorizerDeps } from './connections/authorize-request.ts'
import { corsHeaders, createClientAddress } from './connections/client-address.ts'
import { type Connections, limitConnections } from './connections/connections.ts'
import type { OpenConnections } from './connections/open-connections.ts'
import type { UnfinishedLimits } from './connections/request-budget.ts'
import { limitUnfinishedRequests } from './connections/unfinished.ts'
import { limitUnsentBytes, type UnsentBytesLimits } from './connections/unsent-bytes.ts'
import type { UpgradeRouter } from './connections/upgrades.ts'
import type { Endpoint } from './endpoint.ts'
import { addEndpointRoute } from './endpoint-route.ts'
import { createErrorSender, rejectSocket, type SendError } from './render-error.ts'
import { createRequestObserver } from './send-response.ts'
import {
  addUnsupportedRoute,
  createMethodIndex,
  type MethodIndex,
  type UnsupportedRoute,
} from './unsupported-routes.ts'

export interface ServerDeps extends RequestAuthorizerDeps, RunDeps {
  endpoints: Endpoint[]
  unsupportedRoutes: UnsupportedRoute[]
  log: Log
  metrics: Metrics
  tracing?: Pick<Tracing, 'beginCall'> | undefined
  activity?: Activity | undefined
  allowsAllOrigins: boolean
  maxMegabytes: number
  maxConnections: number
  trustedProxies: readonly AddressRule[]
  responses: UnsentBytesLimits
  connections: OpenConnections
  requests: UnfinishedLimits
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Aborts when the time for running requests after a stop is over. */
    interrupted: AbortSignal
  }
  interface FastifyRequest {
    team: Team | undefined
    startedAt: number
  }
  interface FastifyContextConfig {
    codes?: ReadonlySet<ErrorCode>
    errorFields?: (error: AppError) => ErrorDetail
  }
}

export type Server = ReturnType<typeof createServer>

export function createServer(deps: ServerDeps) {
  const observe = createRequestObserver(deps)
  const sendError = createErrorSender({ ...deps, observe })
  const fastify = createFastify(sendError)
  if (deps.tracing) traceCalls(fastify, deps.tracing)
  if (deps.activity) registerCalls(fastify, deps.activity)
  const calls = trackInterruptibleCalls(fastify, sendError)
  const unread = limitUnsentBytes(fastify.server, deps.responses)
  let upgrades: UpgradeRouter | undefined
  fastify.server.headersTimeout = 15_000
  const clientAddress = createClientAddress(deps.trustedProxies)
  const connections = limitConnections(fastify.server, { ...deps, clientAddress })
  const authorizer = createRequestAuthorizer(deps, connections)
  const requestDeps = { limits: deps.requests, connections, clientAddress }
  const unfinished = limitUnfinishedRequests(fastify.server, requestDeps)
  fastify.decorateRequest('team', undefined)
  fastify.decorateRequest('startedAt', 0)
  addJsonParser(fastify, { ...deps, unfinished })
  const methods = createMethodIndex(fastify)
  fastify.setErrorHandler(sendError)
  rejectUnknownRoutes(fastify, methods, { sendError, allowsAllOrigins: deps.allowsAllOrigins })
  if (deps.allowsAllOrigins) addPreflight(fastify)
  const stopping = new AbortController()
  const shared = { unread, unfinished, calls: connections }
  const routing = { ...deps, ...shared, authorizer, observe, stopping: stopping.signal }
  for (const endpoint of deps.endpoints) addEndpointRoute(fastify, endpoint, routing)
  for (const absent of deps.unsupportedRoutes) addUnsupportedRoute(fastify, absent, routing)

  return {
    addPlainRoutes(add: (fastify: FastifyInstance, parts: typeof shared) => void): void {
      fastify.register(async (scope) => {
        scope.addHook('onRequest', (request, reply, done) => authorizer.authorize(request, reply, done))
        add(scope, shared)
      })
    },
    unfinished: unfinished.counts,
    unanswered: () => calls.unanswered().length,
    addUpgrades(router: UpgradeRouter): void {
      upgrades = router
      fastify.server.on(
        'upgrade',
        listener(router.upgrade, (_, __, socket) => socket.destroy()),
      )
    },
    async listen(host: string, port: number): Promise<number> {
      await fastify.listen({ host, port })
      const address = fastify.server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    async stop(withinMs: number): Promise<void> {
      authorizer.close()
      stopping.abort()
      unread.stop()
      unfinished.stop()
      upgrades?.stop()
      await closeServer(fastify, { connections, calls }, withinMs)
    },
  }
}

function throwOnSchema(): never {
  throw new Error('Routes have no schemas of Fastify: endpoints validate by their own.')
}

function createFastify(sendError: SendError) {
  return Fastify({
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    // Slow bodies are limited by REQUEST_STALL_SECONDS, which does not cut an upload on a slow connection.
    requestTimeout: 4 * 3600_000,
    return503OnClosing: false,
    // Fastify would otherwise load a validator and a serialiser on every startup.
    schemaController: { compilersFactory: { buildValidator: throwOnSchema, buildSerializer: throwOnSchema } },
    // Runs before all hooks, so `startedAt` is not set yet.
    frameworkErrors(error, request, reply) {
      request.startedAt = performance.now()
      sendError(error, request, reply)
    },
    clientErrorHandler: handleClientError,
  })
}

/** Responds in `onRequest`, because a handler would run only after the body is read. */
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

function rejectUnknownRoutes(
  fastify: FastifyInstance,
  methods: MethodIndex,
  { sendError, allowsAllOrigins }: { sendError: SendError; allowsAllOrigins: boolean },
): void {
  // A hook instead of the not-found handler, which would run only after the body is read.
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    request.startedAt = performance.now()
    if (allowsAllOrigins) reply.headers(corsHeaders)
    sendError(methods.createError(request.method, request.url), request, reply)
  })
}

async function closeServer(
  fastify: FastifyInstance,
  { connections, calls }: { connections: Connections; calls: ReturnType<typeof trackInterruptibleCalls> },
  withinMs: number,
): Promise<void> {
  // Connections without a request would keep `close` waiting forever, including those that become idle during it.
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

function registerCalls(fastify: FastifyInstance, activity: Activity): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'unknown'
    reply.raw.once('close', activity.begin(`${request.id} ${request.method} ${route}`))
    done()
  })
}

function traceCalls(fastify: FastifyInstance, tracing: Pick<Tracing, 'beginCall'>): void {
  const spans = new WeakMap<FastifyRequest, CallSpan>()
  fastify.addHook('onRequest', (request, _, done) => {
    spans.set(request, tracing.beginCall(request))
    done()
  })
  // Not earlier: while the body is read, code runs in the async context of the socket.
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

const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** Handles bytes that are not an HTTP request. There is no request to respond to, only a socket. */
export function handleClientError(cause: Error & { code?: string }, socket: Socket): void {
  // The peer has disconnected, or a response has already begun and cannot be changed.
  if (cause.code === 'ECONNRESET' || socket.bytesWritten > 0) return void socket.destroy()
  if (cause.code !== 'ERR_HTTP_REQUEST_TIMEOUT' || socket.bytesRead > 0)
    return void rejectSocket(socket, new AppError(codes[cause.code ?? ''] ?? 'MALFORMED_REQUEST'))
  // The first request may have arrived just as the timeout expired, so pending data is read first.
  setImmediate(() => {
    if (socket.bytesRead === 0) socket.destroy()
  })
}

/** Time for interrupted requests to finish by themselves: a charge that is being recorded keeps its response. */
const settleMs = 1000
const flushMs = 1000

/** A stop can then send responses to running requests instead of closing their connections. */
function trackInterruptibleCalls(fastify: FastifyInstance, sendError: SendError) {
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
    unanswered,
    async interrupt(): Promise<void> {
      interrupted.abort(new AppError('CALL_INTERRUPTED', { retryAfter: 2 }))
      await waitUntil(() => unanswered().length === 0, settleMs)
      for (const [reply, request] of unanswered()) sendError(interrupted.signal.reason, request, reply)
      await waitUntil(isFlushed, flushMs)
    },
  }
}

async function waitUntil(isDone: () => boolean, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!isDone() && performance.now() < deadline) await sleep(20)
}
