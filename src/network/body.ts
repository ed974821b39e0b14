import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { AppError } from '../base/errors.ts'

/** Reads a body to its end, or gives up as soon as it is larger than allowed. */
export async function readBody(body: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > most) throw tooLarge(most)
    parts.push(part)
  }
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, size)
}

/**
 * Undoes the content codings, last one first. Servers lie about codings and cut streams short, so a body that is
 * not what its header says is taken as it is, as browsers do, and the fact is told.
 */
export async function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  most: number,
): Promise<{ bytes: Uint8Array; warning?: string }> {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > 5) throw new AppError('SCRAPE_SITE_ERROR', { phase: 'decode' })
  let decoded = bytes
  for (const coding of codings.reverse()) {
    if (decoded.length === 0) return { bytes: decoded }
    try {
      decoded = await decodeOne(decoded, coding, most)
    } catch (thrown) {
      if (isTooLarge(thrown)) throw tooLarge(most)
      return { bytes: decoded, warning: `The body is not ${coding}, although the site says so; taken as it is.` }
    }
  }
  return { bytes: decoded }
}

const unzip = promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.unzip)
const inflateRaw = promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.inflateRaw)
const brotli = promisify<Uint8Array, zlib.BrotliOptions, Uint8Array>(zlib.brotliDecompress)
const zstd = promisify<Uint8Array, zlib.ZstdOptions, Uint8Array>(zlib.zstdDecompress)

function decodeOne(bytes: Uint8Array, coding: string, most: number): Promise<Uint8Array> {
  // Flushing at the end instead of demanding it keeps what a connection that was cut had already brought.
  const lenient = { maxOutputLength: most, finishFlush: zlib.constants.Z_SYNC_FLUSH }
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return unzip(bytes, lenient)
    case 'deflate':
      // Two things go by this name: with a zlib header, as the standard says, and without.
      return ((bytes[0] ?? 0) & 0x0f) === 8 ? unzip(bytes, lenient) : inflateRaw(bytes, lenient)
    case 'br':
      return brotli(bytes, { maxOutputLength: most, finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH })
    case 'zstd':
      return zstd(bytes, { maxOutputLength: most, finishFlush: zlib.constants.ZSTD_e_flush })
    default:
      throw new Error(`unknown coding ${coding}`)
  }
}

function isTooLarge(thrown: unknown): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE'
}

function tooLarge(most: number): AppError {
  const megabytes = Math.floor(most / 1024 / 1024)
  return new AppError(
    'SCRAPE_PAGE_TOO_LARGE',
    { phase: 'read', maxBytes: most },
    { message: `The page is larger than the ${megabytes} MB this service reads.` },
  )
}
