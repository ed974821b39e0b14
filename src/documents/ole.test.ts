import { describe, expect, it } from 'vitest'
import { doc } from '../../test/documents/office.ts'
import { readOle } from './ole.ts'

describe('readOle of a file with hostile numbers', () => {
  /**
   * Returns a file of 64 KB whose list of table sectors links to itself: 1000 rounds of 1023 sectors with 1024 numbers
   * each.
   */
  function cyclic(): Buffer {
    const bytes = Buffer.alloc(64 * 1024)
    bytes.writeUInt16LE(12, 30)
    for (let index = 0; index < 109; index += 1) bytes.writeUInt32LE(0, 76 + index * 4)
    return bytes
  }

  it('returns no streams if the sector tables are cyclic', () => {
    const file = readOle(cyclic())
    expect(file?.streams).toEqual([])
  })

  it('does not throw if a number of the header has its maximum value', () => {
    for (let at = 40; at < 512; at += 4) {
      const bytes = doc('text')
      bytes.writeUInt32LE(0xfffffff0, at)
      expect(() => readOle(bytes)).not.toThrow()
    }
  })

  it('stops reading if the directory or a stream links back to its beginning', () => {
    const bytes = doc('text')
    const sectorSize = 1 << bytes.readUInt16LE(30)
    const table = (bytes.readUInt32LE(76) + 1) * sectorSize
    for (let at = table; at < table + sectorSize; at += 4) bytes.writeUInt32LE(0, at)
    const file = readOle(bytes)
    for (const stream of file?.streams ?? [])
      expect(file?.read(stream, 100_000).length).toBeLessThanOrEqual(100_000)
  })
})
