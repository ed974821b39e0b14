import { expect, it } from 'vitest'
import { toNetworkError } from './connect.ts'

const failed = (code: string, message = 'connect to 10.0.0.1:80 by the library') =>
  Object.assign(new Error(message), { code })

it.each([
  [failed('ECONNREFUSED'), 'ECONNREFUSED'],
  [failed('UND_ERR_SOCKET'), 'ECONNRESET'],
  [failed('UND_ERR_CONNECT_TIMEOUT'), 'ETIMEDOUT'],
  [failed('DEPTH_ZERO_SELF_SIGNED_CERT'), 'TLS'],
  [failed('HPE_INVALID_CONSTANT'), 'NOT_HTTP'],
  [failed('SOMETHING_NEW'), 'UNKNOWN'],
  [new AggregateError([failed('EHOSTUNREACH')]), 'EHOSTUNREACH'],
  [new Error('fetch failed', { cause: failed('ECONNRESET') }), 'ECONNRESET'],
  [new Error('other side closed 10.0.0.1'), 'UNKNOWN'],
  ['a text', 'UNKNOWN'],
])('%s is %s', (thrown, reason) => {
  const failure = toNetworkError(thrown)
  expect(failure.reason).toBe(reason)
  expect(failure.words).not.toMatch(/\d|library/)
})
