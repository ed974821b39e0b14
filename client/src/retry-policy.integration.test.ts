import { describe, expect, it } from 'vitest'
import { describeError, errorCodes } from '../../src/platform/errors.ts'
import { ConnectionError, serviceError, UnexpectedAnswerError, WinnowError } from './errors.ts'
import { mayRepeat, pauseBefore, type Repeatable } from './retry-policy.ts'

const kinds: Repeatable[] = ['always', 'unpaid', 'unstarted']
const allowed = (error: unknown) => kinds.filter((kind) => mayRepeat(error, kind))
const facts = (status: number, code: string) => ({ status, code, message: code, requestId: '' })

describe('a call is made again', () => {
  it('for these errors of the service, and no others', () => {
    const repeated = errorCodes.flatMap((code) => {
      const when = allowed(serviceError(facts(describeError(code).status, code)))
      return when.length === 0 ? [] : [[code, when.at(-1)]]
    })
    expect(Object.fromEntries(repeated)).toEqual({
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

  it('after a lost connection only where nothing was sent or nothing happens twice', () => {
    const lost = (cause: unknown) => new ConnectionError({ ...facts(0, 'CONNECTION_FAILED'), cause })
    const refused = new TypeError('fetch failed', {
      cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }),
    })
    expect(allowed(lost(refused))).toEqual(kinds)
    expect(allowed(lost(new TypeError('Failed to fetch')))).toEqual(['always'])
    const reset = Object.assign(new Error('no'), { code: 'ECONNRESET' })
    expect(allowed(lost(new TypeError('fetch failed', { cause: reset })))).toEqual(['always'])
  })

  it('after an answer of a proxy, where that may pass', () => {
    const strange = (status: number) => new UnexpectedAnswerError(facts(status, 'UNEXPECTED_ANSWER'))
    expect([200, 404, 429, 502, 504].map((status) => allowed(strange(status)).length)).toEqual([
      1, 0, 3, 1, 1,
    ])
  })

  it('not for what is no error of a call', () => {
    expect(allowed(new Error('a bug'))).toEqual([])
  })
})

describe('the pause before it', () => {
  const asked = (retryAfter: number) => new WinnowError({ ...facts(429, 'RATE_LIMITED'), retryAfter })

  it('is what the service asks for, up to a minute', () => {
    expect(pauseBefore(1, asked(7))).toBeGreaterThanOrEqual(7000)
    expect(pauseBefore(1, asked(7))).toBeLessThan(7500)
    expect(pauseBefore(1, asked(61))).toBeUndefined()
  })

  it('grows, and is not the same for all', () => {
    const pauses = Array.from({ length: 50 }, () => pauseBefore(3, new Error('lost')) ?? 0)
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1000)
    expect(Math.max(...pauses)).toBeLessThanOrEqual(2000)
    expect(new Set(pauses).size).toBeGreaterThan(10)
    expect(pauseBefore(40, new Error('lost'))).toBeLessThanOrEqual(8000)
  })
})
