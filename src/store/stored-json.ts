import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { z } from 'zod'
import { AppError, codeOf } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Blobs } from '../platform/ports/blobs.ts'
import type { Tables } from './schema.ts'

export interface StoredJson<Value> {
  read(text: string): Value
  write(value: Value): string
}

/** Creates a JSON column. A value that does not match the schema throws an error with the names of table and column. */
export function storedJson<Schema extends z.ZodType>(
  location: Column,
  schema: Schema,
): StoredJson<z.output<Schema>> {
  return {
    read(text) {
      const { success, data, error } = schema.safeParse(parseJson(location, text))
      if (success) return data
      const issues = error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`)
      throw unreadable(location, issues.join('; '))
    },
    write: (value) => JSON.stringify(value),
  }
}

function parseJson(location: Column, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser error would quote the text.
    throw unreadable(location, `${text.length} characters that are not JSON`)
  }
}

export interface Column {
  table: keyof Tables
  column: string
}

/** True if stored data is unreadable. The error contains none of the data, which may include secrets of a caller. */
export function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'INTERNAL' && thrown.detail.table !== undefined
}

export function unreadable(location: Column, reason: string): AppError {
  const { table, column } = location
  const name = `${table}.${column}`
  const message = `The store holds something in ${name} that cannot be read. It is damaged, or a newer version wrote it.`
  return new AppError('INTERNAL', { table, column }, { message, cause: new Error(`${name}: ${reason}`) })
}

const compress = promisify<Uint8Array, zlib.ZstdOptions, Uint8Array>(zlib.zstdCompress)
const decompress = promisify<Uint8Array, zlib.ZstdOptions, Uint8Array>(zlib.zstdDecompress)

const { ZSTD_c_compressionLevel, ZSTD_c_checksumFlag } = zlib.constants
/** Compression for speed rather than size, with a checksum that detects damage. */
export const zstdOptions = { params: { [ZSTD_c_compressionLevel]: 1, [ZSTD_c_checksumFlag]: 1 } }

export function pack(bytes: Uint8Array): Promise<Uint8Array> {
  return compress(bytes, zstdOptions)
}

/** Maximum bytes to decompress synchronously, because passing them to another thread takes longer. */
const maxSyncBytes = 256 * 1024

/** Decompresses bytes. Throws if they are damaged, or if the result exceeds the maximum. */
export async function unpack(compressed: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  const result =
    compressed.length > maxSyncBytes
      ? undefined
      : decompressSync(compressed, Math.min(maxBytes, maxSyncBytes))
  return result ?? decompress(compressed, { maxOutputLength: maxBytes })
}

/** Returns undefined if the result exceeds the maximum: a few bytes can decompress to megabytes. */
function decompressSync(compressed: Uint8Array, maxBytes: number): Uint8Array | undefined {
  try {
    return zlib.zstdDecompressSync(compressed, { maxOutputLength: maxBytes })
  } catch (thrown) {
    if (codeOf(thrown) === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw thrown
  }
}

export type CompressedRow = Pick<Tables['pages'], 'body' | 'blob'>

/** Maximum compressed bytes in a row, so that an ordinary page needs no request to a second store. */
const maxRowBytes = 256 * 1024

/** The largest page that a setting allows has 512 MB. As text, each of its characters may take three bytes. */
const maxDecompressedBytes = 3 * 512 * 1024 * 1024

export function compressedRows(table: 'pages' | 'site_files' | 'snapshots') {
  const folder = table.replace('_', '-')
  return {
    async write(blobs: Blobs, compressed: Uint8Array): Promise<CompressedRow> {
      if (compressed.length <= maxRowBytes) return { body: compressed, blob: null }
      return { body: null, blob: await blobs.put(`${folder}/${newId()}`, compressed) }
    },
    async read(blobs: Blobs, { body, blob }: CompressedRow): Promise<Uint8Array | undefined> {
      return body ?? (blob === null ? undefined : await blobs.get(blob))
    },
    unpack: (compressed: Uint8Array) =>
      unpack(compressed, maxDecompressedBytes).catch((thrown: unknown) => {
        throw unreadable({ table, column: 'body' }, thrown instanceof Error ? thrown.message : String(thrown))
      }),
  }
}
