import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { RawData, WebSocket } from 'ws'
import { listener } from '../../platform/functions.ts'
import { bucket } from '../../platform/token-bucket.ts'
import { createWebSocketServer, dismiss, keepAlive } from '../../platform/web-sockets.ts'
import { outbox, type UnreadLimits } from '../outbox.ts'
import { connectCaller } from './caller.ts'
import type { CdpMultiplexer } from './multiplexer.ts'

/** A DevTools message may carry a file or a long script. */
const maxMessage = 64 * 1024 * 1024
const maxHeaderBytes = 16 * 1024
/** A connection must become a WebSocket within this time; otherwise it is closed. */
const maxHttpMs = 10_000
/** Of one connection: drivers ask for the version once. */
const maxRequests = 20
/** Unread data at which the service stops reading from the client. */
const maxUnread = 4 * 1024 * 1024

export interface CdpClientOptions {
  /** A guest of this page only. */
  targetId?: string
  limits: UnreadLimits
}

/**
 * Serves a connection that speaks HTTP and WebSocket (Chromium's own DevTools addresses) as a guest of the switch: for
 * 127.0.0.1:9222 of the code sandbox.
 */
export function createCdpConnections(cdp: CdpMultiplexer, limits: UnreadLimits): (socket: Socket) => void {
  const sockets = createWebSocketServer({
    maxPayload: maxMessage,
    // One message per turn of the event loop: thousands of small ones may arrive in one chunk, and must not block others.
    allowSynchronousEvents: false,
  })
  const server = createServer({ maxHeaderSize: maxHeaderBytes }, (request, response) => {
    answerHttp(cdp, request, response).catch(() => {
      response.writeHead(503).end('The browser does not answer')
    })
  })
  server.maxRequestsPerSocket = maxRequests
  const upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const page = /^\/devtools\/page\/([\w-]+)/.exec(request.url ?? '')?.[1]
    sockets.handleUpgrade(request, socket, head, (opened) => {
      clearTimeout(clocks.get(socket))
      serveCdpSocket(cdp, opened, { limits, ...(page === undefined ? {} : { targetId: page }) })
    })
  }
  server.on(
    'upgrade',
    listener(upgrade, (_, __, socket) => socket.destroy()),
  )
  // The timeouts of the server only apply if it listens itself.
  const clocks = new WeakMap<Duplex, NodeJS.Timeout>()
  const enter = entrance((socket) => server.emit('connection', socket))
  return (socket) => {
    const clock = setTimeout(() => socket.destroy(), maxHttpMs)
    clocks.set(socket, clock)
    socket.once('close', () => clearTimeout(clock))
    enter(socket)
  }
}

/** An accepted WebSocket as a guest: for cdpUrl. */
export function serveCdpSocket(
  cdp: CdpMultiplexer,
  socket: WebSocket,
  { targetId, limits }: CdpClientOptions,
): void {
  socket.on('error', () => socket.terminate())
  socket.pause()
  const { send: receive, unread, drained } = outbox(socket, limits)
  const closed = (reason = 'The browser has ended') => dismiss(socket, 1001, reason)
  cdp.join({ kind: 'guest', receive, closed, ...(targetId === undefined ? {} : { targetId }) }).then(
    (client) => {
      if (socket.readyState !== socket.OPEN) return client.leave()
      const stopPinging = keepAlive(socket)
      socket.on('close', () => {
        stopPinging()
        client.leave()
      })
      // Back-pressure: stop reading from a client that does not read, or that sends calls faster than they are answered.
      const rest = async () => {
        socket.pause()
        await Promise.all([client.drained(), drained()])
        if (socket.isPaused) socket.resume()
      }
      const hear = (message: RawData) => {
        const goesOn = client.send(String(message))
        if (!(goesOn && unread() < maxUnread) && !socket.isPaused) return rest()
      }
      socket.on(
        'message',
        listener(hear, () => socket.terminate()),
      )
      socket.resume()
    },
    (error: Error) => {
      socket.resume()
      socket.close(1011, error.message.slice(0, 100))
    },
  )
}

async function answerHttp(
  cdp: CdpMultiplexer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '').replace(/[?#].*/, '').replace(/(.)\/$/, '$1')
  const host = request.headers.host ?? '127.0.0.1'
  const answer =
    path === '/json/version'
      ? await version(cdp, host)
      : /^\/json(\/list)?$/.test(path) && (await pages(cdp, host))
  if (!answer) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(answer))
}

async function version(cdp: CdpMultiplexer, host: string): Promise<object> {
  const said = await askBrowser<Record<string, string>>(cdp, 'Browser.getVersion')
  return {
    Browser: said.product,
    'Protocol-Version': said.protocolVersion,
    'User-Agent': said.userAgent,
    'V8-Version': said.jsVersion,
    webSocketDebuggerUrl: `ws://${host}/devtools/browser`,
  }
}

async function pages(cdp: CdpMultiplexer, host: string): Promise<object[]> {
  const { targetInfos } = await askBrowser<{ targetInfos: Record<string, string>[] }>(
    cdp,
    'Target.getTargets',
  )
  return targetInfos.map(({ targetId, type, title, url }) => ({
    id: targetId,
    type,
    title,
    url,
    webSocketDebuggerUrl: `ws://${host}/devtools/page/${targetId}`,
  }))
}

/** One call of the service to the browser. */
async function askBrowser<Result>(cdp: CdpMultiplexer, method: string, params = {}): Promise<Result> {
  const caller = await connectCaller(cdp, { onEvent: () => {}, onClosed: () => {} })
  try {
    return await caller.call<Result>(method, params)
  } finally {
    caller.leave()
  }
}

/** Drivers connect once or twice, and then stay. */
const pace = { perSecond: 50, atOnce: 200 }

/** Admits connections one by one. A client that keeps connecting waits, and only uses up the places of its own session. */
function entrance(onEntered: (socket: Socket) => void): (socket: Socket) => void {
  const left = bucket(pace)
  const waiting = new Set<Socket>()
  let isResting = false

  function letIn(): void {
    isResting = false
    for (const socket of waiting) {
      const wait = left.wait()
      if (wait > 0) {
        isResting = true
        setTimeout(letIn, wait)
        return
      }
      left.take(1)
      waiting.delete(socket)
      onEntered(socket)
    }
  }

  return (socket) => {
    waiting.add(socket)
    socket.once('close', () => waiting.delete(socket))
    if (!isResting) letIn()
  }
}
