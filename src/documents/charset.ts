import { isUtf8 } from 'node:buffer'
import { decodeBytes } from '../content/encoding/encoding.ts'
import { byAlphabets } from './charset-alphabets.ts'
import { byPairs } from './charset-pairs.ts'

/** Bytes that are examined, from the first line that is not plain ASCII. */
const sampleBytes = 64 * 1024

/** The encoding of a text file: by its byte order mark, by validity, or by readability. */
export function detectCharset(bytes: Buffer): string {
  const marked = byMark(bytes) ?? byZeros(bytes.subarray(0, sampleBytes))
  if (marked) return marked
  if (bytes.subarray(0, sampleBytes).includes('\x1b$')) return 'iso-2022-jp'
  if (isUtf8(bytes)) return 'utf-8'
  const sample = sampleOf(bytes)
  if (isNearlyUtf8(sample)) return 'utf-8'
  return byPairs(sample) ?? byAlphabets(sample)
}

export function decodeFile(bytes: Buffer): string {
  return decodeBytes(bytes, detectCharset(bytes)).replace(/^\ufeff/, '')
}

function byMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

/** Two bytes per letter without a mark: blanks, digits, commas and ends of lines have a zero on one side. */
function byZeros(sample: Buffer): string | undefined {
  const zeros: [number, number] = [0, 0]
  for (let at = sample.indexOf(0); at !== -1; at = sample.indexOf(0, at + 1)) zeros[at % 2 === 0 ? 0 : 1] += 1
  const [even, odd] = zeros
  if (even + odd < Math.max(2, sample.length / 50)) return undefined
  const encoding = odd > even * 10 ? 'utf-16le' : even > odd * 10 ? 'utf-16be' : undefined
  return encoding && isPlain(decodeBytes(sample, encoding)) ? encoding : undefined
}

/** Binary data has zeros too; text has spaces or line ends, and no control characters. */
function isPlain(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return /[\s,;|]/.test(text) && !/[\x00-\x08\x0e-\x1f\ufffe\uffff]/.test(text)
}

/** Whole lines, so that no letter of several bytes is cut; none of their later bytes looks like the end of a line. */
function sampleOf(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte > 0x7f)
  const start = bytes.lastIndexOf(0x0a, first) + 1
  const from = first - start > sampleBytes / 2 ? first : start
  const sample = bytes.subarray(from, from + sampleBytes)
  const end = sample.lastIndexOf(0x0a)
  return from + sampleBytes < bytes.length && end > sampleBytes / 2 ? sample.subarray(0, end) : sample
}

/** A single wrong byte or a truncated character does not change the decision. */
function isNearlyUtf8(sample: Buffer): boolean {
  const text = new TextDecoder().decode(sample)
  const wrong = text.match(/\ufffd/g)?.length ?? 0
  const letters = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0
  return wrong * 10 < letters
}
