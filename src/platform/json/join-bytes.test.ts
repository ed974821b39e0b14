import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { joinBytes, joinShared, shareBytes } from './join-bytes.ts'

const parts = [10, 3_000_000, 0, 700_000, 1].map((size) => randomBytes(size))
const size = parts.reduce((sum, part) => sum + part.length, 0)

describe('joinBytes, joinShared and shareBytes', () => {
  it.each([joinBytes, joinShared])('return the bytes of the parts in order', async (join) => {
    expect(Buffer.compare(await join(parts, size), Buffer.concat(parts))).toBe(0)
    expect(Buffer.compare(await join(parts.slice(0, 1), 10), parts[0] ?? Buffer.alloc(0))).toBe(0)
    expect((await join([], 0)).length).toBe(0)
  })

  it('share large data once, and small data never', async () => {
    const shared = await shareBytes(Buffer.concat(parts))
    expect(shared.buffer).toBeInstanceOf(SharedArrayBuffer)
    expect(await shareBytes(shared)).toBe(shared)
    const small = Buffer.from('few')
    expect(await shareBytes(small)).toBe(small)
  })
})
