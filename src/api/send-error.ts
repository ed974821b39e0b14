import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../platform/errors.ts'
import type { Log } from '../platform/log.ts'
import { operatorTemporaryFolder } from '../platform/temporary-files.ts'
import { withBound } from './body/request-bounds.ts'
import { renderError, toRenderable } from './render-error.ts'
import type { ObserveCall } from './send-response.ts'

export interface ErrorSenderDeps {
  log: Log
  observe: ObserveCall
  maxMegabytes: number
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
  const error = withBound(isInterrupted ? interrupted.reason : original, deps.maxMegabytes)
  const { codes } = request.routeOptions.config
  if (!deps.checkResponses || !codes || codes.has(error.code)) return error
  // Fails tests that check responses.
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
