import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { McpHttpHandler } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Authenticate } from '../../accounts/authenticate.ts'
import { bounds } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'
import { lazy } from '../../platform/functions.ts'
import { boundError } from '../body/request-bounds.ts'
import { corsHeaders } from '../connections/client-address.ts'
import type { Connections } from '../connections/connections.ts'
import { createDisconnectSignal, type OpenConnections } from '../connections/open-connections.ts'
import type { UnsentBytesLimiter } from '../connections/unsent-bytes.ts'
import type { ObserveCall } from '../send-response.ts'
import type { Caller, McpDeps } from './server.ts'

interface McpRouteDeps extends McpDeps {
  authenticate: Authenticate
  observe: ObserveCall
  unread: UnsentBytesLimiter
  connections: OpenConnections
  calls: Pick<Connections, 'countCall'>
  allowsAllOrigins: boolean
}

export function addMcpRoute(fastify: FastifyInstance, deps: McpRouteDeps): void {
  const cancellations = createCancellations()
  // The SDK takes 250 ms and 11 MB to load, so it is loaded on first use: most services never need it.
  const handler = lazy(() => createHandler(deps))
  let mcpHandler: McpHttpHandler | undefined
  fastify.addHook('preClose', async () => mcpHandler?.close())
  fastify.post('/mcp', {
    // Runs before the body is read, so unauthenticated clients cannot make the service parse megabytes.
    onRequest: async (request, reply) => {
      if (deps.allowsAllOrigins) reply.headers(corsHeaders)
      try {
        const team = await deps.authenticate(request.headers.authorization)
        // Tools have no operator permissions.
        request.team = { ...team, isOperator: false }
        await deps.checkRateLimit(team, 'read')
        deps.calls.countCall(request.raw, reply.raw, team.id)
        // Any response may be a stream, and no other limit applies to streams that only wait.
        deps.connections.hold({ teamId: team.id, keyId: team.keyId }, reply.raw)
      } catch (thrown) {
        if (thrown instanceof AppError && thrown.code === 'UNAUTHORIZED')
          reply.header('www-authenticate', 'Bearer')
        throw thrown
      }
    },
    handler: async (request, reply) => {
      mcpHandler = await handler()
      return handleRequest(mcpHandler, cancellations, { request, reply, ...deps })
    },
  })
}

async function createHandler(deps: McpDeps): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./server.ts'),
  ])
  return createMcpHandler(
    ({ authInfo }) => createMcpServer(deps, authInfo?.extra?.caller as Caller),
    // The limit of the SDK applies to all teams together; these streams are counted by team already.
    {
      maxSubscriptions: Number.POSITIVE_INFINITY,
      onerror: (error) => deps.log.debug({ cause: error }, 'a request to /mcp was refused'),
    },
  )
}

interface RequestContext extends Pick<McpRouteDeps, 'observe' | 'unread'> {
  request: FastifyRequest
  reply: FastifyReply
}

async function handleRequest(handler: McpHttpHandler, cancellations: Cancellations, context: RequestContext) {
  const { request, reply, observe, unread } = context
  const messages = parseMessages(request.body)
  const session = sessionKey(request)
  if (session !== undefined) for (const message of messages) cancellations.cancel(session, message)
  const caller = createCaller(context, cancellations, session)
  const response = await handler.fetch(toWebRequest(request), {
    parsedBody: request.body,
    authInfo: { token: '', clientId: '', scopes: [], extra: { caller } },
  })
  observe(request, response.status)
  reply.code(response.status).header('cache-control', 'no-store').header('x-accel-buffering', 'no')
  for (const [name, value] of response.headers) if (name !== 'cache-control') reply.header(name, value)
  if (response.ok && messages.some(({ method }) => method === 'initialize'))
    reply.header('mcp-session-id', randomUUID())
  // The cast is safe: the global and the node:stream/web types differ, but the objects are the same.
  const body = response.body?.pipeThrough(countBytes(reply, unread)) as ReadableStream | undefined
  return reply.send(body ? Readable.fromWeb(body) : null)
}

/** The SDK writes whether or not the client reads, so the limiter must see all pending bytes. */
function countBytes({ raw }: FastifyReply, unread: UnsentBytesLimiter) {
  const releases: (() => void)[] = []
  raw.once('close', () => {
    for (const release of releases) release()
  })
  const unlimited = new CountQueuingStrategy({ highWaterMark: Number.POSITIVE_INFINITY })
  const transform = (chunk: Uint8Array, next: TransformStreamDefaultController<Uint8Array>) => {
    releases.push(unread.hold(raw.socket, chunk.length))
    next.enqueue(chunk)
  }
  return new TransformStream<Uint8Array, Uint8Array>({ transform }, unlimited, unlimited)
}

interface Message {
  method?: unknown
  params?: { requestId?: unknown }
}

function parseMessages(body: unknown): Message[] {
  const messages = [body].flat().filter((message) => typeof message === 'object' && message !== null)
  if (messages.length <= bounds.MAX_MCP_MESSAGES.most) return messages as Message[]
  throw boundError('MAX_MCP_MESSAGES')
}

/** The key has no other state, so any process can serve any request. */
function sessionKey({ headers, team }: FastifyRequest): string | undefined {
  const sessionId = headers['mcp-session-id']
  return typeof sessionId === 'string' && sessionId.length <= bounds.MAX_ID_LENGTH.most
    ? `${team?.id} ${sessionId}`
    : undefined
}

function createCaller(
  { request, reply }: RequestContext,
  cancellations: Cancellations,
  session: string | undefined,
): Caller {
  const { team, id: requestId } = request
  if (!team) throw new Error('A call without a team reached its handler.')
  const never = new AbortController().signal
  return {
    team,
    requestId,
    disconnectSignal: createDisconnectSignal(reply),
    cancelSignal(id) {
      if (session === undefined) return never
      reply.raw.once('close', () => cancellations.remove(session, id))
      return cancellations.watch(session, id)
    },
  }
}

/** Converts the request for the SDK, with only the headers that the protocol uses. The API key is not passed on. */
function toWebRequest({ headers }: FastifyRequest): Request {
  const allowedHeaders = Object.entries(headers).filter(([name]) =>
    /^(?:accept|content-type|mcp-.*)$/.test(name),
  )
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: allowedHeaders.map(([name, value]): [string, string] => [name, String(value)]),
  })
}

/** Old clients cancel by a separate request and number requests from zero, so the session tells them apart. */
function createCancellations() {
  const running = new Map<string, AbortController>()
  // A number and its text are different ids.
  const toKey = (session: string, id: string | number) => JSON.stringify([session, id])
  return {
    watch(session: string, id: string | number): AbortSignal {
      const controller = running.get(toKey(session, id)) ?? new AbortController()
      running.set(toKey(session, id), controller)
      return controller.signal
    },
    remove: (session: string, id: string | number) => running.delete(toKey(session, id)),
    cancel(session: string, { method, params }: Message): void {
      const id = params?.requestId
      if (method !== 'notifications/cancelled') return
      if (typeof id !== 'string' && typeof id !== 'number') return
      running.get(toKey(session, id))?.abort(new Error('The caller has cancelled.'))
    },
  }
}

type Cancellations = ReturnType<typeof createCancellations>
