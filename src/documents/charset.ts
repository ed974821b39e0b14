import { isUtf8 } from 'node:buffer'
import { decodeBytes } from '../content/encoding/decode.ts'
import { jsonFile } from '../platform/json/json.ts'

type Span = readonly [from: number, to: number]

/** An East Asian encoding: which bytes form a character, and where the common characters are. */
interface PairEncoding {
  name: string
  lead: Span[]
  trail: Span[]
  /** Bytes above ASCII that are letters by themselves. */
  single?: Span
  /** First bytes, and the second ones, of what is common in any text of the language. */
  common: { lead: Span; trail: Span }[]
  /** Characters that every text of the language contains; the encoding is not considered without them. */
  requires?: Span
}

/** Letters beyond ASCII that a language writes, and the encodings of one byte per letter that have them, the usual one first. */
interface Alphabet {
  encodings: string[]
  letters: string
  /** The letters of most words, for scripts in which every encoding gives letters of the same script. */
  frequent?: string
}

export interface Charsets {
  /** The more particular first: each of the later ones would also read the text of an earlier one. */
  pairs: PairEncoding[]
  /** In order of preference if a text gives no other evidence. */
  alphabets: Alphabet[]
}

const charsets = jsonFile<Charsets>(new URL('./charsets.json', import.meta.url))

/** Letters outside the common ones are names and rare words. */
const leastCommon = 0.7
/** Files may contain pasted fragments; a text in another encoding has many more of these. */
const mostWrong = 0.01

/** The double-byte encoding in which most characters are common ones; undefined if there is none. */
function byPairs(sample: Buffer): string | undefined {
  let best: { name: string; share: number } | undefined
  for (const encoding of charsets().pairs) {
    const share = commonShare(sample, encoding)
    // Later ones must be clearly better, because they can also decode text of the earlier ones.
    if (share >= leastCommon && share > (best?.share ?? 0) + 0.02) best = { name: encoding.name, share }
  }
  return best?.name
}

/** The share of common characters; zero if the bytes are not valid in this encoding. */
function commonShare(sample: Buffer, encoding: PairEncoding): number {
  const seen = { common: 0, rare: 0, single: 0, marks: 0, needed: 0, wrong: 0 }
  for (let at = 0; at < sample.length; at += 1) {
    const lead = sample[at] ?? 0
    if (lead < 0x80) continue
    if (encoding.single && isIn(lead, encoding.single)) {
      seen.single += 1
      continue
    }
    const trail = sample[at + 1] ?? 0
    if (
      !encoding.lead.some((span) => isIn(lead, span)) ||
      !encoding.trail.some((span) => isIn(trail, span))
    ) {
      seen.wrong += 1
      continue
    }
    at += 1
    if (encoding.requires && isIn(lead, encoding.requires)) seen.needed += 1
    if (encoding.common.some((place) => isIn(lead, place.lead) && isIn(trail, place.trail))) seen.common += 1
    // Full stops, brackets and wide digits: every one of these encodings has them in its first rows.
    else if (lead >= 0xa1 && lead <= 0xa3) seen.marks += 1
    else seen.rare += 1
  }
  const letters = seen.common + seen.rare + seen.single / 2
  if (letters === 0 || seen.wrong > (letters + seen.marks) * mostWrong) return 0
  if (encoding.requires && seen.needed < letters * 0.05) return 0
  return seen.common / letters
}

const isIn = (byte: number, [from, to]: Span) => byte >= from && byte <= to

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

/** Marks that texts of any of them have: quotes, dashes, currencies and the like. */
const marks = new Set('\u00a0\u00ad€£§©®°±«»„“”‘’‚‹›–—…•·№¿¡´`²³½%™×¢¥µº')

/** The encoding of one byte per letter whose letters make the words of some language. */
function byAlphabets(sample: Buffer): string {
  const texts = new Map<string, string>()
  let best = { encoding: 'windows-1252', score: 0.3 }
  for (const alphabet of charsets().alphabets) {
    for (const [place, encoding] of alphabet.encodings.entries()) {
      const text = texts.get(encoding) ?? decodeBytes(sample, encoding)
      texts.set(encoding, text)
      // A rare encoding must match better than a common one.
      const score = matchOf(text, alphabet) - (place > 0 ? 0.01 : 0)
      if (score > best.score + 1e-6) best = { encoding, score }
    }
  }
  return best.encoding
}

/** The share of non-ASCII characters that are letters of the alphabet, in positions of letters. */
function matchOf(text: string, { letters, frequent }: Alphabet): number {
  const own = new Set(letters + letters.toUpperCase())
  const often = new Set(frequent)
  const isScript = frequent !== undefined
  const seen = { own: 0, foreign: 0, odd: 0, often: 0 }
  let before = ''
  for (const letter of text) {
    if (letter > '\x7f') {
      if (own.has(letter)) {
        seen.own += 1
        if (often.has(letter)) seen.often += 1
        if (isOdd(before, letter, isScript)) seen.odd += 1
      } else if (!marks.has(letter) || isLetter(before)) seen.foreign += 1
    } else if (isScript && own.has(before) && isLetter(letter)) seen.odd += 1
    before = letter
  }
  if (seen.own === 0) return 0
  const share = (seen.own - seen.odd) / (seen.own + seen.foreign)
  // Two of three letters are frequent ones, unless the encoding is wrong.
  return isScript ? share * Math.min(1, 0.6 + (0.6 * seen.often) / seen.own) : share
}

/** A capital after a small letter, or letters of two scripts in one word. */
function isOdd(before: string, letter: string, isScript: boolean): boolean {
  if (isScript && /[A-Za-z]/.test(before)) return true
  return isSmall(before) && !isSmall(letter) && letter !== letter.toLowerCase()
}

const isSmall = (letter: string) => letter !== letter.toUpperCase()
const isLetter = (letter: string) => /^\p{L}$/u.test(letter)
