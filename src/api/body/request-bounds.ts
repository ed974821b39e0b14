import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type BoundName, bounds, exceeds } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'

export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  // Programs that fill in a template send an empty header where they have no key.
  const key = headerText(headers['x-idempotency-key'])?.trim() || undefined
  if (key === undefined || key.length <= bounds.MAX_IDEMPOTENCY_KEY_LENGTH.most) return key
  throw boundError('MAX_IDEMPOTENCY_KEY_LENGTH', 'x-idempotency-key: ')
}

/** What a request goes beyond, by the name of the bound. */
export function boundError(bound: BoundName, about = ''): AppError {
  const detail = { bound, most: bounds[bound].most, details: [] }
  return new AppError('BAD_REQUEST', detail, { message: about + exceeds(bound) })
}

/** The server measures bodies before anything of ours sees them; its refusal names the setting like any other. */
export function withBound(error: AppError, maxMegabytes: number): AppError {
  if (error.code !== 'REQUEST_TOO_LARGE' || error.detail.bound !== undefined) return error
  const message = `The body is larger than this endpoint accepts: MAX_REQUEST_MB allows ${maxMegabytes} MB.`
  const detail = { ...error.detail, bound: 'MAX_REQUEST_MB', most: maxMegabytes }
  return new AppError('REQUEST_TOO_LARGE', detail, { message, cause: error.cause })
}

const processMark = randomBytes(6).toString('hex')
let requests = 0

/** The id that a call is logged under: the caller's own where it sent a usable one, else one that is unique over processes. */
export function requestIdOf(sent: string | string[] | undefined): string {
  const text = headerText(sent)
  if (text !== undefined && /^[\w.:-]{1,128}$/.test(text)) return text
  requests += 1
  return `${processMark}-${requests}`
}

function headerText(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header
}
