import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { z } from 'zod'
import { AppError, codeOf } from '../platform/errors.ts'
import { newId } from '../platform/ids.ts'
import type { Blobs } from '../platform/ports/blobs.ts'
import type { Tables } from './schema.ts'

/** A column that holds JSON: how it is written, and how it is read again. */
export interface StoredJson<Value> {
  read(text: string): Value
  write(value: Value): string
}

/** What is read fits the schema, or the error names table and column. */
export function storedJson<Schema extends z.ZodType>(
  place: Column,
  schema: Schema,
): StoredJson<z.output<Schema>> {
  return {
    read(text) {
      const { success, data, error } = schema.safeParse(parsed(place, text))
      if (success) return data
      const issues = error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`)
      throw unreadable(place, issues.join('; '))
    },
    write: (value) => JSON.stringify(value),
  }
}

function parsed(place: Column, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What the parser says would quote the text.
    throw unreadable(place, `${text.length} characters that are not JSON`)
  }
}

/** Where something is kept. */
export interface Column {
  table: keyof Tables
  column: string
}

/** What the store holds is not what was written into it. The error shows nothing of it: it may hold secrets of a caller. */
export function isUnreadable(thrown: unknown): boolean {
  return thrown instanceof AppError && thrown.code === 'INTERNAL' && thrown.detail.table !== undefined
}

export function unreadable(at: Column, why: string): AppError {
  const { table, column } = at
  const name = `${table}.${column}`
  const message = `The store holds something in ${name} that cannot be read. It is damaged, or a newer version wrote it.`
  return new AppError('INTERNAL', { table, column }, { message, cause: new Error(`${name}: ${why}`) })
}

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
    if (codeOf(thrown) === 'ERR_BUFFER_TOO_LARGE') return undefined
    throw thrown
  }
}

/** Where a row keeps packed bytes: in itself when they are few, else in a blob that it names. */
export interface CompressedRow {
  body: Uint8Array | null
  blob: string | null
}

/** Packed bytes up to here live in the row: no second store has to be asked for an ordinary page. */
const largestInRow = 256 * 1024

/** The longest page that a setting allows is 512 MB; as text, each of its characters may take three bytes. */
const largestUnpacked = 3 * 512 * 1024 * 1024

/** The bytes that rows of a table keep. */
export function compressedRows(table: 'pages' | 'site_files' | 'snapshots') {
  const folder = table.replace('_', '-')
  return {
    /** Puts packed bytes where they belong; answers what the row has to say of them. */
    async keep(blobs: Blobs, packed: Uint8Array): Promise<CompressedRow> {
      if (packed.length <= largestInRow) return { body: packed, blob: null }
      return { body: null, blob: await blobs.put(`${folder}/${newId()}`, packed) }
    },
    /** The packed bytes of a row; undefined where the blob has gone. */
    async find(blobs: Blobs, { body, blob }: CompressedRow): Promise<Uint8Array | undefined> {
      return body ?? (blob === null ? undefined : await blobs.get(blob))
    },
    unpack: (packed: Uint8Array) =>
      unpack(packed, largestUnpacked).catch((thrown: unknown) => {
        throw unreadable({ table, column: 'body' }, thrown instanceof Error ? thrown.message : String(thrown))
      }),
  }
}
