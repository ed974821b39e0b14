import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { type BoundName, bounds, formatBoundError } from '../../platform/bounds.ts'
import { AppError } from '../../platform/errors.ts'

export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  // Clients that fill in a template send an empty header if they have no key.
  const key = headerText(headers['x-idempotency-key'])?.trim() || undefined
  if (key === undefined || key.length <= bounds.MAX_IDEMPOTENCY_KEY_LENGTH.most) return key
  throw boundError('MAX_IDEMPOTENCY_KEY_LENGTH', 'x-idempotency-key: ')
}

export function boundError(bound: BoundName, prefix = ''): AppError {
  const detail = { bound, most: bounds[bound].most, details: [] }
  return new AppError('BAD_REQUEST', detail, { message: prefix + formatBoundError(bound) })
}

export function createTooLargeError(maxMegabytes: number): AppError {
  const message = `The body is larger than this endpoint accepts: MAX_REQUEST_MB allows ${maxMegabytes} MB.`
  return new AppError('REQUEST_TOO_LARGE', { bound: 'MAX_REQUEST_MB', most: maxMegabytes }, { message })
}

const processId = randomBytes(6).toString('hex')
let requestCount = 0

export function requestIdOf(header: string | string[] | undefined): string {
  const text = headerText(header)
  if (text !== undefined && /^[\w.:-]{1,128}$/.test(text)) return text
  requestCount += 1
  return `${processId}-${requestCount}`
}

const headerText = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)
