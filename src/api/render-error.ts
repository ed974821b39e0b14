import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorCode } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { operatorTemporaryFolder } from '../platform/temporary-files.ts'
import type { ObserveCall } from './send-response.ts'

export function renderError(error: AppError, requestId: string) {
  const { detail, code } = error
  const retryAfter =
    typeof detail.retryAfter === 'number' ? detail.retryAfter : code === 'STOPPING' ? 2 : undefined
  const headers: Record<string, string> = {
    ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    ...(Array.isArray(detail.allow) ? { allow: detail.allow.join(', ') } : {}),
  }
  const body: Record<string, unknown> = {
    ...{ success: false, code, error: withBadRequestPrefix(error), ...detail },
    ...(code === 'INTERNAL' ? { requestId } : {}),
  }
  return { status: error.status, headers, body }
}

/** Clients recognize an invalid request by the beginning of its message, which is one of those below. */
function withBadRequestPrefix({ status, message }: AppError): string {
  return status !== 400 || /^(?:Bad Request|Unrecognized key|Invalid request body)\b/.test(message)
    ? message
    : `Bad Request: ${message}`
}

const frameworkErrors: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
  FST_ERR_BAD_URL: 'ROUTE_NOT_FOUND',
  FST_ERR_MAX_PARAM_LENGTH: 'ROUTE_NOT_FOUND',
}

export function toRenderable(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? frameworkErrors[String(thrown.code)] : undefined
  return new AppError(code ?? 'INTERNAL', {}, { cause: thrown })
}

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

interface ErrorSenderDeps {
  log: Log
  observe: ObserveCall
  checkResponses: boolean
}

export type SendError = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply

export function createErrorSender(deps: ErrorSenderDeps): SendError {
  return (thrown, request, reply) => {
    const error = toReportedError(thrown, request, deps)
    logFault(deps.log, error, request.id)
    // Fastify would close the connection, and a client that is still writing would not get this response.
    reply.removeHeader('connection')
    const { status, headers, body } = renderError(error, request.id)
    deps.observe(request, status, error.code)
    return reply
      .code(status)
      .headers({ 'x-request-id': request.id, ...headers })
      .send({ ...body, ...request.routeOptions.config.errorFields?.(error) })
  }
}

function toReportedError(thrown: unknown, request: FastifyRequest, deps: ErrorSenderDeps): AppError {
  // Errors after a disconnect are not faults of the service.
  if (request.raw.destroyed && !request.raw.complete) return new AppError('MALFORMED_REQUEST')
  const { interrupted } = request.server
  const original = toRenderable(thrown)
  // CALL_INTERRUPTED tells the client that a retry is possible.
  const isInterrupted = interrupted.aborted && original.status >= 500 && original.code !== 'STOPPING'
  const error: AppError = isInterrupted ? interrupted.reason : original
  const { codes } = request.routeOptions.config
  if (!deps.checkResponses || !codes || codes.has(error.code)) return error
  return new AppError('INTERNAL', {}, { cause: new Error(`${error.code} is not listed`, { cause: error }) })
}

function logFault(log: Log, error: AppError, requestId: string): void {
  if (error.code === 'INTERNAL') {
    log.error({ requestId, cause: error.cause ?? error }, 'a call failed')
  }
  if (error.code === 'STORED_DATA_DAMAGED') {
    log.error({ requestId, ...error.detail, cause: error.cause }, 'stored data is damaged or missing')
  }
  if (error.code === 'STORE_UNAVAILABLE') {
    log.warn({ requestId, part: error.detail.part, cause: error.cause }, 'a part is not there')
  }
  if (error.code === 'TEMPORARY_FOLDER_FULL') {
    const { code, cause } = error
    log.warn({ requestId, code, folder: operatorTemporaryFolder(), cause }, 'the temporary folder is full')
  }
}
