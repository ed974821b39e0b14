import { crc32 } from 'node:zlib'
import type { ZipEntry } from './zip.ts'

/** The same package with some parts replaced; the new parts are stored uncompressed. */
export function withParts(bytes: Buffer, entries: ZipEntry[], parts: Map<string, Buffer>): Buffer {
  const files: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const part = parts.get(entry.name)
    const facts = part
      ? { ...entry, method: 0, checksum: crc32(part), compressedSize: part.length, size: part.length }
      : entry
    const name = Buffer.from(entry.name)
    const local = Buffer.concat([header(facts, name, 'local', 0), name])
    const content = part ?? packed(bytes, entry)
    files.push(local, content)
    directory.push(header(facts, name, 'central', offset), name)
    offset += local.length + content.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...files, listed, end])
}

function packed(bytes: Buffer, { offset, compressedSize }: ZipEntry): Buffer {
  const start = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
  return bytes.subarray(start, start + compressedSize)
}

const utf8Names = 0x0800

/** What stands before a file, and about it in the directory: the same facts, in the second case behind other ones. */
function header(entry: ZipEntry, name: Buffer, kind: 'local' | 'central', offset: number): Buffer {
  const isLocal = kind === 'local'
  const bytes = Buffer.alloc(isLocal ? 30 : 46)
  bytes.writeUInt32LE(isLocal ? 0x04034b50 : 0x02014b50, 0)
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
