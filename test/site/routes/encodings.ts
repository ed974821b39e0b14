import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { type Exchange, page, type Routes, send } from '../route.ts'

/** Content of every encoded response. Long enough that a truncated page is noticed. */
export const encodedPage = page('Encoded', '<p>The same text under every content coding.</p>\n'.repeat(200))

const plain = Buffer.from(encodedPage)
const encode: Record<string, { coding: string; bytes: () => Buffer }> = {
  identity: { coding: 'identity', bytes: () => plain },
  gzip: { coding: 'gzip', bytes: () => zlib.gzipSync(plain) },
  'x-gzip': { coding: 'x-gzip', bytes: () => zlib.gzipSync(plain) },
  deflate: { coding: 'deflate', bytes: () => zlib.deflateSync(plain) },
  'deflate-raw': { coding: 'deflate', bytes: () => zlib.deflateRawSync(plain) },
  br: { coding: 'br', bytes: () => zlib.brotliCompressSync(plain) },
  zstd: { coding: 'zstd', bytes: () => zlib.zstdCompressSync(plain) },
  // The header lists codings in the order in which they were applied.
  'gzip-br': { coding: 'gzip, br', bytes: () => zlib.brotliCompressSync(zlib.gzipSync(plain)) },
  lying: { coding: 'gzip', bytes: () => plain },
  unknown: { coding: 'x-no-such-coding', bytes: () => plain },
  'truncated-gzip': { coding: 'gzip', bytes: () => firstHalf(zlib.gzipSync(plain)) },
}

export const encodingRoutes: Routes = {
  '/encoded/gzip-bomb': sendBomb,
  '/encoded/:name': ({ response, params: part }) => {
    const encoded = encode[part.name ?? '']
    if (!encoded) return response.writeHead(404).end()
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-encoding': encoded.coding }
    send(response, headers, encoded.bytes())
  },
}

function firstHalf(bytes: Buffer) {
  return bytes.subarray(0, bytes.length / 2)
}

const mebibyte = 1024 * 1024
const bombMebibytes = 1024

/** Sends one gibibyte of zeros in about one mebibyte of gzip. */
function sendBomb({ response }: Exchange) {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' })
  return pipeline(bombBytes(), response)
}

/** Yields one block at a time, so that the work also stops if the client stops reading. */
function* bombBytes() {
  const zeros = Buffer.alloc(mebibyte)
  // A full flush ends at a byte boundary and has no reference to earlier data, so the block can be repeated.
  const block = zlib.deflateRawSync(zeros, { finishFlush: zlib.constants.Z_FULL_FLUSH })
  const emptyLastBlock = Buffer.of(3, 0)
  let checksum = 0
  yield Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3)
  for (let count = 0; count < bombMebibytes; count += 1) {
    checksum = zlib.crc32(zeros, checksum)
    yield block
  }
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(checksum, 0)
  trailer.writeUInt32LE(bombMebibytes * mebibyte, 4)
  yield Buffer.concat([emptyLastBlock, trailer])
}
