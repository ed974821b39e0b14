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

/** Answers with whatever was thrown on the way of a call; the only way by which an error leaves. */
export function createErrorSender(deps: ErrorSenderDeps): SendError {
  return (thrown, request, reply) => {
    const error = isCutOff(request)
      ? new AppError('MALFORMED_REQUEST')
      : listed(withBound(asInterrupted(toRenderable(thrown), request), deps.maxMegabytes), request, deps)
    logFault(deps.log, error, request.id)
    // The framework closes the connection after an error in a body. A caller that still writes would find a broken pipe
    // instead of this response, so the rest of the body is read and thrown away for a while (see connections.ts).
    reply.removeHeader('connection')
    const { status, headers, body } = renderError(error, request.id)
    deps.observe(request, status, error.code)
    return reply
      .code(status)
      .headers({ 'x-request-id': request.id, ...headers })
      .send({ ...body, ...request.routeOptions.config.errorFields?.(error) })
  }
}

/** Whether the caller has gone in the middle of its request: whatever that made us throw is no fault of ours. */
function isCutOff({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete
}

/** A call that fails because the service interrupts it may fail in any way; the caller needs to know that it can call again. */
function asInterrupted(error: AppError, { server }: FastifyRequest): AppError {
  const { interrupted } = server
  return interrupted.aborted && error.status >= 500 && error.code !== 'STOPPING' ? interrupted.reason : error
}

/** In tests, a code that the endpoint does not promise is as wrong as an answer that does not fit its schema. */
function listed(
  error: AppError,
  request: FastifyRequest,
  { checkResponses }: Pick<ErrorSenderDeps, 'checkResponses'>,
): AppError {
  const { codes } = request.routeOptions.config
  if (!checkResponses || !codes || codes.has(error.code)) return error
  return new AppError('INTERNAL', {}, { cause: new Error(`${error.code} is not listed`, { cause: error }) })
}

/** What is no fault of the caller's is for the operator to see. */
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
