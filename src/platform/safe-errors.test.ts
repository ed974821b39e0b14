import { describe, expect, it } from 'vitest'
import { AppError } from './errors.ts'
import { stripInternalAddresses, stripPrivateText } from './safe-errors.ts'

it.each([
  ['connect ECONNREFUSED 127.0.0.1:9', 'connect ECONNREFUSED [address]'],
  ['connect EHOSTUNREACH fd00::2:5432', 'connect EHOSTUNREACH [address]'],
  ['connect ECONNREFUSED ::1:8080', 'connect ECONNREFUSED [address]'],
  ['at [::ffff:10.0.0.1]:80 now', 'at [address] now'],
  ['fetch failed: localhost:11434', 'fetch failed: [address]'],
  ["ENOENT: no such file, open '/tmp/winnow-upload-x/file'", "ENOENT: no such file, open '[path]'"],
  ['Cannot find module file:///srv/app/x.js here', 'Cannot find module [path] here'],
  [
    'locator.click: Timeout 15000ms exceeded at 10:20:30',
    'locator.click: Timeout 15000ms exceeded at 10:20:30',
  ],
  ['Invalid number 1.2.3 in /Page', 'Invalid number 1.2.3 in /Page'],
  ['see https://a.example/docs/page', 'see https://a.example/docs/page'],
])('stripInternalAddresses: %s', (text, expected) => {
  expect(stripInternalAddresses(text)).toBe(expected)
})

describe('stripPrivateText', () => {
  it('keeps the class name and location of the cause, and removes its message', () => {
    const original = new TypeError('http://secret.example/ failed\n    at secret words (in a page)')
    const { cause } = stripPrivateText(new AppError('INTERNAL', {}, { cause: original }))
    expect(cause).toMatchObject({ name: 'TypeError' })
    const text = (cause as Error).message + (cause as Error).stack
    expect(text).not.toContain('secret')
    expect(text).toContain('safe-errors.test.ts')
  })

  it('removes a cause that is not an error', () => {
    const { cause } = stripPrivateText(new AppError('INTERNAL', {}, { cause: 'secret' }))
    expect(JSON.stringify([cause, (cause as Error).stack])).not.toContain('secret')
  })
})
