import { describe, expect, it } from 'vitest'
import { docxParts } from '../../test/documents/office.ts'
import { zip } from '../../test/documents/zip.ts'
import { rewritePackage } from './check.ts'
import { readZipDirectory, readZipEntry } from './zip.ts'

const rewrite = (bytes: Buffer) => rewritePackage(bytes, 'docx', () => {})
const good = () => zip(docxParts('<w:p/>'))
const evil = () =>
  zip({ 'word/document.xml': '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>' })
const centralOffset = (bytes: Buffer, index = 0) => {
  let at = bytes.indexOf('PK\x01\x02', 0, 'latin1')
  for (let count = 0; count < index; count += 1) at = bytes.indexOf('PK\x01\x02', at + 1, 'latin1')
  return at
}

/** Builds the ZIP64 records by which a reader finds a directory elsewhere in the file. */
function zip64End(directory: number, size: number, count: number, at: number): Buffer {
  const record = Buffer.alloc(56)
  record.write('PK\x06\x06', 'latin1')
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(size), 40)
  record.writeBigUInt64LE(BigInt(directory), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(at), 8)
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}

describe('a rewritten package', () => {
  it('has the same parts and content, and does not change when it is rewritten again', () => {
    const bytes = good()
    const written = rewrite(bytes)
    const parts = (archive: Buffer) =>
      readZipDirectory(archive)?.map((entry) => [entry.name, readZipEntry(archive, entry).toString()])
    expect(parts(written)).toEqual(parts(bytes))
    expect(rewrite(written)).toEqual(written)
  })

  it('contains nothing of a second ZIP64 directory', () => {
    const [plain, hidden] = [good(), evil()]
    const end = plain.length - 22
    // The parts of the hidden package come first; only the ZIP64 records point to its directory.
    const shift = hidden.length
    const moved = Buffer.from(plain)
    for (let at = centralOffset(moved); at >= 0; at = moved.indexOf('PK\x01\x02', at + 1, 'latin1'))
      moved.writeUInt32LE(moved.readUInt32LE(at + 42) + shift, at + 42)
    moved.writeUInt32LE(moved.readUInt32LE(end + 16) + shift, end + 16)
    const directory = centralOffset(hidden)
    const records = zip64End(directory, hidden.length - 22 - directory, 1, shift + end)
    const both = Buffer.concat([hidden, moved.subarray(0, end), records, moved.subarray(end)])
    const written = rewrite(both).toString('latin1')
    expect(['PK\x06\x06', 'PK\x06\x07'].filter((signature) => written.includes(signature))).toEqual([])
    expect(rewrite(both)).toEqual(rewrite(plain))
  })

  it('contains no bytes before the first part or after the end', () => {
    const bytes = Buffer.concat([good(), Buffer.from('behind')])
    expect(rewrite(bytes).includes('behind')).toBe(false)
  })

  it('has sizes in local headers if the original used data descriptors', () => {
    const bytes = good()
    const at = centralOffset(bytes)
    const size = bytes.readUInt32LE(at + 20)
    bytes.writeUInt16LE(8, 6)
    bytes.writeUInt16LE(8, at + 8)
    bytes.fill(0, 14, 26)
    const written = rewrite(bytes)
    expect([written.readUInt16LE(6) & 8, written.readUInt32LE(18)]).toEqual([0, size])
  })
})

describe('rewritePackage rejects a package', () => {
  const change = (edit: (bytes: Buffer) => void) => {
    const bytes = good()
    edit(bytes)
    return bytes
  }
  it.each([
    [
      'with a local name that differs from the directory',
      change((bytes) => void bytes.write('X', 30)),
      /differently/,
    ],
    [
      'with another method in the local header',
      change((bytes) => void bytes.writeUInt16LE(0, 8)),
      /differently/,
    ],
    [
      'with an encryption flag in the local header only',
      change((bytes) => void bytes.writeUInt16LE(1, 6)),
      /differently/,
    ],
    [
      'with strong encryption',
      change((bytes) => {
        bytes.writeUInt16LE(0x40, 6)
        bytes.writeUInt16LE(0x40, centralOffset(bytes) + 8)
      }),
      /encrypted/,
    ],
    [
      'with two entries for the same bytes',
      change((bytes) => {
        bytes.writeUInt32LE(0, centralOffset(bytes, 1) + 42)
      }),
      /differently/,
    ],
    [
      'with the marks of a ZIP64 directory',
      change((bytes) => {
        bytes.writeUInt32LE(0xffffffff, bytes.length - 6)
      }),
      /cut off or damaged/,
    ],
    [
      'with a size that is not the real one',
      change((bytes) => {
        bytes.writeUInt32LE(bytes.readUInt32LE(centralOffset(bytes) + 24) + 1, centralOffset(bytes) + 24)
      }),
      /cannot be decompressed/,
    ],
    ['with a name that leads out of it', zip({ '../word/document.xml': '<a/>' }), /differently/],
    [
      'with a part behind the end of the file',
      change((bytes) => {
        bytes.writeUInt32LE(0x7fffffff, centralOffset(bytes) + 42)
      }),
      /differently/,
    ],
  ])('%s', (_, bytes, message) => expect(() => rewrite(bytes)).toThrow(message))

  it('with two parts of the same name, also if only the slashes differ', () => {
    expect(() => rewrite(zip({ 'word/a.xml': '<a/>', 'word\\a.xml': '<b/>' }))).toThrow(/differently/)
  })

  it('with parts that overlap', () => {
    const inner = zip({ 'word/b.xml': '<b/>' })
    const outer = zip({ 'word/a.xml': '<a/>' })
    const local = inner.subarray(0, centralOffset(inner))
    const bytes = Buffer.concat([
      outer.subarray(0, centralOffset(outer)),
      local,
      outer.subarray(centralOffset(outer)),
    ])
    // The first entry also claims the bytes of the second entry.
    const start = centralOffset(bytes)
    const entry = Buffer.from(inner.subarray(centralOffset(inner), inner.length - 22))
    entry.writeUInt32LE(centralOffset(outer), 42)
    const directory = Buffer.concat([bytes.subarray(start, bytes.length - 22), entry])
    directory.writeUInt16LE(0, 10)
    directory.writeUInt32LE(bytes.readUInt32LE(start + 20) + local.length, 20)
    directory.writeUInt32LE(bytes.readUInt32LE(start + 20) + local.length, 24)
    const end = Buffer.from(bytes.subarray(bytes.length - 22))
    end.writeUInt16LE(2, 10)
    end.writeUInt32LE(start, 16)
    const combined = Buffer.concat([bytes.subarray(0, start), directory, end])
    combined.writeUInt16LE(0, 8)
    expect(() => rewrite(combined)).toThrow(/overlap/)
  })
})
