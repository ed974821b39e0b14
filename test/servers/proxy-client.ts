import { once } from 'node:events'
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request as send } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

export interface ProxyResponse {
  status: number
  headers: IncomingHttpHeaders
  body: string
}

/** Requests a plain HTTP URL from a proxy, as a browser does. */
export async function getThrough(
  proxyUrl: string,
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; agent?: Agent } = {},
): Promise<ProxyResponse> {
  const { hostname, port } = new URL(proxyUrl)
  const host = /^https?:\/\/([^/?#]*)/.exec(url)?.[1] ?? 'none.test'
  const { method = 'GET', headers = {}, body, agent = false } = options
  const request = send({ hostname, port, method, path: url, headers: { host, ...headers }, agent })
  request.end(body)
  // According to the documentation of node:http, the event has this one argument.
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
}

/** Requests a tunnel from a proxy. If the status is 200, the socket is the local end of the tunnel. */
export async function connectThrough(
  proxyUrl: string,
  authority: string,
): Promise<{ status: number; headers: IncomingHttpHeaders; socket: Socket }> {
  const { hostname, port } = new URL(proxyUrl)
  const request = send({ hostname, port, method: 'CONNECT', path: authority, agent: false })
  request.end()
  // According to the documentation of node:http, the event has these three arguments.
  const [response, socket, head] = (await once(request, 'connect')) as [IncomingMessage, Socket, Buffer]
  socket.on('error', () => {})
  socket.unshift(head)
  return { status: response.statusCode ?? 0, headers: response.headers, socket }
}

/** Sends raw bytes. Returns everything received until the server ends the connection. */
export async function exchange(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.write(bytes)
  const received = await text(socket)
  socket.destroy()
  return received
}
