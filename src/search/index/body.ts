import { constants, zstdCompressSync } from 'node:zlib'
import { unpack } from '../../store/packed.ts'

const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = constants
const packing = { params: { [ZSTD_c_compressionLevel]: 1, [ZSTD_c_checksumFlag]: 1 } }
/** Packing a shorter text takes longer than writing it, and saves nothing. */
const leastPacked = 400
const mostBody = 4 * 1024 * 1024
/** How packed bytes begin; no text in UTF-8 can. */
const begin = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** The text of a document as its row keeps it. The thread of the index has nothing else to do meanwhile. */
export function packBody(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  return bytes.length < leastPacked ? bytes : zstdCompressSync(bytes, packing)
}

export async function readBody(body: Uint8Array): Promise<string> {
  const isPacked = begin.every((byte, index) => body[index] === byte)
  return Buffer.from(isPacked ? await unpack(body, mostBody) : body).toString()
}
