import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createOutput } from './output.ts'

/** Creates an output with a limit of ten bytes, and its source. */
function createScene() {
  const source = new PassThrough()
  const floods: string[] = []
  const onFlood = () => void floods.push('flood')
  return { source, floods, kept: createOutput(source, { maxStoredBytes: 10, maxReadBytes: 1000, onFlood }) }
}

async function write(source: PassThrough, ...parts: (string | Buffer)[]): Promise<void> {
  for (const part of parts) {
    source.write(part)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('output', () => {
  it('ends at the marker, even if it is split', async () => {
    const { source, kept } = createScene()
    kept.begin()
    await write(source, 'before')
    const ended = kept.waitForMarker('MARK')
    await write(source, 'MA', '!M', 'ARK', 'after')
    await ended
    expect(kept.take()).toEqual({ text: 'beforeMA!', isTruncated: false })
  })

  it('returns the output so far if the marker does not arrive', async () => {
    const { source, kept } = createScene()
    kept.begin()
    kept.waitForMarker('MARK')
    await write(source, 'so far MA')
    expect(kept.take()).toEqual({ text: 'so far MA', isTruncated: false })
  })

  it('reads to the end, but keeps only ten bytes', async () => {
    const { source, kept } = createScene()
    kept.begin()
    const ended = kept.waitForMarker('MARK')
    await write(source, '0123456789', 'more', 'MARK')
    await ended
    expect(kept.take()).toEqual({ text: '0123456789', isTruncated: true })
  })

  it('is not cut within a character', async () => {
    const { source, kept } = createScene()
    kept.begin()
    await write(source, '012345678é')
    expect(kept.take()).toEqual({ text: '012345678', isTruncated: true })
  })

  it('replaces bytes that are not UTF-8', async () => {
    const { source, kept } = createScene()
    kept.begin()
    await write(source, Buffer.from([0x61, 0xff, 0x62]))
    expect(kept.take().text).toBe('a\ufffdb')
  })

  it('drops data between two calls', async () => {
    const { source, kept } = createScene()
    kept.begin()
    kept.take()
    await write(source, 'between')
    kept.begin()
    await write(source, 'mine')
    expect(kept.take().text).toBe('mine')
  })
})

it('output() calls onFlood once above the limit, and pauses the source', async () => {
  const { source, floods } = createScene()
  await write(source, 'x'.repeat(1000))
  expect(floods).toEqual([])
  await write(source, 'x', 'x'.repeat(2 * 1024 * 1024))
  expect(floods).toEqual(['flood'])
  expect(source.isPaused()).toBe(true)
  await expect.poll(() => source.isPaused()).toBe(false)
})
