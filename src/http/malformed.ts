import type { Socket } from 'node:net'
import { AppError, type ErrorCode } from '../base/errors.ts'
import { refuseSocket } from './refuse-socket.ts'

/** What Node's parser met → a code of the table. */
const codes: Record<string, ErrorCode> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'HEADERS_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/** Bytes that are no HTTP request: there is no request to answer, only a connection. */
export function refuseMalformed(cause: Error & { code?: string }, socket: Socket): void {
  // The other side has gone, or an answer is under way already and cannot be taken back.
  if (cause.code === 'ECONNRESET' || socket.bytesWritten > 0) return void socket.destroy()
  if (cause.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) return void closeUnused(socket)
  refuseSocket(socket, new AppError(codes[cause.code ?? ''] ?? 'MALFORMED_REQUEST'))
}

/**
 * Nothing was asked, so nothing is answered. Clients open connections ahead of their calls, and the first of these may have come
 * while the process was busy, just as the time was over: what is there is read before the connection is closed.
 */
function closeUnused(socket: Socket): void {
  setImmediate(() => {
    if (socket.bytesRead === 0) socket.destroy()
  })
}
