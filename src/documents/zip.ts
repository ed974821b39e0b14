import { crc32, inflateRawSync } from 'node:zlib'
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
const localSignature = 0x04034b50
const centralSignature = 0x02014b50
const endSignature = 0x06054b50
const encryptionFlags = 0x0001 | 0x0040 | 0x2000
/** Office packages have dozens of parts, books thousands; a larger directory is an attack on its readers. */
const maxEntries = 20_000

export function readZipDirectory(bytes: Buffer): ZipEntry[] | undefined {
  const end = findEnd(bytes)
  if (end === undefined) return undefined
  const count = bytes.readUInt16LE(end + 10)
  // Readers find ZIP64 records in different ways, and no document of a permitted size needs them.
  if (count === 0xffff || bytes.readUInt32LE(end + 16) === 0xffffffff) return undefined
  if (count > maxEntries)
    throw new DocumentProblem('limit', 'The package has more parts than the limit allows.')
  const entries: ZipEntry[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > bytes.length || bytes.readUInt32LE(at) !== centralSignature) return undefined
    const nameLength = bytes.readUInt16LE(at + 28)
    entries.push({
      name: bytes.toString('utf8', at + 46, at + 46 + nameLength),
      isEncrypted: (bytes.readUInt16LE(at + 8) & encryptionFlags) !== 0,
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

function findEnd(bytes: Buffer): number | undefined {
  const minOffset = Math.max(0, bytes.length - endSize - 0xffff)
  for (let at = bytes.length - endSize; at >= minOffset; at -= 1) {
    if (bytes.readUInt32LE(at) === endSignature) return at
  }
  return undefined
}

/** Returns the files with clean names. Throws if two programs may read the package differently. */
export function checkZipEntries(bytes: Buffer, listed: ZipEntry[]): ZipEntry[] {
  const entries = listed.filter(({ name, size }) => !(name.endsWith('/') && size === 0))
  const names = new Set<string>()
  const ranges: { start: number; end: number }[] = []
  const cleaned = entries.map((entry) => {
    const range = getLocalRange(bytes, entry)
    const name = cleanName(entry.name)
    if (range === undefined || name === undefined || names.has(name)) {
      const advice = 'Save the file again and send that.'
      throw createPartProblem(entry, `is listed in a way that programs read differently. ${advice}`)
    }
    names.add(name)
    ranges.push(range)
    return { ...entry, name }
  })
  ranges.sort((a, b) => a.start - b.start)
  for (const [index, { end }] of ranges.entries()) {
    const next = ranges[index + 1]
    if (!next || next.start >= end) continue
    const message = 'The parts of the package overlap. Save the file again and send that.'
    throw new DocumentProblem('damaged', message)
  }
  return cleaned
}

/** Range of a file with its local header; undefined if the header and the directory disagree. */
function getLocalRange(bytes: Buffer, entry: ZipEntry): { start: number; end: number } | undefined {
  const { offset, name, method, compressedSize, size } = entry
  if (offset + 30 > bytes.length || bytes.readUInt32LE(offset) !== localSignature) return undefined
  const nameLength = bytes.readUInt16LE(offset + 26)
  const flags = bytes.readUInt16LE(offset + 6)
  const end = offset + 30 + nameLength + bytes.readUInt16LE(offset + 28) + compressedSize
  const isSame =
    bytes.toString('utf8', offset + 30, offset + 30 + nameLength) === name &&
    bytes.readUInt16LE(offset + 8) === method &&
    ((flags & encryptionFlags) !== 0) === entry.isEncrypted
  const isComplete = end <= bytes.length && (method === 0 ? compressedSize === size : method === 8)
  return isSame && (isComplete || entry.isEncrypted) ? { start: offset, end } : undefined
}

/** Windows writers use backslashes. A name that points outside the package has no clean form. */
function cleanName(name: string): string | undefined {
  const clean = name.replaceAll('\\', '/').replace(/^\/+/, '')
  const isBad =
    clean === '' || clean.includes('\0') || clean.split('/').some((part) => part === '..' || part === '.')
  return isBad ? undefined : clean
}

function createPartProblem({ name }: ZipEntry, problem: string): DocumentProblem {
  return new DocumentProblem('damaged', `The part "${name.slice(0, 80)}" of the package ${problem}`)
}

/** A part that is larger than it declares is rejected, because only the declared size was checked. */
export function readZipEntry(bytes: Buffer, entry: ZipEntry): Buffer {
  try {
    const compressed = getCompressed(bytes, entry)
    if (entry.method === 0) return compressed
    const maxOutputLength = Math.max(1, entry.size)
    const part = entry.method === 8 ? inflateRawSync(compressed, { maxOutputLength }) : undefined
    if (part?.length === entry.size) return part
  } catch {
    // Reported below.
  }
  throw createPartProblem(entry, 'cannot be decompressed.')
}

export function withParts(bytes: Buffer, entries: ZipEntry[], parts: Map<string, Buffer>): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const part = parts.get(entry.name)
    const updatedEntry = part
      ? { ...entry, method: 0, checksum: crc32(part), compressedSize: part.length, size: part.length }
      : entry
    const name = Buffer.from(entry.name)
    const local = Buffer.concat([createHeader(updatedEntry, name, 'local', 0), name])
    const content = part ?? getCompressed(bytes, entry)
    files.push(local, content)
    directory.push(createHeader(updatedEntry, name, 'central', offset), name)
    offset += local.length + content.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(endSize)
  end.writeUInt32LE(endSignature, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, listed, end])
}

function getCompressed(bytes: Buffer, { offset, compressedSize }: ZipEntry): Buffer {
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  return bytes.subarray(start, start + compressedSize)
}

const utf8Names = 0x0800

/** A directory entry has the fields of a local header two bytes later, and further fields. */
function createHeader(entry: ZipEntry, name: Buffer, kind: 'local' | 'central', offset: number): Buffer {
  const isLocal = kind === 'local'
  const bytes = Buffer.alloc(isLocal ? 30 : 46)
  bytes.writeUInt32LE(isLocal ? localSignature : centralSignature, 0)
  const at = isLocal ? 4 : 6
  if (!isLocal) {
    bytes.writeUInt16LE(20, 4)
    bytes.writeUInt32LE(offset, 42)
  }
  bytes.writeUInt16LE(20, at)
  bytes.writeUInt16LE(utf8Names, at + 2)
  bytes.writeUInt16LE(entry.method, at + 4)
  bytes.writeUInt32LE(entry.checksum, at + 10)
  bytes.writeUInt32LE(entry.compressedSize, at + 14)
  bytes.writeUInt32LE(entry.size, at + 18)
  bytes.writeUInt16LE(name.length, at + 22)
  return bytes
}
