import { isUtf8 } from 'node:buffer'
import { decodeBytes } from '../content/encoding/decode.ts'
import { jsonFile } from '../platform/json/json.ts'

type Span = readonly [from: number, to: number]

interface PairEncoding {
  name: string
  lead: Span[]
  trail: Span[]
  single?: Span
  common: { lead: Span; trail: Span }[]
  /** First bytes that every text of the language contains; without them the encoding is ruled out. */
  requires?: Span
}

/** Letters of a language, and the single-byte encodings that contain them, the most common one first. */
interface Alphabet {
  encodings: string[]
  letters: string
  /** The most frequent letters, for scripts in which every encoding decodes to letters of the same script. */
  frequent?: string
}

export interface Charsets {
  /** The more specific first, because later ones can also decode text of earlier ones. */
  pairs: PairEncoding[]
  alphabets: Alphabet[]
}

const charsets = jsonFile<Charsets>(new URL('./charsets.json', import.meta.url))

const minCommonShare = 0.7
/** Files may contain pasted fragments; a text in another encoding has many more invalid bytes. */
const maxInvalidShare = 0.01

function detectDoubleByte(sample: Buffer): string | undefined {
  let best: { name: string; share: number } | undefined
  for (const encoding of charsets().pairs) {
    const share = getCommonShare(sample, encoding)
    if (share >= minCommonShare && share > (best?.share ?? 0) + 0.02) best = { name: encoding.name, share }
  }
  return best?.name
}

function getCommonShare(sample: Buffer, encoding: PairEncoding): number {
  const counts = { common: 0, rare: 0, single: 0, marks: 0, needed: 0, wrong: 0 }
  for (let at = 0; at < sample.length; at += 1) {
    const lead = sample[at] ?? 0
    if (lead < 0x80) continue
    if (encoding.single && isIn(lead, encoding.single)) {
      counts.single += 1
      continue
    }
    const trail = sample[at + 1] ?? 0
    if (!isInAny(lead, encoding.lead) || !isInAny(trail, encoding.trail)) {
      counts.wrong += 1
      continue
    }
    at += 1
    if (encoding.requires && isIn(lead, encoding.requires)) counts.needed += 1
    if (encoding.common.some((range) => isIn(lead, range.lead) && isIn(trail, range.trail)))
      counts.common += 1
    // Full stops, brackets and full-width digits are in the first rows of each of these encodings.
    else if (lead >= 0xa1 && lead <= 0xa3) counts.marks += 1
    else counts.rare += 1
  }
  const letters = counts.common + counts.rare + counts.single / 2
  if (letters === 0 || counts.wrong > (letters + counts.marks) * maxInvalidShare) return 0
  if (encoding.requires && counts.needed < letters * 0.05) return 0
  return counts.common / letters
}

const isIn = (byte: number, [from, to]: Span) => byte >= from && byte <= to
const isInAny = (byte: number, spans: Span[]) => spans.some((span) => isIn(byte, span))

const sampleBytes = 64 * 1024

export function detectCharset(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const utf16 = detectUtf16(bytes.subarray(0, sampleBytes))
  if (utf16) return utf16
  if (bytes.subarray(0, sampleBytes).includes('\x1b$')) return 'iso-2022-jp'
  if (isUtf8(bytes)) return 'utf-8'
  const sample = getSample(bytes)
  if (isNearlyUtf8(sample)) return 'utf-8'
  return detectDoubleByte(sample) ?? detectSingleByte(sample)
}

export const decodeFile = (bytes: Buffer) => decodeBytes(bytes, detectCharset(bytes)).replace(/^\ufeff/, '')

/** Detects UTF-16 without a byte order mark: spaces, digits, commas and line ends have a zero byte on one side. */
function detectUtf16(sample: Buffer): string | undefined {
  const zeros: [number, number] = [0, 0]
  for (let at = sample.indexOf(0); at !== -1; at = sample.indexOf(0, at + 1)) zeros[at % 2 === 0 ? 0 : 1] += 1
  const [even, odd] = zeros
  if (even + odd < Math.max(2, sample.length / 50)) return undefined
  const encoding = odd > even * 10 ? 'utf-16le' : even > odd * 10 ? 'utf-16be' : undefined
  return encoding && isPlain(decodeBytes(sample, encoding)) ? encoding : undefined
}

function isPlain(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
  return /[\s,;|]/.test(text) && !/[\x00-\x08\x0e-\x1f\ufffe\uffff]/.test(text)
}

/** Returns complete lines, which cuts no character: no second byte of these encodings is a line end. */
function getSample(bytes: Buffer): Buffer {
  const first = bytes.findIndex((byte) => byte > 0x7f)
  const start = bytes.lastIndexOf(0x0a, first) + 1
  const from = first - start > sampleBytes / 2 ? first : start
  const sample = bytes.subarray(from, from + sampleBytes)
  const end = sample.lastIndexOf(0x0a)
  return from + sampleBytes < bytes.length && end > sampleBytes / 2 ? sample.subarray(0, end) : sample
}

function isNearlyUtf8(sample: Buffer): boolean {
  const text = new TextDecoder().decode(sample)
  const wrong = text.match(/\ufffd/g)?.length ?? 0
  const letters = text.match(/[^\0-\x7f\ufffd]/g)?.length ?? 0
  return wrong * 10 < letters
}

const punctuation = new Set('\u00a0\u00ad€£§©®°±«»„“”‘’‚‹›–—…•·№¿¡´`²³½%™×¢¥µº')

function detectSingleByte(sample: Buffer): string {
  const texts = new Map<string, string>()
  let best = { encoding: 'windows-1252', score: 0.3 }
  for (const alphabet of charsets().alphabets) {
    for (const [rank, encoding] of alphabet.encodings.entries()) {
      const text = texts.get(encoding) ?? decodeBytes(sample, encoding)
      texts.set(encoding, text)
      const score = getMatchScore(text, alphabet) - (rank > 0 ? 0.01 : 0)
      if (score > best.score + 1e-6) best = { encoding, score }
    }
  }
  return best.encoding
}

function getMatchScore(text: string, { letters, frequent }: Alphabet): number {
  const alphabetLetters = new Set(letters + letters.toUpperCase())
  const frequentLetters = new Set(frequent)
  const isNonLatin = frequent !== undefined
  const counts = { own: 0, foreign: 0, odd: 0, often: 0 }
  let previous = ''
  for (const letter of text) {
    if (letter > '\x7f') {
      if (alphabetLetters.has(letter)) {
        counts.own += 1
        if (frequentLetters.has(letter)) counts.often += 1
        if (isImplausible(previous, letter, isNonLatin)) counts.odd += 1
      } else if (!punctuation.has(letter) || isLetter(previous)) counts.foreign += 1
    } else if (isNonLatin && alphabetLetters.has(previous) && isLetter(letter)) counts.odd += 1
    previous = letter
  }
  if (counts.own === 0) return 0
  const share = (counts.own - counts.odd) / (counts.own + counts.foreign)
  // With the right encoding, at least two thirds of the letters are frequent ones.
  return isNonLatin ? share * Math.min(1, 0.6 + (0.6 * counts.often) / counts.own) : share
}

/** True for an upper-case letter after a lower-case letter, or for letters of two scripts in one word. */
function isImplausible(previous: string, letter: string, isNonLatin: boolean): boolean {
  if (isNonLatin && /[A-Za-z]/.test(previous)) return true
  return isLowerCase(previous) && !isLowerCase(letter) && letter !== letter.toLowerCase()
}

const isLowerCase = (letter: string) => letter !== letter.toUpperCase()
const isLetter = (letter: string) => /^\p{L}$/u.test(letter)
