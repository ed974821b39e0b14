import type { IncomingHttpHeaders } from 'node:http'
import { bounds, exceeds } from '../base/bounds.ts'
import { AppError } from '../base/errors.ts'
import { headerText } from './request-id.ts'

export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  // Programs that fill in a template send an empty header where they have no key.
  const key = headerText(headers['x-idempotency-key'])?.trim() || undefined
  const { most } = bounds.MAX_IDEMPOTENCY_KEY_LENGTH
  if (key === undefined || key.length <= most) return key
  const bound = 'MAX_IDEMPOTENCY_KEY_LENGTH'
  const message = `x-idempotency-key: ${exceeds(bound)}`
  throw new AppError('BAD_REQUEST', { bound, most, details: [] }, { message })
}

/** The server measures bodies before anything of ours sees them; its refusal names the setting like any other. */
export function withBound(error: AppError, mostMegabytes: number): AppError {
  if (error.code !== 'REQUEST_TOO_LARGE' || error.detail.bound !== undefined) return error
  const message = `The body is larger than this endpoint accepts: MAX_REQUEST_MB allows ${mostMegabytes} MB.`
  const detail = { ...error.detail, bound: 'MAX_REQUEST_MB', most: mostMegabytes }
  return new AppError('REQUEST_TOO_LARGE', detail, { message, cause: error.cause })
}
