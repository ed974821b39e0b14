import { constants, zstdCompressSync } from 'node:zlib'
import type { SearchFields } from './search-fields.ts'

const packing = {
  params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 },
}

/** Fields as they wait to be indexed: JSON, packed where the page was read, so that they are handed on as they are. */
export function packFields(fields: SearchFields): Uint8Array<ArrayBuffer> {
  // A copy of its own: bytes that change threads take their whole buffer with them.
  return new Uint8Array(zstdCompressSync(JSON.stringify(fields), packing))
}
