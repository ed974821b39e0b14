import { once } from 'node:events'
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ProxyAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Asks a proxy for a plain http URL, as a browser does. */
export async function getThrough(
  proxyUrl: string,
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; agent?: Agent } = {},
): Promise<ProxyAnswer> {
  const { hostname, port } = new URL(proxyUrl)
  const host = /^https?:\/\/([^/?#]*)/.exec(url)?.[1] ?? 'none.test'
  const { method = 'GET', headers = {}, body, agent = false } = options
  const request = send({ hostname, port, method, path: url, headers: { host, ...headers }, agent })
  request.end(body)
  // The event has this one, says the documentation of node:http.
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) }
}

/** Asks a proxy for a tunnel; the socket is its near end when the status is 200. */
export async function connectThrough(
  proxyUrl: string,
  authority: string,
): Promise<{ status: number; headers: IncomingHttpHeaders; socket: Socket }> {
  const { hostname, port } = new URL(proxyUrl)
  const request = send({ hostname, port, method: 'CONNECT', path: authority, agent: false })
  request.end()
  // The event has these three, says the documentation of node:http.
  const [answer, socket, head] = (await once(request, 'connect')) as [IncomingMessage, Socket, Buffer]
  socket.on('error', () => {})
  socket.unshift(head)
  return { status: answer.statusCode ?? 0, headers: answer.headers, socket }
}

/** Sends bytes as they are, and answers everything that comes back until the other side ends. */
export async function exchange(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.write(bytes)
  const answer = await text(socket)
  socket.destroy()
  return answer
}
