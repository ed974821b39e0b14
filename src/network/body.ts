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
 * Undoes the content codings, last one first. Servers lie about codings and cut streams short: what can be had is
 * taken, as browsers do, and the fact is told.
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
      decoded = await decodeOne(decoded, coding, most, 'whole')
    } catch (thrown) {
      if (isTooLarge(thrown)) throw tooLarge(most)
      return salvage(decoded, coding, most)
    }
  }
  return { bytes: decoded }
}

/** What a body that does not decode still holds: the part before the cut, or the bytes as they are. */
async function salvage(bytes: Uint8Array, coding: string, most: number) {
  try {
    const part = await decodeOne(bytes, coding, most, 'part')
    if (part.length > 0)
      return { bytes: part, warning: 'The site cut its answer short; this is the part that came.' }
  } catch (thrown) {
    if (isTooLarge(thrown)) throw tooLarge(most)
  }
  return { bytes, warning: `The body is not ${coding}, although the site says so; taken as it is.` }
}

const unzip = promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.unzip)
const inflateRaw = promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.inflateRaw)
const brotli = promisify<Uint8Array, zlib.BrotliOptions, Uint8Array>(zlib.brotliDecompress)
const zstd = promisify<Uint8Array, zlib.ZstdOptions, Uint8Array>(zlib.zstdDecompress)

function decodeOne(
  bytes: Uint8Array,
  coding: string,
  most: number,
  extent: 'whole' | 'part',
): Promise<Uint8Array> {
  // Flushing at the end instead of demanding it keeps what a stream that was cut had already brought.
  const { Z_FINISH, Z_SYNC_FLUSH } = zlib.constants
  const deflate = { maxOutputLength: most, finishFlush: extent === 'part' ? Z_SYNC_FLUSH : Z_FINISH }
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return unzip(bytes, deflate)
    case 'deflate':
      // Two things go by this name: with a zlib header, as the standard says, and without.
      return ((bytes[0] ?? 0) & 0x0f) === 8 ? unzip(bytes, deflate) : inflateRaw(bytes, deflate)
    case 'br':
      return brotli(bytes, { maxOutputLength: most, ...flush(extent, zlib.constants.BROTLI_OPERATION_FLUSH) })
    case 'zstd':
      return zstd(bytes, { maxOutputLength: most, ...flush(extent, zlib.constants.ZSTD_e_flush) })
    default:
      throw new Error(`unknown coding ${coding}`)
  }
}

function flush(extent: 'whole' | 'part', finishFlush: number): { finishFlush?: number } {
  return extent === 'part' ? { finishFlush } : {}
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
