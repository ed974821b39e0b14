import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { messageIn, onLines, type Patience, patience } from './messages.ts'

const linesOf = (...parts: string[]) => linesWithin(undefined, parts)

async function linesWithin(most: Patience | undefined, parts: string[]): Promise<string[]> {
  const source = new PassThrough()
  const lines: string[] = []
  onLines(source, 10, { heard: (line) => lines.push(line), ...(most ? { patience: most } : {}) })
  for (const part of parts) {
    source.write(part)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return lines
}

describe('lines', () => {
  it('are whole, however they arrive', async () => {
    expect(await linesOf('on', 'e\ntw', 'o\n\nthree')).toEqual(['one', 'two', ''])
  })

  it('that are too long are passed over, those after them are not', async () => {
    expect(await linesOf('0123456789', 'more', 'and more\nshort\n')).toEqual(['short'])
  })

  it.each([
    ['lines', ['a\nb\nc\nd\n', 'e\n'], ['a', 'b']],
    ['bytes', ['a\n', 'x'.repeat(100), '\nb\n'], ['a']],
  ])('are no longer heard after too many %s, which is reported once', async (_, parts, heard) => {
    let ends = 0
    const most = patience({ bytes: 20, lines: 2 }, () => {
      ends += 1
    })
    expect(await linesWithin(most, parts)).toEqual(heard)
    expect(ends).toBe(1)
  })
})

describe('a message', () => {
  it('is what a runner says', () => {
    expect(messageIn('{"nonce":"n","exitCode":3,"result":"r","isTruncated":true}')).toEqual({
      ...{ isReady: false, nonce: 'n', exitCode: 3, result: 'r', isTruncated: true },
    })
  })

  it.each(['', 'no json', '5', 'null', '"text"'])('is nothing in %j', (line) => {
    expect(messageIn(line)).toBeUndefined()
  })

  it.each([
    '{"nonce":"n","exitCode":"3","result":{"a":1}}',
    '{"nonce":"n","exitCode":1.5,"result":5}',
    '{"nonce":"n"}',
  ])('that is wrong means a failure without a result: %s', (line) => {
    expect(messageIn(line)).toMatchObject({ exitCode: 1, result: null, isTruncated: false })
  })
})
