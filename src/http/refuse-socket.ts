import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { AppError } from '../base/errors.ts'
import { renderError } from './render-error.ts'

/** Answers a connection that the HTTP server has let go of, in the shape of every other answer, and ends it at once. */
export function refuseSocket(socket: Duplex, error: AppError): void {
  if (!socket.writable) return void socket.destroy()
  const { status, headers, body } = renderError(error, '')
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(text)}`,
  ]
  // Not only ended: the other side could keep its half open for as long as it likes.
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}
