import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { output } from './output.ts'

/** An output of at most ten bytes, and what is written to it. */
function scene() {
  const source = new PassThrough()
  const floods: string[] = []
  const onFlood = () => void floods.push('flood')
  return { source, floods, kept: output(source, { kept: 10, read: 1000, onFlood }) }
}

async function written(source: PassThrough, ...parts: (string | Buffer)[]): Promise<void> {
  for (const part of parts) {
    source.write(part)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('the output of a call', () => {
  it('ends at the mark, wherever that is cut', async () => {
    const { source, kept } = scene()
    kept.begin()
    await written(source, 'before')
    const ended = kept.endsAt('MARK')
    await written(source, 'MA', '!M', 'ARK', 'after')
    await ended
    expect(kept.take()).toEqual({ text: 'beforeMA!', isTruncated: false })
  })

  it('is what came so far when the mark never comes', async () => {
    const { source, kept } = scene()
    kept.begin()
    kept.endsAt('MARK')
    await written(source, 'so far MA')
    expect(kept.take()).toEqual({ text: 'so far MA', isTruncated: false })
  })

  it('is read to its end, but kept only so far', async () => {
    const { source, kept } = scene()
    kept.begin()
    const ended = kept.endsAt('MARK')
    await written(source, '0123456789', 'more', 'MARK')
    await ended
    expect(kept.take()).toEqual({ text: '0123456789', isTruncated: true })
  })

  it('is not cut within a character', async () => {
    const { source, kept } = scene()
    kept.begin()
    await written(source, '012345678é')
    expect(kept.take()).toEqual({ text: '012345678', isTruncated: true })
  })

  it('shows bytes that are no text as what they are', async () => {
    const { source, kept } = scene()
    kept.begin()
    await written(source, Buffer.from([0x61, 0xff, 0x62]))
    expect(kept.take().text).toBe('a\ufffdb')
  })

  it('has nothing of what came between two calls', async () => {
    const { source, kept } = scene()
    kept.begin()
    kept.take()
    await written(source, 'between')
    kept.begin()
    await written(source, 'mine')
    expect(kept.take().text).toBe('mine')
  })
})

it('is reported once when there is too much of it, and the source has to wait', async () => {
  const { source, floods } = scene()
  await written(source, 'x'.repeat(1000))
  expect(floods).toEqual([])
  await written(source, 'x', 'x'.repeat(2 * 1024 * 1024))
  expect(floods).toEqual(['flood'])
  expect(source.isPaused()).toBe(true)
  await expect.poll(() => source.isPaused()).toBe(false)
})
