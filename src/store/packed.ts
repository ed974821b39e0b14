import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { newId } from '../base/ids.ts'
import type { Blobs } from '../ports/blobs.ts'
import { unreadable } from './unreadable.ts'

const compress = promisify<Uint8Array, zlib.ZstdOptions, Uint8Array>(zlib.zstdCompress)
const decompress = promisify<Uint8Array, zlib.ZstdOptions, Uint8Array>(zlib.zstdDecompress)

const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = zlib.constants
/** Fast rather than small, and with a sum by which damage is noticed. What was written without one is read too. */
const packing = { params: { [ZSTD_c_compressionLevel]: 1, [ZSTD_c_checksumFlag]: 1 } }

export function pack(bytes: Uint8Array): Promise<Uint8Array> {
  return compress(bytes, packing)
}

/** Bytes up to here are unpacked sooner than another thread would have heard of them. */
const largestHere = 256 * 1024

/** What was packed; fails where that is damaged, or more than `most` bytes. */
export async function unpack(packed: Uint8Array, most: number): Promise<Uint8Array> {
  const here = packed.length > largestHere ? undefined : unpackedHere(packed, Math.min(most, largestHere))
  return here ?? decompress(packed, { maxOutputLength: most })
}

/** Undefined where it is more than it looks: a few bytes can unpack to megabytes. */
function unpackedHere(packed: Uint8Array, most: number): Uint8Array | undefined {
  try {
    return zlib.zstdDecompressSync(packed, { maxOutputLength: most })
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE')
      return undefined
    throw thrown
  }
}

/** Where a row keeps packed bytes: in itself when they are few, else in a blob that it names. */
export interface PackedRow {
  body: Uint8Array | null
  blob: string | null
}

/** Packed bytes up to here live in the row: no second store has to be asked for an ordinary page. */
const largestInRow = 256 * 1024

/** The longest page that a setting allows is 512 MB; as text, each of its characters may take three bytes. */
const largestUnpacked = 3 * 512 * 1024 * 1024

/** The bytes that rows of a table keep. */
export function packedRows(table: 'pages' | 'site_files' | 'snapshots') {
  const folder = table.replace('_', '-')
  return {
    /** Puts packed bytes where they belong; answers what the row has to say of them. */
    async keep(blobs: Blobs, packed: Uint8Array): Promise<PackedRow> {
      if (packed.length <= largestInRow) return { body: packed, blob: null }
      return { body: null, blob: await blobs.put(`${folder}/${newId()}`, packed) }
    },
    /** The packed bytes of a row; undefined where the blob has gone. */
    async find(blobs: Blobs, { body, blob }: PackedRow): Promise<Uint8Array | undefined> {
      return body ?? (blob === null ? undefined : await blobs.get(blob))
    },
    unpack: (packed: Uint8Array) =>
      unpack(packed, largestUnpacked).catch((thrown: unknown) => {
        throw unreadable({ table, column: 'body' }, thrown instanceof Error ? thrown.message : String(thrown))
      }),
  }
}
