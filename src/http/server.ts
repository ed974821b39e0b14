import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Authenticate } from '../accounts/authenticate.ts'
import type { Admit, Lane } from '../accounts/limits.ts'
import type { Team } from '../accounts/team.ts'
import type { App } from '../app.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/ids.ts'
import type { Log } from '../base/log.ts'
import type { Endpoint } from './endpoint.ts'
import type { Metrics } from './metrics.ts'
import { readJson } from './read-json.ts'
import { renderError, toRenderable } from './render-error.ts'
import { takeOutTolerated } from './tolerated.ts'
import { validate } from './validate.ts'

export interface ServerNeeds {
  app: App
  endpoints: Endpoint[]
  authenticate: Authenticate
  admit: Admit
  log: Log
  metrics: Metrics
  /** Decides whether a request may come in at all; throws otherwise. */
  checkOrigin: (headers: FastifyRequest['headers']) => void
  corsOpen: boolean
  publicUrl: () => string
  checkResponses: boolean
}

export interface Server {
  fastify: FastifyInstance
  listen(host: string, port: number): Promise<number>
  /** Takes no new calls, lets running ones finish within the time, then closes. */
  stop(withinMs: number): Promise<void>
}

declare module 'fastify' {
  interface FastifyRequest {
    team: Team | undefined
    errorCode: string | undefined
  }
}

/** Routes endpoints: authenticate → limit → validate → handle → render. */
export function createServer(needs: ServerNeeds): Server {
  const fastify = Fastify({
    bodyLimit: 10 * 1024 * 1024,
    genReqId: (request) => sentRequestId(request.headers['x-request-id']) ?? newId(),
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true },
    // A request that never finishes its headers or its body must not hold a socket for ever.
    requestTimeout: 300_000,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply),
  })
  let isStopping = false
  fastify.server.headersTimeout = 15_000
  fastify.decorateRequest('team', undefined)
  fastify.decorateRequest('errorCode', undefined)
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_, body, done) => {
    try {
      done(null, readJson(body))
    } catch (thrown) {
      done(toRenderable(thrown))
    }
  })
  fastify.setErrorHandler(sendError)
  fastify.setNotFoundHandler((request, reply) => {
    const message = `There is no route ${request.method} ${request.url.split('?')[0]}. The reference is at /docs.`
    return sendError(new AppError('ROUTE_NOT_FOUND', {}, { message }), request, reply)
  })
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (needs.corsOpen && request.url.startsWith('/v2/')) reply.header('access-control-allow-origin', '*')
    try {
      if (isStopping) throw new AppError('STOPPING')
      needs.checkOrigin(request.headers)
      done()
    } catch (thrown) {
      done(toRenderable(thrown))
    }
  })
  fastify.addHook('onResponse', (request, reply, done) => {
    observe(request, reply)
    done()
  })
  if (needs.corsOpen) fastify.options('*', (_, reply) => answerPreflight(reply))
  for (const endpoint of needs.endpoints) addRoute(endpoint)

  function addRoute(endpoint: Endpoint): void {
    const known = new Set(endpoint.body instanceof z.ZodObject ? Object.keys(endpoint.body.shape) : [])
    const lane = endpoint.lane ?? (endpoint.method === 'GET' ? 'read' : 'work')
    fastify.route({
      method: endpoint.method,
      url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      // Before the body is read: a stranger cannot make the service parse megabytes.
      onRequest: (request, _, done) => {
        letIn(request, lane, done)
      },
      handler: (request, reply) => {
        if (!request.team) throw new Error('A call without a team reached its handler.')
        const { body, ignored } = takeOutTolerated(request.body, known)
        const answer = endpoint.handle({
          app: needs.app,
          team: request.team,
          params: endpoint.params ? validate(endpoint.params, request.params, 'path') : undefined,
          query: endpoint.query ? validate(endpoint.query, request.query, 'query') : undefined,
          body: endpoint.body ? validate(endpoint.body, body, 'body') : undefined,
          idempotencyKey: headerText(request.headers['x-idempotency-key']),
          publicUrl: needs.publicUrl(),
          get signal() {
            return goneSignal(reply)
          },
        })
        const finish = (ready: unknown) => {
          const told = ignored.length > 0 ? tellIgnored(endpoint, ready, ignored) : ready
          return needs.checkResponses ? endpoint.response.parse(told) : told
        }
        return answer instanceof Promise ? answer.then(finish) : reply.send(finish(answer))
      },
    })
  }

  /** Answers at once where nothing has to be looked up: a promise more on every call would be felt. */
  function letIn(request: FastifyRequest, lane: Lane, done: (error?: Error) => void): void {
    const admit = (team: Team) => {
      request.team = team
      return needs.admit(team, lane)
    }
    try {
      const team = needs.authenticate(request.headers.authorization)
      const admitted = team instanceof Promise ? team.then(admit) : admit(team)
      if (admitted) admitted.then(() => done(), done)
      else done()
    } catch (thrown) {
      done(toRenderable(thrown))
    }
  }

  function sendError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const error = toRenderable(thrown)
    if (error.code === 'INTERNAL') {
      needs.log.error({ requestId: request.id, cause: error.cause ?? error }, 'a call failed')
    }
    // The rest of a body that is too large is read and thrown away: a connection that is cut while the caller still
    // writes would show it a broken pipe instead of this answer.
    if (error.code === 'REQUEST_TOO_LARGE') reply.removeHeader('connection')
    request.errorCode = error.code
    const { status, headers, body } = renderError(error, request.id)
    return reply
      .code(status)
      .headers({ 'x-request-id': request.id, ...headers })
      .send(body)
  }

  function observe(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url ?? 'unknown'
    const { statusCode: status, elapsedTime: ms } = reply
    needs.metrics.call({ method: request.method, route, status, ms })
    if (route.startsWith('/health') || route === '/metrics') return
    // Undefined fields are left out of the line; an object of one shape is the cheaper way to say so.
    const { id: requestId, method, team, errorCode: code } = request
    needs.log.info({ requestId, method, route, status, ms: Math.round(ms), team: team?.name, code }, 'call')
  }

  return {
    fastify,
    async listen(host, port) {
      await fastify.listen({ host, port })
      const address = fastify.server.address()
      return typeof address === 'object' && address ? address.port : port
    },
    async stop(withinMs) {
      isStopping = true
      // Keep-alive connections that fall idle during the close would hold it open for ever.
      const sweep = setInterval(() => fastify.server.closeIdleConnections(), 100)
      const force = setTimeout(() => fastify.server.closeAllConnections(), withinMs)
      await fastify.close()
      clearInterval(sweep)
      clearTimeout(force)
    },
  }
}

function answerPreflight(reply: FastifyReply): FastifyReply {
  return reply
    .headers({
      'access-control-allow-methods': 'GET, POST, DELETE',
      'access-control-allow-headers': 'authorization, content-type, x-idempotency-key, x-request-id',
      'access-control-max-age': '86400',
    })
    .code(204)
    .send()
}

/** Made only for handlers that ask for it: most answers are ready before anyone could leave. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  if (reply.raw.destroyed) controller.abort(new Error('The caller has gone.'))
  // A response closes once, whether it was sent or its connection was lost before.
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(new Error('The caller has gone.'))
  })
  return controller.signal
}

function tellIgnored(endpoint: Endpoint, answer: unknown, ignored: string[]): unknown {
  const text = `No effect here: ${ignored.join(', ')}.`
  const add = (holder: { warning?: string | undefined }) => ({
    ...holder,
    warning: holder.warning === undefined ? text : `${holder.warning} ${text}`,
  })
  // Every answer is an envelope, and an endpoint that says so has its document in `data`.
  const body = answer as { warning?: string; data?: { warning?: string } }
  return endpoint.warningIn === 'data' ? { ...body, data: add(body.data ?? {}) } : add(body)
}

function sentRequestId(header: string | string[] | undefined): string | undefined {
  const text = headerText(header)
  return text !== undefined && /^[\w.:-]{1,128}$/.test(text) ? text : undefined
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
