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
  /** What was asked of it, in order: the request line of HTTP or the target of SOCKS. */
  asked: string[]
  /** The credentials that came with each. */
  credentials: (string | undefined)[]
  stop(): Promise<void>
}

/** A proxy that knows one place: whatever it is asked for, it connects with that port of 127.0.0.1. */
export async function startHttpProxy(
  place: number,
  options: { password?: string } = {},
): Promise<UpstreamProxy> {
  const [asked, credentials]: [string[], (string | undefined)[]] = [[], []]
  const server = createServer()
  const isWelcome = (request: IncomingMessage) => {
    asked.push(`${request.method} ${request.url}`)
    const pair = request.headers['proxy-authorization']?.replace(/^Basic /, '')
    credentials.push(pair && Buffer.from(pair, 'base64').toString())
    return options.password === undefined || credentials.at(-1) === options.password
  }
  server.on('connect', (request, client) => {
    client.on('error', () => {})
    if (!isWelcome(request)) return client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const target = connect(place, '127.0.0.1', () => client.write('HTTP/1.1 200 OK\r\n\r\n'))
    joinSockets(client as Socket, target)
  })
  server.on('request', (request, response) => {
    if (!isWelcome(request)) return response.writeHead(407).end()
    const { pathname, search } = new URL(request.url ?? '')
    const onward = send(
      { port: place, host: '127.0.0.1', path: pathname + search, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    request.pipe(onward)
  })
  return started(server, { asked, credentials })
}

/** The same for SOCKS5, with a password where one is given. */
export async function startSocksProxy(
  place: number,
  options: { password?: string } = {},
): Promise<UpstreamProxy> {
  const [asked, credentials]: [string[], (string | undefined)[]] = [[], []]
  const server = createTcpServer(async (client) => {
    client.on('error', () => {})
    const [, count = 0] = await bytesOf(client, 2)
    const methods = [...(await bytesOf(client, count))]
    const method = options.password === undefined ? 0 : 2
    if (!methods.includes(method)) return client.end(Buffer.from([5, 255]))
    client.write(Buffer.from([5, method]))
    credentials.push(method === 2 ? await readPair(client) : undefined)
    if (method === 2) {
      const isRight = credentials.at(-1) === options.password
      client.write(Buffer.from([1, isRight ? 0 : 1]))
      if (!isRight) return client.end()
    }
    asked.push(await readTarget(client))
    const target = connect(place, '127.0.0.1', () => {
      // One write for the answer and nothing after it, so that a reader who takes too much is noticed.
      client.write(Buffer.from([5, 0, 0, 3, 4, ...Buffer.from('here'), 0, 80]))
      joinSockets(client, target)
    })
  })
  return started(server, { asked, credentials })
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

async function started(
  server: Server,
  seen: Pick<UpstreamProxy, 'asked' | 'credentials'>,
): Promise<UpstreamProxy> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A listening TCP server always has an address object; a string is for pipes only.
  const { port } = server.address() as AddressInfo
  return {
    port,
    ...seen,
    async stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
