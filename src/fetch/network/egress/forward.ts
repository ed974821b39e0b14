import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { AppError } from '../../../platform/errors.ts'
import { listener } from '../../../platform/functions.ts'
import type { Log } from '../../../platform/log.ts'
import type { Dialer } from './dial.ts'
import { badCredentialsError, rejectionHeader, rejectRequest, unreachableError } from './refusal.ts'
import type { EgressLimits } from './sockets.ts'
import { authorityOf, malformedError, readTarget, type Target } from './target.ts'

interface ForwardDeps {
  dialer: Dialer
  log: Log
  limits: EgressLimits
}

type RequestDeps = ForwardDeps & { agent: Agent }

export const maxHeaderBytes = 64 * 1024

export function createForward(deps: ForwardDeps) {
  const agents = new WeakMap<Socket, Agent>()
  return (request: IncomingMessage, response: ServerResponse): void => {
    try {
      const agent = agents.get(request.socket) ?? createAgent(request.socket, deps)
      agents.set(request.socket, agent)
      forward(request, response, { ...deps, agent })
    } catch (thrown) {
      rejectRequest(response, thrown, deps.log)
    }
  }
}

/** Two browsers never share a connection that a site may have authenticated for one of them. */
function createAgent(client: Socket, { dialer, limits }: ForwardDeps): Agent {
  const disconnected = new AbortController()
  const agent = new Agent({ keepAlive: true, timeout: limits.idle })
  agent.createConnection = ({ host, port }, callback) => {
    dialer.plain({ host: String(host), port: Number(port) }, disconnected.signal).then(
      (socket) => callback?.(null, socket),
      // The type requires a socket even with an error; Node checks the error first.
      (thrown) => callback?.(thrown, undefined as never),
    )
    return undefined
  }
  client.once('close', () => {
    disconnected.abort()
    agent.destroy()
  })
  return agent
}

function forward(request: IncomingMessage, response: ServerResponse, deps: RequestDeps): void {
  const outgoing = sendRequest(request, deps)
  // Node applies the keep-alive timeout of the site to a reused connection: too short for a slow response.
  outgoing.once('socket', (socket) => socket.setTimeout(deps.limits.idle))
  const fail = (cause: Error) => {
    if (response.destroyed || response.writableEnded) return
    if (response.headersSent) response.destroy()
    // The site may have closed an idle connection. A browser repeats the request if its own connection ends like this.
    else if (outgoing.reusedSocket && !(cause instanceof AppError)) request.socket.destroy()
    else rejectRequest(response, unreachableError(cause), deps.log)
  }
  const onResponse = (siteResponse: IncomingMessage) => forwardResponse(siteResponse, response, deps)
  const onError = (cause: unknown) => fail(cause instanceof Error ? cause : new Error(String(cause)))
  outgoing.on('response', listener(onResponse, onError))
  outgoing.on('error', fail)
  // The request ends early without an error if the site switches to a protocol that was not requested.
  outgoing.on('close', () => {
    if (!response.headersSent) fail(new Error('The connection ended without an answer.'))
  })
  response.on('close', () => {
    if (!response.writableFinished) outgoing.destroy()
  })
  request.pipe(outgoing)
}

function sendRequest(request: IncomingMessage, deps: RequestDeps): ClientRequest {
  const { agent, dialer } = deps
  const { target, path } = readRequest(request.url ?? '')
  const host = authorityOf(target, 80)
  return send({
    agent,
    ...target,
    method: request.method ?? 'GET',
    path: dialer.proxyHeaders ? `http://${host}${path}` : path,
    headers: requestHeaders(request, ['Host', host, ...(dialer.proxyHeaders ?? [])]),
    maxHeaderSize: maxHeaderBytes,
    // Sites break the grammar of headers in ways that browsers accept; a misread response harms only its own site.
    insecureHTTPParser: true,
  })
}

function readRequest(url: string): { target: Target; path: string } {
  const parts = /^http:\/\/([^/?#]*)([^#]*)/i.exec(url)
  if (!parts) throw malformedError('it only accepts CONNECT and absolute http URLs')
  const path = parts[2] ?? ''
  return { target: readTarget(parts[1] ?? '', 80), path: path.startsWith('/') ? path : `/${path}` }
}

function forwardResponse(siteResponse: IncomingMessage, response: ServerResponse, deps: ForwardDeps): void {
  try {
    // A browser attributes this status to its proxy and prompts its user for a password.
    if (siteResponse.statusCode === 407)
      throw deps.dialer.proxyHeaders ? badCredentialsError() : unreachableError(siteResponse.statusCode)
    response.sendDate = false
    const { statusCode = 502, statusMessage } = siteResponse
    response.writeHead(statusCode, statusMessage, responseHeaders(siteResponse))
    response.flushHeaders()
    pipeline(siteResponse, response, () => {})
  } catch (thrown) {
    siteResponse.destroy()
    rejectRequest(response, unreachableError(thrown), deps.log)
  }
}

const hopByHopHeaders = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info'],
]

function requestHeaders(request: IncomingMessage, leading: string[]): string[] {
  const dropped = getHopByHopNames(request).add('host')
  dropped.add('expect')
  // Forwarded even if the connection header names it: without its length, a body could be read as another request.
  dropped.delete('content-length')
  const framing = request.headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked']
  return [...leading, 'Connection', 'keep-alive', ...omitHeaders(request, dropped), ...framing]
}

function responseHeaders(siteResponse: IncomingMessage): string[] {
  const dropped = getHopByHopNames(siteResponse).add(rejectionHeader)
  // If both are present, the length is wrong, because the body was read in chunks.
  if (siteResponse.headers['transfer-encoding'] !== undefined) dropped.add('content-length')
  return omitHeaders(siteResponse, dropped)
}

function getHopByHopNames({ headers }: IncomingMessage): Set<string> {
  const connectionNames = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  return new Set([...hopByHopHeaders, ...connectionNames])
}

function omitHeaders({ rawHeaders }: IncomingMessage, dropped: Set<string>): string[] {
  const headers: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!dropped.has(name.toLowerCase()) && isSendable(value)) headers.push(name, value)
  }
  return headers
}

/** Node accepts control characters in lenient mode, but never sends them. */
const isSendable = (value: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
