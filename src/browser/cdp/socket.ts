import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { keepAlive } from '../../base/keep-alive.ts'
import { askBrowser } from './ask-browser.ts'
import type { CdpSwitch } from './switch.ts'

/** What a client may still have to read before the next message: more than that, and it does not read at all. */
const mostBuffered = 64 * 1024 * 1024
const mostMessage = 64 * 1024 * 1024

/**
 * Serves a connection that speaks HTTP and WebSocket (Chromium's own DevTools addresses) as a guest of the switch: for
 * 127.0.0.1:9222 of the code sandbox.
 */
export function cdpConnections(cdp: CdpSwitch): (socket: Socket) => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: mostMessage })
  const server = createServer((request, response) => {
    answerHttp(cdp, request, response).catch(() => {
      response.writeHead(503).end('The browser does not answer')
    })
  })
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    const page = /^\/devtools\/page\/([\w-]+)/.exec(request.url ?? '')?.[1]
    sockets.handleUpgrade(request, socket, head, (opened) => serveCdpSocket(cdp, opened, page))
  })
  return (socket) => void server.emit('connection', socket)
}

/** An accepted WebSocket as a guest: for cdpUrl. With `targetId`, a guest of that page alone. */
export function serveCdpSocket(cdp: CdpSwitch, socket: WebSocket, targetId?: string): void {
  socket.on('error', () => socket.terminate())
  socket.pause()
  const receive = (text: string) => {
    if (socket.bufferedAmount > mostBuffered) throw new Error('The client does not read')
    socket.send(text)
  }
  const closed = () => {
    // What waits unread would keep a polite close from ever being sent.
    if (socket.bufferedAmount > mostBuffered) socket.terminate()
    else socket.close(1001, 'The browser has gone')
  }
  cdp.join({ kind: 'guest', receive, closed, ...(targetId === undefined ? {} : { targetId }) }).then(
    (client) => {
      if (socket.readyState !== socket.OPEN) return client.leave()
      const stopPinging = keepAlive(socket)
      socket.on('close', () => {
        stopPinging()
        client.leave()
      })
      socket.on('message', (message) => {
        if (client.send(String(message))) return
        socket.pause()
        void client.drained().then(() => socket.resume())
      })
      socket.resume()
    },
    (error: Error) => {
      socket.resume()
      socket.close(1011, error.message.slice(0, 100))
    },
  )
}

async function answerHttp(cdp: CdpSwitch, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').replace(/[?#].*/, '').replace(/(.)\/$/, '$1')
  const host = request.headers.host ?? '127.0.0.1'
  const answer =
    path === '/json/version'
      ? await version(cdp, host)
      : /^\/json(\/list)?$/.test(path) && (await pages(cdp, host))
  if (!answer) return void response.writeHead(404).end()
  response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8' }).end(JSON.stringify(answer))
}

async function version(cdp: CdpSwitch, host: string): Promise<object> {
  const said = await askBrowser<Record<string, string>>(cdp, 'Browser.getVersion')
  return {
    Browser: said.product,
    'Protocol-Version': said.protocolVersion,
    'User-Agent': said.userAgent,
    'V8-Version': said.jsVersion,
    webSocketDebuggerUrl: `ws://${host}/devtools/browser`,
  }
}

async function pages(cdp: CdpSwitch, host: string): Promise<object[]> {
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
