import { describe, expect, it } from 'vitest'
import { doc } from '../../test/documents/office.ts'
import { readOle } from './ole.ts'

describe('a compound file with hostile numbers', () => {
  /** A file of 64 KB whose list of table sectors leads to itself: 1000 rounds of 1023 sectors with 1024 numbers each. */
  function cyclic(): Buffer {
    const bytes = Buffer.alloc(64 * 1024)
    bytes.writeUInt16LE(12, 30)
    for (let index = 0; index < 109; index += 1) bytes.writeUInt32LE(0, 76 + index * 4)
    return bytes
  }

  it('is read within its own size when its tables are cyclic', () => {
    const file = readOle(cyclic())
    expect(file?.streams).toEqual([])
  })

  it('is read when every number of its header is as large as it can be', () => {
    for (let at = 40; at < 512; at += 4) {
      const bytes = doc('text')
      bytes.writeUInt32LE(0xfffffff0, at)
      expect(() => readOle(bytes)).not.toThrow()
    }
  })

  it('is read when its directory or a stream leads back to its beginning', () => {
    const bytes = doc('text')
    const sectorSize = 1 << bytes.readUInt16LE(30)
    const table = (bytes.readUInt32LE(76) + 1) * sectorSize
    for (let at = table; at < table + sectorSize; at += 4) bytes.writeUInt32LE(0, at)
    const file = readOle(bytes)
    for (const stream of file?.streams ?? [])
      expect(file?.read(stream, 100_000).length).toBeLessThanOrEqual(100_000)
  })
})
