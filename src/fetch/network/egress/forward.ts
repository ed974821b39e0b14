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
import { badCredentials, refuse, refusedHeader, unreachable } from './refusal.ts'
import type { EgressLimits } from './sockets.ts'
import { authorityOf, malformed, readTarget, type Target } from './target.ts'

interface ForwardDeps {
  dialer: Dialer
  log: Log
  limits: EgressLimits
  maxHeaderBytes: number
}

/** Serves plain HTTP requests, whose request line contains an absolute URL. */
export function createForward(
  deps: ForwardDeps,
): (request: IncomingMessage, response: ServerResponse) => void {
  const agents = new WeakMap<Socket, Agent>()
  return (request, response) => {
    try {
      const agent = agents.get(request.socket) ?? agentFor(request.socket, deps)
      agents.set(request.socket, agent)
      forward(request, response, { ...deps, agent })
    } catch (thrown) {
      refuse(response, thrown, deps.log)
    }
  }
}

/**
 * Connections to sites are kept per connection of the browser and end with it: reuse is then the browser's decision,
 * and two browsers never share a connection that a site may have tied to one of them.
 */
function agentFor(client: Socket, { dialer, limits }: ForwardDeps): Agent {
  const gone = new AbortController()
  const agent = new Agent({ keepAlive: true, timeout: limits.idle })
  agent.createConnection = ({ host, port }, callback) => {
    dialer.plain({ host: String(host), port: Number(port) }, gone.signal).then(
      (socket) => callback?.(null, socket),
      // The type requires a socket even with an error; Node checks the error first.
      (thrown) => callback?.(thrown, undefined as never),
    )
    return undefined
  }
  client.once('close', () => {
    gone.abort()
    agent.destroy()
  })
  return agent
}

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  deps: ForwardDeps & { agent: Agent },
): void {
  const outgoing = sendOn(request, deps)
  // Node applies the keep-alive timeout of the site, often a few seconds, to a reused connection: too short for a slow response.
  outgoing.once('socket', (socket) => socket.setTimeout(deps.limits.idle))
  const fail = (cause: Error) => {
    if (response.destroyed || response.writableEnded) return
    if (response.headersSent) response.destroy()
    // The site may have closed an idle connection while the request was on its way. A browser repeats the request
    // when its own connection, which is as old, ends like this.
    else if (outgoing.reusedSocket && !(cause instanceof AppError)) request.socket.destroy()
    else refuse(response, unreachable(cause), deps.log)
  }
  outgoing.on(
    'response',
    listener(
      (answer: IncomingMessage) => passOn(answer, response, deps),
      (cause) => fail(cause instanceof Error ? cause : new Error(String(cause))),
    ),
  )
  outgoing.on('error', fail)
  // It ends early without an error when the site switches to a protocol that was not requested.
  outgoing.on('close', () => {
    if (!response.headersSent) fail(new Error('The connection ended without an answer.'))
  })
  response.on('close', () => {
    if (!response.writableFinished) outgoing.destroy()
  })
  request.pipe(outgoing)
}

function sendOn(request: IncomingMessage, deps: ForwardDeps & { agent: Agent }): ClientRequest {
  const { agent, dialer, maxHeaderBytes } = deps
  const { target, path } = readRequest(request.url ?? '')
  const host = authorityOf(target, 80)
  return send({
    agent,
    ...target,
    method: request.method ?? 'GET',
    path: dialer.proxyHeaders ? `http://${host}${path}` : path,
    headers: requestHeaders(request, ['Host', host, ...(dialer.proxyHeaders ?? [])]),
    maxHeaderSize: maxHeaderBytes,
    // Sites break the grammar of headers in ways that browsers accept; a confused answer harms only its own site.
    insecureHTTPParser: true,
  })
}

function readRequest(url: string): { target: Target; path: string } {
  const parts = /^http:\/\/([^/?#]*)([^#]*)/i.exec(url)
  if (!parts) throw malformed('it only accepts CONNECT and absolute http URLs')
  const path = parts[2] ?? ''
  return { target: readTarget(parts[1] ?? '', 80), path: path.startsWith('/') ? path : `/${path}` }
}

function passOn(answer: IncomingMessage, response: ServerResponse, { dialer, log }: ForwardDeps): void {
  try {
    // A browser attributes this status to its proxy, and asks its user for a password.
    if (answer.statusCode === 407)
      throw dialer.proxyHeaders ? badCredentials() : unreachable(answer.statusCode)
    response.sendDate = false
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answerHeaders(answer))
    // Events of a stream arrive later than its headers, possibly by minutes.
    response.flushHeaders()
    pipeline(answer, response, () => {})
  } catch (thrown) {
    answer.destroy()
    refuse(response, unreachable(thrown), log)
  }
}

/** Hop-by-hop headers, which describe one connection and not the message; proxies must not forward them. */
const ofConnection = [
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
  ...['proxy-authenticate', 'proxy-authorization', 'proxy-authentication-info'],
]

/** The headers of a browser as it would send them without a proxy, in its order and spelling, after the given ones. */
function requestHeaders(request: IncomingMessage, first: string[]): string[] {
  const dropped = namesOfConnection(request).add('host')
  // Node has already sent the interim response.
  dropped.add('expect')
  // Whatever the connection header names: without its length, a body could be read as another request.
  dropped.delete('content-length')
  const framing = request.headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked']
  return [...first, 'Connection', 'keep-alive', ...headersWithout(request, dropped), ...framing]
}

function answerHeaders(answer: IncomingMessage): string[] {
  const dropped = namesOfConnection(answer).add(refusedHeader)
  // If both are present, the length is wrong: the body was read by its chunks.
  if (answer.headers['transfer-encoding'] !== undefined) dropped.add('content-length')
  return headersWithout(answer, dropped)
}

function namesOfConnection({ headers }: IncomingMessage): Set<string> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  return new Set([...ofConnection, ...named])
}

function headersWithout({ rawHeaders }: IncomingMessage, dropped: Set<string>): string[] {
  const kept: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2)
    if (!dropped.has(name.toLowerCase()) && isSendable(value)) kept.push(name, value)
  }
  return kept
}

/** Node accepts control characters in lenient mode, but never sends them. */
function isSendable(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}
