import { describe, expect, it } from 'vitest'
import { readLiteral } from './literal.ts'

describe('readLiteral', () => {
  it.each([
    ['trailing commas', '{"a": [1, 2,], }', { a: [1, 2] }],
    ['comments', '{/* one */ "a": 1, // two\n "b": 2}', { a: 1, b: 2 }],
    ['unquoted keys and single quotes', "{a: 'x', $b: 'it\\'s'}", { a: 'x', $b: "it's" }],
    ['escapes', '"\\u00e9\\n\\x41"', 'é\nA'],
    ['line breaks in strings', '"one\ntwo"', 'one\ntwo'],
    ['minified truth', '[!0, !1, void 0, undefined, NaN]', [true, false, null, null, null]],
    ['numbers', '[-1.5, .5, 2e3, 7]', [-1.5, 0.5, 2000, 7]],
    ['comment signs in strings', '{"url": "https://a.example/*"}', { url: 'https://a.example/*' }],
  ])('supports %s', (_, text, value) => {
    expect(readLiteral(text).value).toEqual(value)
  })

  it('stops at the end of the literal, whatever follows', () => {
    expect(readLiteral('x = {"a": 1}; y()', 4)).toEqual({ ok: true, value: { a: 1 }, end: 12 })
  })

  it.each(['{"a": 1', '["a" "b"]', '{"a" 1}', '"no end', 'function () {}', '', '/* no end'])(
    'rejects %j',
    (text) => {
      expect(readLiteral(text).ok).toBe(false)
    },
  )

  it('rejects nesting that no page needs', () => {
    expect(readLiteral('['.repeat(1_000_000)).ok).toBe(false)
  })

  it('does not change the prototype of objects', () => {
    const read = readLiteral('{"__proto__": {"polluted": 1}, "a": 1}').value
    expect(read).toEqual({ a: 1 })
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})
