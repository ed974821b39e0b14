import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Passing {
  request: IncomingMessage
  response: ServerResponse
  /** What the server behind it answers. */
  passOn(): Promise<{ status: number; headers: Record<string, string>; body: Buffer }>
}

/** What happens to one call in place of being passed on. */
export type Fault = (passing: Passing) => unknown

export interface FaultyProxy {
  url: string
  calls: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[]
  /** The next calls meet these, one each; all others are passed on. */
  meet(...faults: Fault[]): void
  stop(): Promise<void>
}

/** A proxy in front of a server, with the faults that proxies and networks have. */
export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const calls: FaultyProxy['calls'] = []
  const waiting: Fault[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const sent = Buffer.concat(parts)
    const { method = '', url: path = '', headers } = request
    calls.push({ method, path, headers, body: sent.toString() })
    const passOn = () => handOn(target + path, { method, headers, sent })
    const fault = waiting.shift() ?? passedOn
    await Promise.resolve(fault({ request, response, passOn })).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server always has an address object; a string is for pipes only.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    meet: (...faults) => void waiting.push(...faults),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function handOn(
  address: string,
  { method, headers, sent }: { method: string; headers: IncomingMessage['headers']; sent: Buffer },
) {
  const { host: _, connection: __, 'content-length': ___, ...passed } = headers
  const answer = await fetch(address, {
    method,
    headers: passed as Record<string, string>,
    ...(sent.length > 0 ? { body: new Uint8Array(sent) } : {}),
  })
  const { 'content-encoding': _e, 'transfer-encoding': _t, ...shown } = Object.fromEntries(answer.headers)
  return { status: answer.status, headers: shown, body: Buffer.from(await answer.arrayBuffer()) }
}

const passedOn: Fault = async ({ response, passOn }) => {
  const { status, headers, body } = await passOn()
  response.writeHead(status, headers).end(body)
}

/** The connection breaks before anything is answered; the server behind it heard nothing. */
export const cutBefore: Fault = ({ response }) => response.destroy()

/** The server behind it did the work, and the answer is lost. */
export const cutAfter: Fault = async ({ response, passOn }) => {
  await passOn()
  response.destroy()
}

/** The connection breaks in the middle of the answer. */
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
