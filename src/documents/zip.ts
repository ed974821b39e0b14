import { inflateRawSync } from 'node:zlib'
import { DocumentProblem } from './document.ts'

export interface ZipEntry {
  name: string
  isEncrypted: boolean
  method: number
  checksum: number
  compressedSize: number
  size: number
  offset: number
}

const endSize = 22
const centralSignature = 0x02014b50
const endSignature = 0x06054b50
/** Office packages have dozens of parts, books thousands; a directory beyond this is an attack on its readers. */
const mostEntries = 20_000

/** The directory at the end of a zip file, without decompressing anything. Undefined if it is not readable. */
export function readZipDirectory(bytes: Buffer): ZipEntry[] | undefined {
  const end = findEnd(bytes)
  if (end === undefined) return undefined
  const count = bytes.readUInt16LE(end + 10)
  if (count > mostEntries)
    throw new DocumentProblem('limit', 'The package has more parts than the limit allows.')
  const entries: ZipEntry[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== centralSignature) return undefined
    const nameLength = bytes.readUInt16LE(at + 28)
    entries.push({
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      isEncrypted: (bytes.readUInt16LE(at + 8) & 1) === 1,
      method: bytes.readUInt16LE(at + 10),
      checksum: bytes.readUInt32LE(at + 16),
      compressedSize: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return entries
}

/** The end record stands in the last 64 KB, before an optional comment. */
function findEnd(bytes: Buffer): number | undefined {
  const least = Math.max(0, bytes.length - endSize - 0xffff)
  for (let at = bytes.length - endSize; at >= least; at -= 1) {
    if (bytes.readUInt32LE(at) === endSignature) return at
  }
  return undefined
}

/** One decompressed part. A part that is larger than it declares is rejected, because only the declared size was checked. */
export function readZipEntry(bytes: Buffer, entry: ZipEntry): Buffer {
  if (entry.offset + 30 > bytes.length) throw damagedPart(entry)
  const start =
    entry.offset + 30 + bytes.readUInt16LE(entry.offset + 26) + bytes.readUInt16LE(entry.offset + 28)
  const packed = bytes.subarray(start, start + entry.compressedSize)
  if (entry.method === 0) return packed
  if (entry.method !== 8) throw damagedPart(entry)
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.size) })
  } catch {
    throw damagedPart(entry)
  }
}

function damagedPart(entry: ZipEntry): DocumentProblem {
  return new DocumentProblem(
    'damaged',
    `The part "${entry.name.slice(0, 80)}" of the package cannot be decompressed.`,
  )
}
