import zlib from 'node:zlib'
import { AppError } from '../../platform/errors.ts'
import type { MaybePromise } from '../../platform/functions.ts'
import { joinShared } from '../../platform/json/join-bytes.ts'

export interface BodyBound {
  bound: string
  bytes: number
}

export type BodyPermit = (bytes: number, signal: AbortSignal) => MaybePromise<void>

export interface BodyLimits extends BodyBound {
  permit?: BodyPermit | undefined
  signal: AbortSignal
}

export async function readBody(body: AsyncIterable<Uint8Array>, limits: BodyLimits): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.length
    if (size > limits.bytes) throw pageTooLargeError(limits)
    await limits.permit?.(size, limits.signal)
    parts.push(part)
  }
  return joinShared(parts, size)
}

/** Servers declare wrong encodings and truncate streams; as in browsers, the readable part is used. */
export async function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  limits: BodyLimits,
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
      decoded = await readBody(decodeStream(decoded, coding, 'whole'), limits)
    } catch (thrown) {
      if (isServiceError(thrown, limits)) throw thrown
      return salvage(decoded, coding, limits)
    }
  }
  return { bytes: decoded }
}

async function salvage(bytes: Uint8Array, coding: string, limits: BodyLimits) {
  try {
    const part = await readBody(decodeStream(bytes, coding, 'part'), limits)
    const warning = 'The response of the site is incomplete; this is the part that arrived.'
    if (part.length > 0) return { bytes: part, warning }
  } catch (thrown) {
    if (isServiceError(thrown, limits)) throw thrown
  }
  return { bytes, warning: `The body is not ${coding}, although the site says so; it is used unchanged.` }
}

/** A stream, so that its reader can stop before the body becomes too large. */
function decodeStream(
  bytes: Uint8Array,
  coding: string,
  extent: 'whole' | 'part',
): AsyncIterable<Uint8Array> {
  const stream = createDecoder(bytes, coding, extent)
  stream.end(bytes)
  return stream
}

function createDecoder(bytes: Uint8Array, coding: string, extent: 'whole' | 'part') {
  // With a flush at the end, the data of a truncated stream is returned. Otherwise zlib requires a complete stream.
  const { Z_FINISH, Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = zlib.constants
  const deflate = { chunkSize, finishFlush: extent === 'part' ? Z_SYNC_FLUSH : Z_FINISH }
  const getOptions = (flush: number) => ({ chunkSize, ...(extent === 'part' && { finishFlush: flush }) })
  if (coding === 'gzip' || coding === 'x-gzip') return zlib.createUnzip(deflate)
  // Servers use this name for two formats: with a zlib header, as in the standard, and without.
  if (coding === 'deflate')
    return ((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.createUnzip(deflate) : zlib.createInflateRaw(deflate)
  if (coding === 'br') return zlib.createBrotliDecompress(getOptions(BROTLI_OPERATION_FLUSH))
  if (coding === 'zstd') return zlib.createZstdDecompress(getOptions(ZSTD_e_flush))
  throw new Error(`unknown coding ${coding}`)
}

const chunkSize = 64 * 1024

function isServiceError(thrown: unknown, { signal }: BodyLimits): boolean {
  return thrown instanceof AppError || signal.aborted
}

export function pageTooLargeError({ bound, bytes }: BodyBound): AppError {
  const maxMb = Math.floor(bytes / 1024 / 1024)
  const message = `The page is larger than ${maxMb} MB, the limit of this service for this kind of page (${bound}).`
  return new AppError('SCRAPE_PAGE_TOO_LARGE', { phase: 'read', bound, most: maxMb }, { message })
}
