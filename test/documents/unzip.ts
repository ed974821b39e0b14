import { crc32, inflateRawSync } from 'node:zlib'

/**
 * Returns the files of a zip by name, as its directory lists them. Sizes of four gigabytes or more are not supported.
 */
export function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  if (end === -1) throw new Error('This is not a zip, or its end is missing.')
  const files = new Map<string, string>()
  let position = bytes.readUInt32LE(end + 16)
  for (let remaining = bytes.readUInt16LE(end + 10); remaining > 0; remaining -= 1) {
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(position + offset))
    const name = bytes.toString('utf8', position + 46, position + 46 + (nameLength ?? 0))
    files.set(name, contentOf(bytes, position, name))
    position += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return files
}

function contentOf(bytes: Buffer, entry: number, name: string): string {
  const [sum, size, offset] = [16, 20, 42].map((field) => bytes.readUInt32LE(entry + field))
  const local = offset ?? 0
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  const packed = bytes.subarray(start, start + (size ?? 0))
  const content = bytes.readUInt16LE(entry + 10) === 8 ? inflateRawSync(packed) : packed
  if (crc32(content) !== sum) throw new Error(`The sum of ${name} is wrong.`)
  return content.toString()
}
