import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import { mapMaybePromise } from '../platform/functions.ts'
import { addFormParser, addJsonParser, type BodyDeps, ignoreBody } from './body/body-parsers.ts'
import { type Form, readForm, type Upload } from './body/multipart.ts'
import { readIdempotencyKey } from './body/request-bounds.ts'
import { createEndpointRunner, type RunDeps } from './call-endpoint.ts'
import type { RequestAuthorizer } from './connections/authorize-request.ts'
import { corsHeaders } from './connections/client-address.ts'
import { createDisconnectSignal, type OpenConnections } from './connections/open-connections.ts'
import type { UnfinishedRequests } from './connections/unfinished.ts'
import type { UnsentBytesLimiter } from './connections/unsent-bytes.ts'
import { type Endpoint, listedCodes, mayOmitBody, rateLimitOf } from './endpoint.ts'
import { type ObserveCall, Streamed, toPayload } from './send-response.ts'

export interface EndpointRouteDeps extends BodyDeps, RunDeps {
  authorizer: RequestAuthorizer
  observe: ObserveCall
  unread: UnsentBytesLimiter
  connections: OpenConnections
  allowsAllOrigins: boolean
  stopping: AbortSignal
}

export function addEndpointRoute(fastify: FastifyInstance, endpoint: Endpoint, deps: EndpointRouteDeps) {
  // Each endpoint gets its own scope, because it accepts other content types than the rest of the server.
  const addBodyParser = endpoint.takesFile ? addFormParser : endpoint.body ? addJsonParser : ignoreBody
  fastify.register(async (scope) => {
    addBodyParser(scope, deps)
    addRoute(scope, endpoint, deps)
  })
}

function addRoute(scope: FastifyInstance, endpoint: Endpoint, deps: EndpointRouteDeps): void {
  const access = endpoint.access ?? 'team'
  const authorization = { rateLimitClass: rateLimitOf(endpoint), access }
  const handleRequest = createRequestHandler(endpoint, deps)
  scope.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    // For HEAD, Fastify would read a stream to its end, and some streams never end.
    exposeHeadRoute: endpoint.streams === undefined,
    config: {
      codes: listedCodes(endpoint),
      ...(endpoint.errorFields ? { errorFields: endpoint.errorFields } : {}),
    },
    // Runs before the body is read, so unauthenticated clients cannot make the service parse megabytes.
    onRequest: (request, reply, done) => {
      if (deps.allowsAllOrigins && access !== 'machine') reply.headers(corsHeaders)
      deps.authorizer.authorize(request, reply, done, authorization)
    },
    handler: (request, reply) => {
      if (endpoint.takesFile)
        return handleForm(request, deps.unfinished, (form) =>
          handleRequest(request, reply, form.options, form.upload),
        )
      const isMissing = endpoint.body !== undefined && request.body === undefined
      // `mayOmitBody` runs only if a body is missing, not for every route at startup.
      if (isMissing && !mayOmitBody(endpoint)) {
        const message = 'The body is empty. Send a JSON object.'
        throw new AppError('BAD_REQUEST_INVALID_JSON', {}, { message })
      }
      const result = handleRequest(request, reply, isMissing ? {} : request.body)
      if (result instanceof Promise) return result
      // The reply is not returned, because Fastify would wait until it is fully sent.
      reply.send(result)
    },
  })
}

function createRequestHandler(endpoint: Endpoint, deps: EndpointRouteDeps) {
  const { observe, unread, stopping } = deps
  const run = createEndpointRunner(endpoint, deps)
  return (request: FastifyRequest, reply: FastifyReply, body: unknown, upload?: Upload) => {
    const { team, params, query } = request
    if (!team && endpoint.access !== 'machine') throw new Error('A call without a team reached its handler.')
    if (team && endpoint.streams) deps.connections.hold({ teamId: team.id, keyId: team.keyId }, reply.raw)
    throwIfUnsupportedField(endpoint, body)
    const idempotencyKey = () => readIdempotencyKey(request.headers)
    const caller = { team, idempotencyKey, signal: () => createDisconnectSignal(reply), stopping }
    return mapMaybePromise(run({ params, query, body, upload }, caller), (response) => {
      const isStreamed = response instanceof Streamed
      if (isStreamed && !endpoint.streams)
        throw new Error(`${endpoint.path} streams and does not say so in "streams".`)
      observe(request, 200)
      return isStreamed ? response.toStream(reply) : toPayload(reply, response, unread)
    })
  }
}

/** The file exists, and its bytes are counted, until the request is finished. */
async function handleForm(
  request: FastifyRequest,
  unfinished: UnfinishedRequests,
  handle: (form: Form) => unknown,
): Promise<unknown> {
  const rejected = new AbortController()
  const budget = unfinished.open(request, (error) => rejected.abort(error))
  // The form parser passes the raw, unread body.
  const stream = request.body as IncomingMessage
  // If the client disconnects while its upload waits for a reservation, the next upload can use the bytes.
  const releaseBudget = () => budget.release()
  stream.once('close', releaseBudget)
  try {
    const onReserved = () => {
      stream.off('close', releaseBudget)
      unfinished.sendContinue(request)
    }
    const { headers } = request
    const form = await readForm({ stream, headers, budget, onReserved, rejected: rejected.signal })
    try {
      unfinished.markReceived(request)
      return await handle(form)
    } finally {
      await form.remove()
    }
  } finally {
    budget.release()
  }
}

/** Runs before validation, because a body with such a field usually lacks required fields as well. */
function throwIfUnsupportedField({ unsupportedFields }: Endpoint, body: unknown): void {
  if (unsupportedFields === undefined || typeof body !== 'object' || body === null) return
  for (const [option, alternative] of Object.entries(unsupportedFields)) {
    if (!Object.hasOwn(body, option)) continue
    const message = `Not available on this installation: ${option}. ${alternative}`
    throw new AppError('OPTION_NOT_AVAILABLE', { option, hint: alternative }, { message })
  }
}
