import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { listener } from '../../platform/functions.ts'
import { createTokenBucket } from '../../platform/token-bucket.ts'
import { closeSocket, createWebSocketServer, keepAlive } from '../../platform/web-sockets.ts'
import { createOutbox, type UnreadLimits } from '../outbox.ts'
import { connectCaller } from './caller.ts'
import type { CdpMultiplexer } from './multiplexer.ts'

/** A DevTools message may contain a file or a long script. */
const maxMessageBytes = 64 * 1024 * 1024
const maxHeaderBytes = 16 * 1024
const maxHandshakeMs = 10_000
/** Drivers request the version once. */
const maxRequests = 20
const maxUnreadBytes = 4 * 1024 * 1024

/** Serves connections to 127.0.0.1:9222 of the code sandbox, with Chromium's DevTools paths, as external clients. */
export function createCdpConnections(cdp: CdpMultiplexer, limits: UnreadLimits): (socket: Socket) => void {
  const sockets = createWebSocketServer({
    maxPayload: maxMessageBytes,
    // Thousands of small messages may arrive in one chunk and must not block other clients.
    allowSynchronousEvents: false,
  })
  const server = createServer({ maxHeaderSize: maxHeaderBytes }, (request, response) => {
    serveHttp(cdp, request, response).catch(() => {
      response.writeHead(503).end('The browser does not answer')
    })
  })
  server.maxRequestsPerSocket = maxRequests
  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const page = /^\/devtools\/page\/([\w-]+)/.exec(request.url ?? '')?.[1]
    sockets.handleUpgrade(request, socket, head, (opened) => {
      clearTimeout(timers.get(socket))
      serveCdpSocket(cdp, opened, { limits, ...(page === undefined ? {} : { targetId: page }) })
    })
  }
  server.on(
    'upgrade',
    listener(onUpgrade, (_, __, socket) => socket.destroy()),
  )
  // The timeouts of the server do not apply to connections that it has not accepted itself.
  const timers = new WeakMap<Duplex, NodeJS.Timeout>()
  const admit = createAdmission((socket) => server.emit('connection', socket))
  return (socket) => {
    const timer = setTimeout(() => socket.destroy(), maxHandshakeMs)
    timers.set(socket, timer)
    socket.once('close', () => clearTimeout(timer))
    admit(socket)
  }
}

export function serveCdpSocket(
  cdp: CdpMultiplexer,
  socket: WebSocket,
  { targetId, limits }: { targetId?: string; limits: UnreadLimits },
): void {
  socket.on('error', () => socket.terminate())
  socket.pause()
  const { send: receive, unread, drained } = createOutbox(socket, limits)
  const closed = (reason = 'The browser has ended') => closeSocket(socket, 1001, reason)
  cdp.join({ kind: 'guest', receive, closed, ...(targetId === undefined ? {} : { targetId }) }).then(
    (client) => {
      if (socket.readyState !== socket.OPEN) return client.disconnect()
      const stopPinging = keepAlive(socket)
      socket.on('close', () => {
        stopPinging()
        client.disconnect()
      })
      // For a client that does not read, or that sends calls faster than the browser responds.
      const applyBackPressure = async () => {
        socket.pause()
        await Promise.all([client.drained(), drained()])
        if (socket.isPaused) socket.resume()
      }
      const onMessage = (message: RawData) => {
        const isAccepted = client.send(String(message))
        if (!(isAccepted && unread() < maxUnreadBytes) && !socket.isPaused) return applyBackPressure()
      }
      socket.on(
        'message',
        listener(onMessage, () => socket.terminate()),
      )
      socket.resume()
    },
    (error: Error) => {
      socket.resume()
      socket.close(1011, error.message.slice(0, 100))
    },
  )
}

async function serveHttp(
  cdp: CdpMultiplexer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').replace(/[?#].*/, '').replace(/(.)\/$/, '$1')
  const host = request.headers.host ?? '127.0.0.1'
  const isList = path === '/json' || path === '/json/list'
  if (!isList && path !== '/json/version') return void response.writeHead(404).end()
  const body = await (isList ? getPages : getVersion)(cdp, host)
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(body))
}

async function getVersion(cdp: CdpMultiplexer, host: string): Promise<object> {
  const info: Record<string, string> = await callBrowser(cdp, 'Browser.getVersion')
  return {
    Browser: info.product,
    'Protocol-Version': info.protocolVersion,
    'User-Agent': info.userAgent,
    'V8-Version': info.jsVersion,
    webSocketDebuggerUrl: `ws://${host}/devtools/browser`,
  }
}

async function getPages(cdp: CdpMultiplexer, host: string): Promise<object[]> {
  const found: { targetInfos: Record<string, string>[] } = await callBrowser(cdp, 'Target.getTargets')
  return found.targetInfos.map(({ targetId, type, title, url }) => ({
    ...{ id: targetId, type, title, url },
    webSocketDebuggerUrl: `ws://${host}/devtools/page/${targetId}`,
  }))
}

async function callBrowser<Result>(cdp: CdpMultiplexer, method: string): Promise<Result> {
  const caller = await connectCaller(cdp, { onEvent: () => {}, onClosed: () => {} })
  try {
    return await caller.call<Result>(method)
  } finally {
    caller.disconnect()
  }
}

const connectionRate = { perSecond: 50, burst: 200 }

/** Admits connections at a limited rate. A client that keeps connecting waits, so it only affects its own session. */
function createAdmission(onAdmitted: (socket: Socket) => void): (socket: Socket) => void {
  const rate = createTokenBucket(connectionRate)
  const waiting = new Set<Socket>()
  let isPaused = false

  function admitWaiting(): void {
    isPaused = false
    for (const socket of waiting) {
      const waitMs = rate.wait()
      if (waitMs > 0) {
        isPaused = true
        setTimeout(admitWaiting, waitMs)
        return
      }
      rate.take(1)
      waiting.delete(socket)
      onAdmitted(socket)
    }
  }

  return (socket) => {
    waiting.add(socket)
    socket.once('close', () => waiting.delete(socket))
    if (!isPaused) admitWaiting()
  }
}
