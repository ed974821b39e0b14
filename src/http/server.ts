import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Authenticate } from '../accounts/authenticate.ts'
import type { Admit, Lane } from '../accounts/limits.ts'
import type { Team } from '../accounts/team.ts'
import type { App } from '../app.ts'
import { AppError, type ErrorCode } from '../base/errors.ts'
import { listener } from '../base/listener.ts'
import type { Log } from '../base/log.ts'
import type { AbsentRoute } from './absent-routes.ts'
import { answerPreflight } from './answer-preflight.ts'
import { boundConnections } from './connections.ts'
import { type Endpoint, listedCodes, mayOmitBody } from './endpoint.ts'
import { goneSignal } from './gone-signal.ts'
import { refuseMalformed } from './malformed.ts'
import { knownMethods } from './methods.ts'
import type { Metrics } from './metrics.ts'
import { type Form, readForm, type Upload } from './multipart.ts'
import { takeForm, takeJson, takeNothing, withoutBody } from './read-bodies.ts'
import { renderError, toRenderable } from './render-error.ts'
import { readIdempotencyKey, withBound } from './request-bounds.ts'
import { requestIdOf } from './request-id.ts'
import { asValues, sendable } from './send-json.ts'
import { tellIgnored } from './tell-ignored.ts'
import { takeOutTolerated } from './tolerated.ts'
import { type UnreadLimits, watchUnread } from './unread.ts'
import type { Upgrades } from './upgrades.ts'
import { validate } from './validate.ts'

export interface ServerNeeds {
  app: App
  endpoints: Endpoint[]
  absent: AbsentRoute[]
  authenticate: Authenticate
  admit: Admit
  log: Log
  metrics: Metrics
  /** Decides whether a request may come in at all; throws otherwise. */
  checkOrigin: (headers: FastifyRequest['headers']) => void
  corsOpen: boolean
  publicUrl: () => string
  checkResponses: boolean
  /** Of a JSON body. */
  mostMegabytes: number
  mostConnections: number
  answers: UnreadLimits
}

export interface Server {
  /** Routes that need no key and count against no budget. */
  addPlainRoutes(add: (fastify: FastifyInstance) => void): void
  /** Who takes connections that are to become something else than HTTP. */
  addUpgrades(upgrades: Upgrades): void
  listen(host: string, port: number): Promise<number>
  /** Takes no new calls, lets running ones finish within the time, then closes. */
  stop(withinMs: number): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    team: Team | undefined
    began: number
  }
  interface FastifyContextConfig {
    codes?: ReadonlySet<ErrorCode>
  }
}

/** Routes endpoints: authenticate → limit → validate → handle → render. */
export function createServer(needs: ServerNeeds): Server {
  const fastify = Fastify({
    bodyLimit: needs.mostMegabytes * 1024 * 1024,
    genReqId: (request) => requestIdOf(request.headers['x-request-id']),
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    // A request that never finishes its headers or its body must not hold a socket for ever.
    requestTimeout: 300_000,
    return503OnClosing: false,
    // Comes before every hook, so nothing has been noted of the request yet.
    frameworkErrors(error, request, reply) {
      request.began = performance.now()
      sendError(error, request, reply)
    },
    clientErrorHandler: refuseMalformed,
  })
  const unread = watchUnread(fastify.server, needs.answers)
  let isStopping = false
  let upgrades: Upgrades | undefined
  fastify.server.headersTimeout = 15_000
  boundConnections(fastify.server, needs.mostConnections, needs.log)
  fastify.decorateRequest('team', undefined)
  fastify.decorateRequest('began', 0)
  takeJson(fastify)
  const methods = knownMethods(fastify)
  fastify.setErrorHandler(sendError)
  // Not as the handler of what is not found: that one is reached when the body has been read.
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    request.began = performance.now()
    sendError(methods.refusalOf(request.method, request.url), request, reply)
  })
  if (needs.corsOpen) fastify.options('*', (_, reply) => answerPreflight(reply))
  for (const endpoint of needs.endpoints) {
    // In scopes of their own: everywhere else, these are the wrong kinds of body.
    const take = endpoint.takesFile ? takeForm : endpoint.body ? takeJson : takeNothing
    fastify.register(async (scope) => {
      take(scope)
      addRoute(endpoint, scope)
    })
  }
  for (const absent of needs.absent) addAbsent(absent)

  function addRoute(endpoint: Endpoint, scope: FastifyInstance): void {
    const known = new Set(endpoint.body instanceof z.ZodObject ? Object.keys(endpoint.body.shape) : [])
    const lane = endpoint.lane ?? (endpoint.method === 'GET' ? 'read' : 'work')
    const isOptional = mayOmitBody(endpoint)
    scope.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      config: { codes: listedCodes(endpoint) },
      // Before the body is read: a stranger cannot make the service parse megabytes.
      onRequest: (request, reply, done) => {
        if (needs.corsOpen) reply.header('access-control-allow-origin', '*')
        letIn(request, reply, done, lane)
      },
      handler: (request, reply) => {
        if (endpoint.takesFile)
          return withForm(request, (form) => answer(request, reply, form.options, form.upload))
        const isMissing = endpoint.body !== undefined && request.body === undefined
        const ready = answer(request, reply, isMissing ? withoutBody(isOptional) : request.body)
        if (ready instanceof Promise) return ready
        // Not returned: a reply that is returned is waited for until it is on the wire.
        reply.send(ready)
      },
    })

    function answer(request: FastifyRequest, reply: FastifyReply, given: unknown, upload?: Upload) {
      if (!request.team) throw new Error('A call without a team reached its handler.')
      const { body, ignored } = takeOutTolerated(given, known)
      const answered = endpoint.handle({
        app: needs.app,
        team: request.team,
        params: endpoint.params ? validate(endpoint.params, request.params, 'path') : undefined,
        query: endpoint.query ? validate(endpoint.query, request.query, 'query') : undefined,
        body: endpoint.body ? validate(endpoint.body, body, 'body') : undefined,
        // Only endpoints that take a file look at it, and those are never called without one.
        upload: upload as Upload,
        idempotencyKey: readIdempotencyKey(request.headers),
        publicUrl: needs.publicUrl(),
        // A method and not a getter: an object with a getter of its own costs more than the rest of this call.
        signal: () => goneSignal(reply),
      })
      const finish = (ready: unknown) => {
        const told = ignored.length > 0 ? tellIgnored(endpoint, ready, ignored) : ready
        if (needs.checkResponses) return checked(told)
        observe(request, 200)
        return sendable(reply, told, unread)
      }
      const checked = async (told: unknown) => {
        endpoint.response.parse(await asValues(told))
        observe(request, 200)
        return sendable(reply, told, unread)
      }
      return answered instanceof Promise ? answered.then(finish) : finish(answered)
    }
  }

  /** A route that clients know and this service lacks: whoever may call is told what is missing, before any body is read. */
  function addAbsent({ methods, path, refusal }: AbsentRoute): void {
    fastify.route({
      method: methods,
      url: path,
      onRequest: (request, reply, done) => {
        if (needs.corsOpen) reply.header('access-control-allow-origin', '*')
        letIn(request, reply, (refused) => done(refused ?? refusal()), 'read')
      },
      handler: () => undefined,
    })
  }

  /** Answers at once where nothing has to be looked up: a promise more on every call would be felt. */
  function letIn(
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
    lane?: Lane,
  ): void {
    request.began = performance.now()
    reply.header('x-request-id', request.id)
    try {
      if (isStopping) throw new AppError('STOPPING')
      needs.checkOrigin(request.headers)
      const admitted = lane === undefined ? undefined : admit(request, lane)
      if (admitted) admitted.then(() => done(), done)
      else done()
    } catch (thrown) {
      done(toRenderable(thrown))
    }
  }

  function admit(request: FastifyRequest, lane: Lane): Promise<void> | void {
    const proceed = (team: Team) => {
      request.team = team
      return needs.admit(team, lane)
    }
    const team = needs.authenticate(request.headers.authorization)
    return team instanceof Promise ? team.then(proceed) : proceed(team)
  }

  function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const error = isCutOff(request)
      ? new AppError('MALFORMED_REQUEST')
      : listed(withBound(toRenderable(thrown), needs.mostMegabytes), request)
    if (error.code === 'INTERNAL') {
      needs.log.error({ requestId: request.id, cause: error.cause ?? error }, 'a call failed')
    }
    if (error.code === 'STORE_UNAVAILABLE') {
      needs.log.warn(
        { requestId: request.id, part: error.detail.part, cause: error.cause },
        'a part is not there',
      )
    }
    // The rest of a body that is too large is read and thrown away: a connection that is cut while the caller still
    // writes would show it a broken pipe instead of this answer.
    if (error.code === 'REQUEST_TOO_LARGE' || error.code === 'UPLOAD_TOO_LARGE')
      reply.removeHeader('connection')
    const { status, headers, body } = renderError(error, request.id)
    observe(request, status, error.code)
    return reply
      .code(status)
      .headers({ 'x-request-id': request.id, ...headers })
      .send(body)
  }

  /** In tests, a code that the endpoint does not promise is as wrong as an answer that does not fit its schema. */
  function listed(error: AppError, request: FastifyRequest): AppError {
    const { codes } = request.routeOptions.config
    if (!needs.checkResponses || !codes || codes.has(error.code)) return error
    return new AppError('INTERNAL', {}, { cause: new Error(`${error.code} is not listed`, { cause: error }) })
  }

  /** Counted and logged when the answer is ready. Waiting for it to be on the wire would cost as much again. */
  function observe(request: FastifyRequest, status: number, code?: string): void {
    const route = request.routeOptions.url ?? 'unknown'
    const { id: requestId, method, team } = request
    const ms = performance.now() - request.began
    needs.metrics.call({ method, route, status, ms })
    needs.log.info({ requestId, method, route, status, ms: Math.round(ms), team: team?.name, code }, 'call')
  }

  return {
    addPlainRoutes(add) {
      fastify.register(async (scope) => {
        scope.addHook('onRequest', (request, reply, done) => letIn(request, reply, done))
        add(scope)
      })
    },
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
      isStopping = true
      unread.stop()
      upgrades?.stop()
      // Keep-alive connections that fall idle during the close would hold it open for ever.
      const sweep = setInterval(() => fastify.server.closeIdleConnections(), 100)
      const force = setTimeout(() => fastify.server.closeAllConnections(), withinMs)
      await fastify.close()
      clearInterval(sweep)
      clearTimeout(force)
    },
  }
}

/** The file lives as long as the call. */
async function withForm(request: FastifyRequest, work: (form: Form) => unknown): Promise<unknown> {
  // What the parser of forms handed on is the body itself, unread.
  const form = await readForm(request.body as IncomingMessage, request.headers)
  try {
    return await work(form)
  } finally {
    await form.remove()
  }
}

/** Whether the caller has gone in the middle of its request: whatever that made us throw is no fault of ours. */
function isCutOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}
