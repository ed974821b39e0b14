import { describe, expect, it } from 'vitest'
import { JsonText } from './json.ts'
import { jsonBytes, jsonBytesSync, jsonPieces, jsonSize } from './write-json.ts'

const long = `${'a"\\\n<é😀'.repeat(20_000)}\ud83d`

describe('jsonPieces, jsonBytes and jsonSize', () => {
  it.each([
    ['a text', long],
    ['a list', Array.from({ length: 50_000 }, (_, index) => `https://example.test/${index}`)],
    [
      'an object',
      { a: 1, b: undefined, c: null, d: [undefined, () => 1], e: new Date(0), f: { g: long }, h: Number.NaN },
    ],
    ['nothing', {}],
    ['a number', 5],
  ])('serialise %s like JSON.stringify', async (_, value) => {
    expect(Buffer.from(await jsonBytes(value)).toString()).toBe(JSON.stringify(value))
  })

  it('return pieces of limited length', () => {
    const lengths = [...jsonPieces({ long, list: [long, long] })].map((piece) => (piece as string).length)
    expect(Math.max(...lengths)).toBeLessThan(200_000)
    expect(lengths.length).toBeGreaterThan(10)
  })

  it('pass on a JsonText unchanged', async () => {
    const serialised = JsonText.ofBytes(Buffer.from(JSON.stringify({ long })))
    const bytes = Buffer.from(await jsonBytes({ a: serialised, b: [serialised] }))
    expect(JSON.parse(bytes.toString())).toEqual({ a: { long }, b: [{ long }] })
    expect(() => JSON.stringify({ written: serialised })).toThrow('jsonPieces')
  })

  it('serialise bytes in base64', async () => {
    const bytes = Buffer.from(Array.from({ length: 200_001 }, (_, index) => index % 256))
    const text = JsonText.ofBase64(bytes, 'data:x;base64,')
    const json = Buffer.from(await jsonBytes(text))
    expect(JSON.parse(json.toString())).toBe(`data:x;base64,${bytes.toString('base64')}`)
    expect(text.size).toBe(json.length)
  })

  it('yield to the event loop', async () => {
    let yields = 0
    const count = () => {
      yields += 1
      setImmediate(count)
    }
    setImmediate(count)
    await jsonBytes(long.repeat(20))
    expect(yields).toBeGreaterThan(50)
  })

  it('stop at a bound', () => {
    expect(jsonBytesSync(long, 1000)).toBeUndefined()
    expect(Buffer.from(jsonBytesSync({ long }, 1e7) ?? []).toString()).toBe(JSON.stringify({ long }))
    expect(jsonSize({ long, more: long }, 1000)).toBeGreaterThan(1000)
    expect(jsonSize({ a: 'b' }, 1000)).toBeLessThan(20)
  })
})
