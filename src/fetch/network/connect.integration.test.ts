import { expect, it } from 'vitest'
import { toNetworkError } from './connect.ts'

const createError = (code: string, message = 'connect to 10.0.0.1:80 by the library') =>
  Object.assign(new Error(message), { code })

it.each([
  [createError('ECONNREFUSED'), 'ECONNREFUSED'],
  [createError('UND_ERR_SOCKET'), 'ECONNRESET'],
  [createError('UND_ERR_CONNECT_TIMEOUT'), 'ETIMEDOUT'],
  [createError('DEPTH_ZERO_SELF_SIGNED_CERT'), 'TLS'],
  [createError('HPE_INVALID_CONSTANT'), 'NOT_HTTP'],
  [createError('SOMETHING_NEW'), 'UNKNOWN'],
  [new AggregateError([createError('EHOSTUNREACH')]), 'EHOSTUNREACH'],
  [new Error('fetch failed', { cause: createError('ECONNRESET') }), 'ECONNRESET'],
  [new Error('other side closed 10.0.0.1'), 'UNKNOWN'],
  ['a text', 'UNKNOWN'],
])('toNetworkError maps %s to %s', (thrown, reason) => {
  const failure = toNetworkError(thrown)
  expect(failure.reason).toBe(reason)
  expect(failure.description).not.toMatch(/\d|library/)
})
