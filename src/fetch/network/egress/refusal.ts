import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { AppError, type ErrorCode, toAppError } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { redactedError } from '../../../platform/safe-errors.ts'

/** Has the error code for the browser driver; responses of sites never contain it. */
export const rejectionHeader = 'x-winnow-refused'

export function rejectRequest(response: ServerResponse, thrown: unknown, log: Log): void {
  const { status, headers, text } = toRejection(thrown, log)
  if (response.headersSent) return void response.destroy()
  response.writeHead(status, headers)
  response.end(text)
}

export function rejectTunnel(client: Socket, thrown: unknown, log: Log): void {
  const { status, headers, text } = toRejection(thrown, log)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (!client.destroyed) client.write(`HTTP/1.1 ${status} Refused\r\n${lines.join('')}\r\n${text}`)
  client.destroySoon()
}

/** The cause may contain IP addresses, so it is not part of the text. */
export function unreachableError(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const isTimeout = cause instanceof Error && cause.name === 'TimeoutError'
  const message = isTimeout ? 'The site did not answer in time.' : 'The site could not be reached.'
  return new AppError('SCRAPE_SITE_ERROR', { phase: 'connect', isTimeout }, { message, cause })
}

/** Logged, because the operator must act. */
export function badCredentialsError(): AppError {
  const message = 'The upstream proxy rejects the credentials.'
  return new AppError('SCRAPE_SITE_ERROR', { phase: 'proxy', isForOperator: true }, { message })
}

const statuses: Partial<Record<ErrorCode, number>> = {
  BAD_URL: 400,
  TARGET_FORBIDDEN: 403,
  SCRAPE_DNS_RESOLUTION_ERROR: 502,
  SCRAPE_SITE_ERROR: 502,
}

function toRejection(thrown: unknown, log: Log) {
  const error = toAppError(thrown)
  // The log never contains the target, because the call may use zero retention.
  if (error.code === 'INTERNAL' && error.cause)
    log.error({ cause: redactedError(error.cause) }, 'a request of a browser failed')
  if (error.detail.isForOperator) log.warn({}, error.message)
  const text = `${error.message}\n`
  return {
    status: error.detail.isTimeout ? 504 : (statuses[error.code] ?? 503),
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      'content-length': String(Buffer.byteLength(text)),
      'cache-control': 'no-store',
      connection: 'close',
      [rejectionHeader]: error.code,
    },
    text,
  }
}
