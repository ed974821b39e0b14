import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ProxiedCall {
  request: IncomingMessage
  response: ServerResponse
  /** Forwards the request. Returns the response of the target server. */
  passOn(): Promise<{ status: number; headers: Record<string, string>; body: Buffer }>
}

/** Replaces the forwarding of one call. */
export type Fault = (passing: ProxiedCall) => unknown

export interface FaultyProxy {
  url: string
  calls: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[]
  /** Applies these faults to the next calls, one each. All other calls are forwarded. */
  meet(...faults: Fault[]): void
  stop(): Promise<void>
}

/** Starts a proxy in front of a server, with the faults that proxies and networks have. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const calls: FaultyProxy['calls'] = []
  const pendingFaults: Fault[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const sent = Buffer.concat(parts)
    const { method = '', url: path = '', headers } = request
    calls.push({ method, path, headers, body: sent.toString() })
    const passOn = () => forward(target + path, { method, headers, sent })
    const fault = pendingFaults.shift() ?? forwarded
    await Promise.resolve(fault({ request, response, passOn })).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server always has an address object; only pipes have a string.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    meet: (...faults) => void pendingFaults.push(...faults),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function forward(
  url: string,
  { method, headers, sent }: { method: string; headers: IncomingMessage['headers']; sent: Buffer },
) {
  const { host: _, connection: __, 'content-length': ___, ...forwardedHeaders } = headers
  const response = await fetch(url, {
    method,
    headers: forwardedHeaders as Record<string, string>,
    ...(sent.length > 0 ? { body: new Uint8Array(sent) } : {}),
  })
  const {
    'content-encoding': _e,
    'transfer-encoding': _t,
    ...responseHeaders
  } = Object.fromEntries(response.headers)
  return {
    status: response.status,
    headers: responseHeaders,
    body: Buffer.from(await response.arrayBuffer()),
  }
}

const forwarded: Fault = async ({ response, passOn }) => {
  const { status, headers, body } = await passOn()
  response.writeHead(status, headers).end(body)
}

/** Closes the connection before a response. The target server receives nothing. */
export const cutBefore: Fault = ({ response }) => response.destroy()

/** Lets the target server handle the call, and drops the response. */
export const cutAfter: Fault = async ({ response, passOn }) => {
  await passOn()
  response.destroy()
}

/** Closes the connection in the middle of the response. */
export const cutWithin: Fault = async ({ response, passOn }) => {
  const { status, headers, body } = await passOn()
  response.writeHead(status, { ...headers, 'content-length': body.length })
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => response.destroy())
}

export const answerWith =
  (status: number, body: string, headers: Record<string, string> = {}): Fault =>
  ({ response }) =>
    response.writeHead(status, headers).end(body)

export const silent: Fault = ({ response }) => once(response, 'close')
