import { describe, expect, it } from 'vitest'
import { describeError, errorCodes } from '../../src/platform/errors.ts'
import { ConnectionError, serviceError, UnexpectedResponseError, WinnowError } from './errors.ts'
import { isRetryable, type RetryPolicy, retryDelay } from './retry-policy.ts'

const kinds: RetryPolicy[] = ['always', 'unpaid', 'unstarted']
const permittedKinds = (error: unknown) => kinds.filter((kind) => isRetryable(error, kind))
const errorProperties = (status: number, code: string) => ({ status, code, message: code, requestId: '' })

describe('mayRepeat', () => {
  it('permits a retry only for these errors of the service', () => {
    const retryable = errorCodes.flatMap((code) => {
      const permitted = permittedKinds(serviceError(errorProperties(describeError(code).status, code)))
      return permitted.length === 0 ? [] : [[code, permitted.at(-1)]]
    })
    expect(Object.fromEntries(retryable)).toEqual({
      RATE_LIMITED: 'unstarted',
      STOPPING: 'unstarted',
      TOO_MANY_SOCKETS: 'unstarted',
      CODE_NOT_STARTED: 'unstarted',
      SESSION_FAILED: 'unstarted',
      JOB_INTERRUPTED: 'unpaid',
      STORE_UNAVAILABLE: 'unpaid',
      TEMPORARY_FOLDER_FULL: 'unpaid',
      CALL_INTERRUPTED: 'always',
    })
  })

  it('permits a retry after a lost connection if nothing was sent or the call is repeatable', () => {
    const connectionLost = (cause: unknown) =>
      new ConnectionError({ ...errorProperties(0, 'CONNECTION_FAILED'), cause })
    const connectionRefused = new TypeError('fetch failed', {
      cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }),
    })
    expect(permittedKinds(connectionLost(connectionRefused))).toEqual(kinds)
    expect(permittedKinds(connectionLost(new TypeError('Failed to fetch')))).toEqual(['always'])
    const reset = Object.assign(new Error('no'), { code: 'ECONNRESET' })
    expect(permittedKinds(connectionLost(new TypeError('fetch failed', { cause: reset })))).toEqual([
      'always',
    ])
  })

  it('permits a retry after a transient error response of a proxy', () => {
    const unexpected = (status: number) =>
      new UnexpectedResponseError(errorProperties(status, 'UNEXPECTED_ANSWER'))
    expect([200, 404, 429, 502, 504].map((status) => permittedKinds(unexpected(status)).length)).toEqual([
      1, 0, 3, 1, 1,
    ])
  })

  it('does not permit a retry for an error that is not a WinnowError', () => {
    expect(permittedKinds(new Error('a bug'))).toEqual([])
  })
})

describe('pauseBefore', () => {
  const rateLimited = (retryAfter: number) =>
    new WinnowError({ ...errorProperties(429, 'RATE_LIMITED'), retryAfter })

  it('returns the wait that the service requests, up to one minute', () => {
    expect(retryDelay(1, rateLimited(7))).toBeGreaterThanOrEqual(7000)
    expect(retryDelay(1, rateLimited(7))).toBeLessThan(7500)
    expect(retryDelay(1, rateLimited(61))).toBeUndefined()
  })

  it('returns a growing delay with jitter', () => {
    const delays = Array.from({ length: 50 }, () => retryDelay(3, new Error('lost')) ?? 0)
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...delays)).toBeLessThanOrEqual(2000)
    expect(new Set(delays).size).toBeGreaterThan(10)
    expect(retryDelay(40, new Error('lost'))).toBeLessThanOrEqual(8000)
  })
})
