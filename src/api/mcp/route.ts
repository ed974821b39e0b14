import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticate } from '../../accounts/authenticate.ts'
import { bounds } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import { once } from '../../platform/functions.ts'
import { boundError } from '../body/request-bounds.ts'
import { corsHeaders } from '../connections/client-address.ts'
import type { Connections } from '../connections/connections.ts'
import type { OpenConnections } from '../connections/open-connections.ts'
import { createDisconnectSignal } from '../connections/open-connections.ts'
import type { UnsentBytesLimiter } from '../connections/unsent-bytes.ts'
import type { ObserveCall } from '../send-response.ts'
import type { Caller, McpDeps } from './server.ts'

export interface McpRouteDeps extends McpDeps {
  authenticate: Authenticate
  observe: ObserveCall
  unread: UnsentBytesLimiter
  connections: OpenConnections
  calls: Pick<Connections, 'admit'>
  corsOpen: boolean
}

/** The same features as tools for language models: streamable HTTP, without sessions. */
export function addMcpRoute(fastify: FastifyInstance, deps: McpRouteDeps): void {
  const cancellations = createCancellations()
  // The kit takes a quarter of a second and eleven megabytes to load: most services never need it.
  const handler = once(() => openHandler(deps))
  let opened: McpHttpHandler | undefined
  fastify.addHook('preClose', async () => opened?.close())
  fastify.post('/mcp', {
    // Before the body is read: a stranger cannot make the service parse megabytes.
    onRequest: async (request, reply) => {
      if (deps.corsOpen) reply.headers(corsHeaders)
      try {
        const team = await deps.authenticate(request.headers.authorization)
        // No tool is for operators.
        request.team = { ...team, isOperator: false }
        await deps.admit(team, 'read')
        deps.calls.admit(request.raw, reply.raw, team.id)
        // Any call may be answered by a stream, and no other bound holds for those that only wait.
        deps.connections.hold({ teamId: team.id, keyId: team.keyId }, reply.raw)
      } catch (thrown) {
        if (thrown instanceof AppError && thrown.code === 'UNAUTHORIZED')
          reply.header('www-authenticate', 'Bearer')
        throw thrown
      }
    },
    handler: async (request, reply) => {
      opened = await handler()
      return answer(opened, cancellations, { request, reply, ...deps })
    },
  })
}

async function openHandler(deps: McpDeps): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ])
  return createMcpHandler(
    ({ authInfo }) => createMcpServer(deps, authInfo?.extra?.caller as Caller),
    // Streams that listen for news are counted with the other open connections of their team. A bound of the kit would hold for
    // all teams together, and one of them could use it up.
    {
      maxSubscriptions: Number.POSITIVE_INFINITY,
      onerror: (error) => deps.log.debug({ cause: error }, 'a request to /mcp was refused'),
    },
  )
}

interface Exchange {
  request: FastifyRequest
  reply: FastifyReply
  observe: ObserveCall
  unread: UnsentBytesLimiter
}

async function answer(handler: McpHttpHandler, cancellations: Cancellations, exchange: Exchange) {
  const { request, reply, observe, unread } = exchange
  const messages = messagesOf(request.body)
  const session = sessionOf(request)
  if (session !== undefined) cancelNamed(cancellations, session, messages)
  const caller = callerOf(exchange, cancellations, session)
  const response = await handler.fetch(asWebRequest(request), {
    parsedBody: request.body,
    authInfo: { token: '', clientId: '', scopes: [], extra: { caller } },
  })
  observe(request, response.status)
  reply.code(response.status).header('cache-control', 'no-store').header('x-accel-buffering', 'no')
  for (const [name, value] of response.headers) if (name !== 'cache-control') reply.header(name, value)
  if (response.ok && messages.some(({ method }) => method === 'initialize'))
    reply.header('mcp-session-id', randomUUID())
  // The type of the global one and of the one in streams differ, the objects do not.
  const body = response.body?.pipeThrough(counted(reply, unread)) as ReadableStream | undefined
  return reply.send(body ? Readable.fromWeb(body) : null)
}

/**
 * The kit writes messages when they are ready, whether they are read or not. They pass at once, so that all that waits
 * for the connection is known to the code that cuts slow ones.
 */
function counted({ raw }: FastifyReply, unread: UnsentBytesLimiter): TransformStream<Uint8Array, Uint8Array> {
  const releases: (() => void)[] = []
  raw.once('close', () => {
    for (const release of releases) release()
  })
  const atOnce = new CountQueuingStrategy({ highWaterMark: Number.POSITIVE_INFINITY })
  const transform = (part: Uint8Array, next: TransformStreamDefaultController<Uint8Array>) => {
    releases.push(unread.hold(raw.socket, part.length))
    next.enqueue(part)
  }
  return new TransformStream({ transform }, atOnce, atOnce)
}

interface Message {
  method?: unknown
  params?: { requestId?: unknown }
}

function messagesOf(body: unknown): Message[] {
  const messages = [body].flat().filter((message) => typeof message === 'object' && message !== null)
  if (messages.length <= bounds.MAX_MCP_MESSAGES.most) return messages as Message[]
  throw boundError('MAX_MCP_MESSAGES')
}

/** Tells the clients of a team apart, and is nothing but that: any process answers, whether it has seen it before or not. */
function sessionOf({ headers, team }: FastifyRequest): string | undefined {
  const given = headers['mcp-session-id']
  return typeof given === 'string' && given.length <= bounds.MAX_ID_LENGTH.most
    ? `${team?.id} ${given}`
    : undefined
}

function cancelNamed(cancellations: Cancellations, session: string, messages: Message[]): void {
  for (const { method, params } of messages) {
    const id = params?.requestId
    if (method !== 'notifications/cancelled') continue
    if (typeof id === 'string' || typeof id === 'number') cancellations.cancel(session, id)
  }
}

function callerOf(
  { request, reply }: Exchange,
  cancellations: Cancellations,
  session: string | undefined,
): Caller {
  const { team, id: requestId } = request
  if (!team) throw new Error('A call without a team reached its handler.')
  const never = new AbortController().signal
  return {
    team,
    requestId,
    gone: createDisconnectSignal(reply),
    cancelled(id) {
      if (session === undefined) return never
      reply.raw.once('close', () => cancellations.forget(session, id))
      return cancellations.watch(session, id)
    },
  }
}

/** What the protocol looks at. The key stays here. */
function asWebRequest({ headers }: FastifyRequest): Request {
  const shown = Object.entries(headers).filter(([name]) => /^(?:accept|content-type|mcp-.*)$/.test(name))
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: shown.map(([name, value]): [string, string] => [name, String(value)]),
  })
}

/**
 * Requests that run here, so that a later message can cancel them: clients of the protocol before 2026 say so in a
 * request of its own. They name their requests by numbers that start at zero, so the session tells clients apart.
 */
interface Cancellations {
  /** The signal of a request, until `forget`. */
  watch(session: string, id: string | number): AbortSignal
  forget(session: string, id: string | number): void
  cancel(session: string, id: string | number): void
}

function createCancellations(): Cancellations {
  const running = new Map<string, AbortController>()
  // A number and its text are two ids.
  const keyOf = (session: string, id: string | number) => JSON.stringify([session, id])
  return {
    watch(session, id) {
      const controller = running.get(keyOf(session, id)) ?? new AbortController()
      running.set(keyOf(session, id), controller)
      return controller.signal
    },
    forget: (session, id) => running.delete(keyOf(session, id)),
    cancel: (session, id) => running.get(keyOf(session, id))?.abort(new Error('The caller has cancelled.')),
  }
}
