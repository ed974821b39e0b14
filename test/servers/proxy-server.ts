import { once } from 'node:events'
import { createServer, type IncomingMessage, request as send } from 'node:http'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'

export interface UpstreamProxy {
  port: number
  /** Received requests in order: the request line of HTTP or the target of SOCKS. */
  requests: string[]
  /** Credentials of each request. */
  credentials: (string | undefined)[]
  stop(): Promise<void>
}

/** Starts a proxy that connects every request to one port of 127.0.0.1. */
export async function startHttpProxy(
  targetPort: number,
  options: { password?: string } = {},
): Promise<UpstreamProxy> {
  const [requests, credentials]: [string[], (string | undefined)[]] = [[], []]
  const server = createServer()
  const isAuthorized = (request: IncomingMessage) => {
    requests.push(`${request.method} ${request.url}`)
    const pair = request.headers['proxy-authorization']?.replace(/^Basic /, '')
    credentials.push(pair && Buffer.from(pair, 'base64').toString())
    return options.password === undefined || credentials.at(-1) === options.password
  }
  server.on('connect', (request, client) => {
    client.on('error', () => {})
    if (!isAuthorized(request)) return client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const target = connect(targetPort, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
    joinSockets(client as Socket, target)
  })
  server.on('request', (request, response) => {
    if (!isAuthorized(request)) return response.writeHead(407).end()
    const { pathname, search } = new URL(request.url ?? '')
    const forwarded = send(
      { port: targetPort, host: '127.0.0.1', path: pathname + search, headers: request.headers },
      (targetResponse) => {
        response.writeHead(targetResponse.statusCode ?? 502, targetResponse.headers)
        targetResponse.pipe(response)
      },
    )
    request.pipe(forwarded)
  })
  return startListening(server, { requests, credentials })
}

/** Starts the same kind of proxy for SOCKS5, optionally with a password. */
export async function startSocksProxy(
  targetPort: number,
  options: { password?: string } = {},
): Promise<UpstreamProxy> {
  const [requests, credentials]: [string[], (string | undefined)[]] = [[], []]
  const server = createTcpServer(async (client) => {
    client.on('error', () => {})
    const [, count = 0] = await bytesOf(client, 2)
    const methods = [...(await bytesOf(client, count))]
    const method = options.password === undefined ? 0 : 2
    if (!methods.includes(method)) return client.end(Buffer.from([5, 255]))
    client.write(Buffer.from([5, method]))
    credentials.push(method === 2 ? await readPair(client) : undefined)
    if (method === 2) {
      const isCorrect = credentials.at(-1) === options.password
      client.write(Buffer.from([1, isCorrect ? 0 : 1]))
      if (!isCorrect) return client.end()
    }
    requests.push(await readTarget(client))
    const target = connect(targetPort, '127.0.0.1', () => {
      // One write for the reply and nothing after it, so that the test notices a client that reads too many bytes.
      client.write(Buffer.from([5, 0, 0, 3, 4, ...Buffer.from('here'), 0, 80]))
      joinSockets(client, target)
    })
  })
  return startListening(server, { requests, credentials })
}

async function readPair(client: Socket): Promise<string> {
  await bytesOf(client, 1)
  const user = await bytesOf(client, (await bytesOf(client, 1))[0] ?? 0)
  const password = await bytesOf(client, (await bytesOf(client, 1))[0] ?? 0)
  return `${user}:${password}`
}

async function readTarget(client: Socket): Promise<string> {
  const kind = (await bytesOf(client, 4))[3]
  const size = kind === 3 ? ((await bytesOf(client, 1))[0] ?? 0) : kind === 4 ? 16 : 4
  const host = await bytesOf(client, size)
  const port = (await bytesOf(client, 2)).readUInt16BE()
  return `${kind === 3 ? host : [...host].join('.')}:${port}`
}

async function bytesOf(socket: Socket, size: number): Promise<Buffer> {
  if (size === 0) return Buffer.alloc(0)
  for (;;) {
    const bytes: Buffer | null = socket.read(size)
    if (bytes) return bytes
    await once(socket, 'readable')
  }
}

function joinSockets(left: Socket, right: Socket): void {
  right.on('error', () => left.destroy())
  left.on('close', () => right.destroy())
  left.pipe(right).pipe(left)
}

async function startListening(
  server: Server,
  records: Pick<UpstreamProxy, 'requests' | 'credentials'>,
): Promise<UpstreamProxy> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server always has an address object; only pipes have a string.
  const { port } = server.address() as AddressInfo
  return {
    port,
    ...records,
    async stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
