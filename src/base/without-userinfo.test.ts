import { describe, expect, it } from 'vitest'
import { withoutUserinfo } from './without-userinfo.ts'

describe('withoutUserinfo', () => {
  it.each([
    ['https://user:secret@example.com/a?b#c', 'https://example.com/a?b#c'],
    ['https://user@example.com/', 'https://example.com/'],
    ['https://:secret@example.com/', 'https://example.com/'],
    ['http:///user:secret@example.com/', 'http://example.com/'],
    ['http:\\\\user:secret@example.com/', 'http://example.com/'],
    ['http://us er:se cret@example.com/', 'http://example.com/'],
    ['http://user:se@cret@example.com/', 'http://example.com/'],
    ['user:1234@example.com/a', 'example.com/a'],
    ['failed at https://user:secret@example.com/a, then', 'failed at https://example.com/a, then'],
    ['socks5://u:secret@p:1 and http://v:secret@q', 'socks5://p:1 and http://q'],
  ])('removes user and password from %s', (text, expected) => {
    expect(withoutUserinfo(text)).toBe(expected)
    expect(withoutUserinfo(text)).not.toContain('cret')
  })

  it.each([
    'https://example.com/@name',
    'somebody@example.com',
    'https://example.com/?mail=a@b.example',
    'no',
  ])('leaves %s as it is', (text) => {
    expect(withoutUserinfo(text)).toBe(text)
  })
})
