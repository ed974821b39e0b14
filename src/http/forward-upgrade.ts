import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError } from '../base/errors.ts'
import { listener } from '../base/listener.ts'
import { refuseSocket } from './refuse-socket.ts'

/** Names the process that a connection is meant for: any other process passes nothing on. */
export const homeHeader = 'x-winnow-session-home'

/** Hands a connection over to another process of the installation, as it came in, and joins the two. */
export function forwardUpgrade(
  request: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
  to: { url: string; holder: string },
): void {
  const ask = to.url.startsWith('https:') ? httpsRequest : httpRequest
  // A request may name a host in its target, which must not become a part of the address of the other process.
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  const outgoing = ask(new URL(`${to.url}${pathname}${search}`), {
    headers: { ...request.headers, [homeHeader]: to.holder },
    timeout: 10_000,
  })
  let isAnswered = false
  const failed = () => {
    outgoing.destroy()
    if (isAnswered) socket.destroy()
    else refuseSocket(socket, new AppError('SESSION_FAILED'))
  }
  const join = (answer: IncomingMessage, peer: Socket, peerHead: Buffer) => {
    isAnswered = true
    peer.on('error', () => socket.destroy())
    peer.on('close', () => socket.destroy())
    socket.on('close', () => peer.destroy())
    // From here on, silence is no fault: a connected client may have nothing to say.
    peer.setTimeout(0)
    socket.write(headOf(answer))
    if (peerHead.length > 0) socket.write(peerHead)
    if (head.length > 0) peer.write(head)
    peer.pipe(socket).pipe(peer)
  }
  const passOn = (answer: IncomingMessage) => {
    isAnswered = true
    socket.write(headOf(answer))
    answer.on('error', failed)
    socket.once('finish', () => socket.destroy())
    answer.pipe(socket)
  }
  outgoing.on('upgrade', listener(join, failed))
  outgoing.on('response', listener(passOn, failed))
  outgoing.on('timeout', failed)
  outgoing.on('error', failed)
  socket.on('close', () => outgoing.destroy())
  outgoing.end()
}

function headOf(answer: IncomingMessage): string {
  const lines = [`HTTP/1.1 ${answer.statusCode} ${answer.statusMessage}`]
  for (let index = 0; index < answer.rawHeaders.length; index += 2) {
    lines.push(`${answer.rawHeaders[index]}: ${answer.rawHeaders[index + 1]}`)
  }
  return `${lines.join('\r\n')}\r\n\r\n`
}
