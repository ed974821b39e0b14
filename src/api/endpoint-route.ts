import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import { proceed } from '../platform/functions.ts'
import type { App } from './app.ts'
import { addFormParser, addJsonParser, type BodyDeps, ignoreBody, withoutBody } from './body/body-parsers.ts'
import { type Form, readForm, type Upload } from './body/multipart.ts'
import { readIdempotencyKey } from './body/request-bounds.ts'
import { createEndpointRunner } from './call-endpoint.ts'
import type { RequestAuthorizer } from './connections/authorize-request.ts'
import { corsHeaders } from './connections/client-address.ts'
import type { OpenConnections } from './connections/open-connections.ts'
import { createDisconnectSignal } from './connections/open-connections.ts'
import type { Unfinished } from './connections/unfinished.ts'
import type { UnsentBytesLimiter } from './connections/unsent-bytes.ts'
import { type Endpoint, listedCodes, mayOmitBody, rateLimitOf } from './endpoint.ts'
import type { ObserveCall } from './send-response.ts'
import { Streamed, sendable } from './send-response.ts'

export interface EndpointRouteDeps extends BodyDeps {
  app: App
  entrance: RequestAuthorizer
  observe: ObserveCall
  unread: UnsentBytesLimiter
  connections: OpenConnections
  corsOpen: boolean
  publicUrl: () => string
  checkResponses: boolean
  /** Aborts when the service stops. */
  stopping: AbortSignal
}

/** Serves an endpoint: validates what was sent, hands it to the endpoint, and sends what comes back. */
export function addEndpointRoute(
  fastify: FastifyInstance,
  endpoint: Endpoint,
  deps: EndpointRouteDeps,
): void {
  // In scopes of their own: everywhere else, these are the wrong kinds of body.
  const take = endpoint.takesFile ? addFormParser : endpoint.body ? addJsonParser : ignoreBody
  fastify.register(async (scope) => {
    take(scope, deps)
    addRoute(scope, endpoint, deps)
  })
}

function addRoute(scope: FastifyInstance, endpoint: Endpoint, deps: EndpointRouteDeps): void {
  const access = endpoint.access ?? 'team'
  const terms = { lane: rateLimitOf(endpoint), access }
  const answer = answerer(endpoint, deps)
  scope.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // Fastify would read a stream to its end to answer HEAD without a body, and some streams have no end.
    exposeHeadRoute: endpoint.streams === undefined,
    config: {
      codes: listedCodes(endpoint),
      ...(endpoint.errorFields ? { errorFields: endpoint.errorFields } : {}),
    },
    // Before the body is read: a stranger cannot make the service parse megabytes.
    onRequest: (request, reply, done) => {
      if (deps.corsOpen && access !== 'machine') reply.headers(corsHeaders)
      deps.entrance.letIn(request, reply, done, terms)
    },
    handler: (request, reply) => {
      if (endpoint.takesFile)
        return withForm(request, deps.unfinished, (form) => answer(request, reply, form.options, form.upload))
      const isMissing = endpoint.body !== undefined && request.body === undefined
      // Found out when it is asked, and not for every route at every start.
      const ready = answer(request, reply, isMissing ? withoutBody(mayOmitBody(endpoint)) : request.body)
      if (ready instanceof Promise) return ready
      // Not returned: a reply that is returned is waited for until it is on the wire.
      reply.send(ready)
    },
  })
}

function answerer(endpoint: Endpoint, deps: EndpointRouteDeps) {
  const { observe, unread, stopping } = deps
  const run = createEndpointRunner(endpoint, deps)
  return (request: FastifyRequest, reply: FastifyReply, body: unknown, upload?: Upload) => {
    const { team, params, query } = request
    if (!team && endpoint.access !== 'machine') throw new Error('A call without a team reached its handler.')
    if (team && endpoint.streams) deps.connections.hold({ teamId: team.id, keyId: team.keyId }, reply.raw)
    refuseAbsentFields(endpoint, body)
    const idempotencyKey = () => readIdempotencyKey(request.headers)
    const caller = { team, idempotencyKey, signal: () => createDisconnectSignal(reply), stopping }
    return proceed(run({ params, query, body, upload }, caller), (ready) => {
      const isStreamed = ready instanceof Streamed
      if (isStreamed && !endpoint.streams)
        throw new Error(`${endpoint.path} streams and does not say so in "streams".`)
      observe(request, 200)
      return isStreamed ? ready.sentBy(reply) : sendable(reply, ready, unread)
    })
  }
}

/** The file exists, and its bytes are counted, until the call is answered. */
async function withForm(
  request: FastifyRequest,
  unfinished: Unfinished,
  work: (form: Form) => unknown,
): Promise<unknown> {
  const refused = new AbortController()
  const budget = unfinished.open(request, (error) => refused.abort(error))
  // The parser of forms passed on the body itself, unread.
  const stream = request.body as IncomingMessage
  // A caller that leaves while its upload waits for room gives its turn to the next one.
  const leave = () => budget.release()
  stream.once('close', leave)
  try {
    const onReserved = () => {
      stream.off('close', leave)
      unfinished.invite(request)
    }
    const { headers } = request
    const form = await readForm({ stream, headers, budget, onReserved, refused: refused.signal })
    try {
      unfinished.arrived(request)
      return await work(form)
    } finally {
      await form.remove()
    }
  } finally {
    budget.release()
  }
}

/** Said before the rest is checked: a body with such a field has little of what is needed otherwise. */
function refuseAbsentFields({ absentFields }: Pick<Endpoint, 'absentFields'>, body: unknown): void {
  if (absentFields === undefined || typeof body !== 'object' || body === null) return
  for (const [option, instead] of Object.entries(absentFields)) {
    if (!Object.hasOwn(body, option)) continue
    const message = `Not available on this installation: ${option}. ${instead}`
    throw new AppError('OPTION_NOT_AVAILABLE', { option, hint: instead }, { message })
  }
}
