import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Team } from '../accounts/team.ts'
import type { App } from '../app.ts'
import { proceed } from '../base/now-or-later.ts'
import { refuseAbsentFields } from './absent-fields.ts'
import { admitSchemas } from './admit-schemas.ts'
import { type Endpoint, listedCodes, mayOmitBody } from './endpoint.ts'
import type { Entrance } from './entrance.ts'
import { goneSignal } from './gone-signal.ts'
import { type Form, readForm, type Upload } from './multipart.ts'
import type { ObserveCall } from './observe-call.ts'
import type { OpenConnections } from './open-connections.ts'
import { openToPages } from './open-to-pages.ts'
import { type BodyNeeds, takeForm, takeJson, takeNothing, withoutBody } from './read-bodies.ts'
import { readIdempotencyKey } from './request-bounds.ts'
import { asValues, sendable } from './send-json.ts'
import { Streamed } from './streamed.ts'
import { tellIgnored } from './tell-ignored.ts'
import { takeOutTolerated } from './tolerated.ts'
import type { Unfinished } from './unfinished.ts'
import type { Unread } from './unread.ts'
import { validate } from './validate.ts'

export interface EndpointRouteNeeds extends BodyNeeds {
  app: App
  entrance: Entrance
  observe: ObserveCall
  unread: Unread
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
  needs: EndpointRouteNeeds,
): void {
  // In scopes of their own: everywhere else, these are the wrong kinds of body.
  const take = endpoint.takesFile ? takeForm : endpoint.body ? takeJson : takeNothing
  fastify.register(async (scope) => {
    take(scope, needs)
    addRoute(scope, endpoint, needs)
  })
}

function addRoute(scope: FastifyInstance, endpoint: Endpoint, needs: EndpointRouteNeeds): void {
  const access = endpoint.access ?? 'team'
  const terms = { lane: endpoint.lane ?? (endpoint.method === 'GET' ? 'read' : 'work'), access }
  const answer = answerer(endpoint, needs)
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
      if (needs.corsOpen && access !== 'machine') reply.headers(openToPages)
      needs.entrance.letIn(request, reply, done, terms)
    },
    handler: (request, reply) => {
      if (endpoint.takesFile)
        return withForm(request, needs.unfinished, (form) =>
          answer(request, reply, form.options, form.upload),
        )
      const isMissing = endpoint.body !== undefined && request.body === undefined
      // Found out when it is asked, and not for every route at every start.
      const ready = answer(request, reply, isMissing ? withoutBody(mayOmitBody(endpoint)) : request.body)
      if (ready instanceof Promise) return ready
      // Not returned: a reply that is returned is waited for until it is on the wire.
      reply.send(ready)
    },
  })
}

function answerer(endpoint: Endpoint, needs: EndpointRouteNeeds) {
  const { observe, unread } = needs
  const known = new Set(endpoint.body instanceof z.ZodObject ? Object.keys(endpoint.body.shape) : [])
  return (request: FastifyRequest, reply: FastifyReply, given: unknown, upload?: Upload) => {
    const { team } = request
    if (!team && endpoint.access !== 'machine') throw new Error('A call without a team reached its handler.')
    if (team && endpoint.streams) needs.connections.hold({ teamId: team.id, keyId: team.keyId }, reply.raw)
    refuseAbsentFields(endpoint, given)
    const { body, ignored } = takeOutTolerated(given, known)
    const call: Parameters<typeof endpoint.handle>[0] = {
      app: needs.app,
      // Only endpoints that ask for no key are called without a team, and those do not look at it.
      team: team as Team,
      params: endpoint.params ? validate(endpoint.params, request.params, 'path') : undefined,
      query: endpoint.query ? validate(endpoint.query, request.query, 'query') : undefined,
      body: endpoint.body ? validate(endpoint.body, body, 'body', endpoint.invalidBody) : undefined,
      // Only endpoints that take a file look at it, and those are never called without one.
      upload: upload as Upload,
      idempotencyKey: readIdempotencyKey(request.headers),
      publicUrl: needs.publicUrl(),
      // A method and not a getter: an object with a getter of its own costs more than the rest of this call.
      signal: () => goneSignal(reply),
      stopping: needs.stopping,
    }
    const answered = proceed(admitSchemas(needs.app, { ...call, prefix: endpoint.invalidBody }), () =>
      endpoint.handle(call),
    )
    const finish = (ready: unknown) => {
      if (ready instanceof Streamed) {
        if (!endpoint.streams) throw new Error(`${endpoint.path} streams and does not say so in "streams".`)
        observe(request, 200)
        return ready.sentBy(reply)
      }
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
    return proceed(answered, finish)
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
