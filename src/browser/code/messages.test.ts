import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { messageIn, onLines } from './messages.ts'

async function linesOf(...parts: string[]): Promise<string[]> {
  const source = new PassThrough()
  const lines: string[] = []
  onLines(source, 10, (line) => lines.push(line))
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
