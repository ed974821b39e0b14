import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createDataLimit, type DataLimit, onLines, parseMessage } from './messages.ts'

const readLines = (...parts: string[]) => readLinesWithin(undefined, parts)

async function readLinesWithin(limit: DataLimit | undefined, parts: string[]): Promise<string[]> {
  const source = new PassThrough()
  const lines: string[] = []
  onLines(source, 10, { onLine: (line) => lines.push(line), ...(limit ? { dataLimit: limit } : {}) })
  for (const part of parts) {
    source.write(part)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return lines
}

describe('lines', () => {
  it('are complete, however they arrive', async () => {
    expect(await readLines('on', 'e\ntw', 'o\n\nthree')).toEqual(['one', 'two', ''])
  })

  it('above the maximum length are skipped, later ones are not', async () => {
    expect(await readLines('0123456789', 'more', 'and more\nshort\n')).toEqual(['short'])
  })

  it.each([
    ['lines', ['a\nb\nc\nd\n', 'e\n'], ['a', 'b']],
    ['bytes', ['a\n', 'x'.repeat(100), '\nb\n'], ['a']],
  ])('are ignored after too many %s, which is reported once', async (_, parts, expected) => {
    let endCount = 0
    const limit = createDataLimit({ bytes: 20, lines: 2 }, () => {
      endCount += 1
    })
    expect(await readLinesWithin(limit, parts)).toEqual(expected)
    expect(endCount).toBe(1)
  })
})

describe('parseMessage', () => {
  it('returns the fields of a message', () => {
    expect(parseMessage('{"nonce":"n","exitCode":3,"result":"r","isTruncated":true}')).toEqual({
      ...{ isReady: false, nonce: 'n', exitCode: 3, result: 'r', isTruncated: true },
    })
  })

  it.each(['', 'no json', '5', 'null', '"text"'])('returns undefined for %j', (line) => {
    expect(parseMessage(line)).toBeUndefined()
  })

  it.each([
    '{"nonce":"n","exitCode":"3","result":{"a":1}}',
    '{"nonce":"n","exitCode":1.5,"result":5}',
    '{"nonce":"n"}',
  ])('returns exit code 1 without a result for invalid fields: %s', (line) => {
    expect(parseMessage(line)).toMatchObject({ exitCode: 1, result: null, isTruncated: false })
  })
})
