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
    const error = isIncomplete(request)
      ? new AppError('MALFORMED_REQUEST')
      : toListedError(
          withBound(toInterruptedError(toRenderable(thrown), request), deps.maxMegabytes),
          request,
          deps,
        )
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

/** Errors after a disconnect are not faults of the service. */
function isIncomplete({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}

/** CALL_INTERRUPTED tells the client that a retry is possible. */
function toInterruptedError(error: AppError, { server }: FastifyRequest): AppError {
  const { interrupted } = server
  return interrupted.aborted && error.status >= 500 && error.code !== 'STOPPING' ? interrupted.reason : error
}

/** If responses are checked (tests), turns an error code that the endpoint does not list into an INTERNAL error. */
function toListedError(
  error: AppError,
  request: FastifyRequest,
  { checkResponses }: Pick<ErrorSenderDeps, 'checkResponses'>,
): AppError {
  const { codes } = request.routeOptions.config
  if (!checkResponses || !codes || codes.has(error.code)) return error
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
