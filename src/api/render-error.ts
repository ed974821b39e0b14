import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { AppError, type ErrorCode } from '../platform/errors.ts'

export interface RenderedError {
  status: number
  headers: Record<string, string>
  body: Record<string, unknown>
}

export function renderError(error: AppError, requestId: string): RenderedError {
  const { detail, code } = error
  const retryAfter =
    typeof detail.retryAfter === 'number' ? detail.retryAfter : code === 'STOPPING' ? 2 : undefined
  return {
    status: error.status,
    headers: {
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...(Array.isArray(detail.allow) ? { allow: detail.allow.join(', ') } : {}),
    },
    body: {
      success: false,
      code,
      error: withBadRequestPrefix(error),
      ...detail,
      ...(code === 'INTERNAL' ? { requestId } : {}),
    },
  }
}

/** Clients recognize invalid requests by the prefix "Bad Request: ", or by an unrecognized key. */
function withBadRequestPrefix({ status, message }: AppError): string {
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

export function toRenderable(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? frameworkErrors[String(thrown.code)] : undefined
  return new AppError(code ?? 'INTERNAL', {}, { cause: thrown })
}

/** Writes an error response to a socket that is detached from the HTTP server, in the usual format, and closes it. */
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
  // Destroyed, not only ended: the peer could otherwise keep its half open indefinitely.
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}
