import { describe, expect, it } from 'vitest'
import { findExceededJsonLimit, parseCallerJson, parseForeignJson } from './json.ts'

const keys = [
  '__proto__',
  '\\u005f_proto__',
  '\\u005F_proto__',
  '__pr\\u006fto__',
  '__pro\\u0074o\\u005f_',
  '\\u005f\\u005F\\u0070\\u0072\\u006F\\u0074\\u006f__',
]
const reject = (): never => {
  throw new Error('refused')
}

describe.each(keys)('a key spelled %s', (key) => {
  const text = `{"a": [{"${key}": {"polluted": 1}, "b": 2}]}`

  it('is removed by parseForeignJson', () => {
    const parsed = parseForeignJson(text)
    expect(parsed).toEqual({ a: [{ b: 2 }] })
    expect(JSON.stringify(parsed)).toBe('{"a":[{"b":2}]}')
  })

  it('is rejected by parseCallerJson', () => {
    expect(() => parseCallerJson(text, reject)).toThrow('refused')
    expect(() => parseCallerJson(`{"b": 1\n,\t"${key}"\r\n : 1}`, reject)).toThrow('refused')
  })
})

describe('JSON without the key __proto__', () => {
  it.each([
    '{"a":"__proto__"}',
    '{"constructor":1,"proto":2}',
    '{"caf\\u00e9":"\\u005f_proto__"}',
    '[1,null]',
    '{"__PROTO__":1,"a__proto__":2,"__proto__b":3}',
    '{"a":",\\"__proto__\\": 1","{\\"__proto__\\":":2}',
    '["__proto__",{"b":"__proto__"}]',
  ])('is parsed unchanged: %s', (text) => {
    expect(parseForeignJson(text)).toEqual(JSON.parse(text))
    expect(parseCallerJson(text, reject)).toEqual(JSON.parse(text))
  })
})

describe('jsonBeyond', () => {
  it.each([
    ['[[1]]', 2, 3],
    ['[[],[],[]]', 2, 7],
    ['{"a":{"b":"[[[{{{,,,"}}', 2, 3],
    ['["\\"[[[,","\\\\",[]]', 2, 5],
    ['["never closed [[[,,,', 1, 2],
  ])('counts in %s %i levels and at most %i values', (text, levels, values) => {
    expect(findExceededJsonLimit(Buffer.from(text), { levels, values })).toBeUndefined()
    expect(findExceededJsonLimit(Buffer.from(text), { levels: levels - 1, values })).toBe('levels')
    expect(findExceededJsonLimit(Buffer.from(text), { levels, values: values - 1 })).toBe('values')
  })
})
