import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError, type ErrorCode } from '../platform/errors.ts'

export interface RenderedError {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
}

/** The only place where an error becomes a response. */
export function renderError(error: AppError, requestId: string): RenderedError {
  const { detail, code } = error
  const wait = typeof detail.retryAfter === 'number' ? detail.retryAfter : code === 'STOPPING' ? 2 : undefined
  return {
    status: error.status,
    headers: {
      ...(wait === undefined ? {} : { 'retry-after': String(wait) }),
      ...(Array.isArray(detail.allow) ? { allow: detail.allow.join(', ') } : {}),
    },
    body: {
      success: false,
      code,
      error: shownMessage(error),
      ...detail,
      ...(code === 'INTERNAL' ? { requestId } : {}),
    },
  }
}

/** Clients tell a request that is wrong in itself by how its text begins; those that name a key begin with that. */
function shownMessage({ status, message }: AppError): string {
  return status !== 400 || /^(?:Bad Request|Unrecognized key|Invalid request body)\b/.test(message)
    ? message
    : `Bad Request: ${message}`
}

const frameworkErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_CTP_BODY_TOO_LARGE: 'REQUEST_TOO_LARGE',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'BAD_REQUEST_INVALID_JSON',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'BAD_REQUEST_INVALID_JSON',
  FST_ERR_BAD_URL: 'ROUTE_NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'ROUTE_NOT_FOUND',
}

/** Whatever was thrown while a request was handled, the server's own errors included. */
export function toRenderable(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? frameworkErrors[String(thrown.code)] : undefined
  return new AppError(code ?? 'INTERNAL', {}, { cause: thrown })
}

/** Answers a connection that the HTTP server has let go of, in the shape of every other answer, and ends it at once. */
export function rejectSocket(socket: Duplex, error: AppError): void {
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
