import { describe, expect, it } from 'vitest'
import { JsonText } from './json.ts'
import { jsonBytes, jsonBytesAtOnce, jsonPieces, jsonSize } from './write-json.ts'

const long = `${'a"\\\n<é😀'.repeat(20_000)}\ud83d`

describe('JSON in pieces', () => {
  it.each([
    ['a text', long],
    ['a list', Array.from({ length: 50_000 }, (_, index) => `https://example.test/${index}`)],
    [
      'an object',
      { a: 1, b: undefined, c: null, d: [undefined, () => 1], e: new Date(0), f: { g: long }, h: Number.NaN },
    ],
    ['nothing', {}],
    ['a number', 5],
  ])('says of %s what JSON.stringify says', async (_, value) => {
    expect(Buffer.from(await jsonBytes(value)).toString()).toBe(JSON.stringify(value))
  })

  it('has no piece that takes long to write', () => {
    const lengths = [...jsonPieces({ long, list: [long, long] })].map((piece) => (piece as string).length)
    expect(Math.max(...lengths)).toBeLessThan(200_000)
    expect(lengths.length).toBeGreaterThan(10)
  })

  it('hands on what is written already', async () => {
    const written = JsonText.ofBytes(Buffer.from(JSON.stringify({ long })))
    const bytes = Buffer.from(await jsonBytes({ a: written, b: [written] }))
    expect(JSON.parse(bytes.toString())).toEqual({ a: { long }, b: [{ long }] })
    expect(() => JSON.stringify({ written })).toThrow('jsonPieces')
  })

  it('writes bytes in base64', async () => {
    const bytes = Buffer.from(Array.from({ length: 200_001 }, (_, index) => index % 256))
    const text = JsonText.ofBase64(bytes, 'data:x;base64,')
    const whole = Buffer.from(await jsonBytes(text))
    expect(JSON.parse(whole.toString())).toBe(`data:x;base64,${bytes.toString('base64')}`)
    expect(text.size).toBe(whole.length)
  })

  it('gives other work its turn', async () => {
    let turns = 0
    const count = () => {
      turns += 1
      setImmediate(count)
    }
    setImmediate(count)
    await jsonBytes(long.repeat(20))
    expect(turns).toBeGreaterThan(50)
  })

  it('stops at a bound', () => {
    expect(jsonBytesAtOnce(long, 1000)).toBeUndefined()
    expect(Buffer.from(jsonBytesAtOnce({ long }, 1e7) ?? []).toString()).toBe(JSON.stringify({ long }))
    expect(jsonSize({ long, more: long }, 1000)).toBeGreaterThan(1000)
    expect(jsonSize({ a: 'b' }, 1000)).toBeLessThan(20)
  })
})
