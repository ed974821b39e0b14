import { describe, expect, it } from 'vitest'
import { entities, redactionModes } from './pii-match.ts'
import { redact } from './redact.ts'

const length = 200_000
const parts = [
  ...[
    'a',
    '1',
    '@',
    'a@',
    '@a.',
    'a.',
    '1.',
    '1 ',
    '(1',
    '+1 ',
    '1-',
    '0 ',
    'f:',
    ':',
    '::1 ',
    'eyJ',
    'eyJaaaaaaaa.',
  ],
  ...[
    'sk-',
    'AKIA',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----\n',
    'DE89 ',
    'https://',
    'https://a:',
    '://a:b',
    '4111 ',
  ],
  ...['a at ', 'a [at] b dot ', 'password:', 'tel:', 'tel 1 ', '\\', '|', '9999999999999999 '],
]

/** Each text would take minutes if the time grew with the square of its length. */
describe('hostile texts', () => {
  it.each(parts)('are redacted in linear time: %j', (part) => {
    const text = part.repeat(length / part.length)
    for (const mode of redactionModes) {
      const { replaced } = redact(text, { mode, entities, replaceStyle: 'tag' })
      for (const { start, end } of replaced.slice(0, 100)) expect(end).toBeGreaterThan(start)
    }
  })
})
