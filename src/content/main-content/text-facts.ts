import { addCode, bucketOf, emptyHash, toLowerCaseCode } from './class-name-features.ts'

/** Maximum number of words of a block that are looked up; other features cover longer blocks. */
const maxHashedWords = 24

export const fact = {
  letters: 0,
  capitals: 1,
  commas: 2,
  fullStops: 3,
  capitalisedWords: 4,
  currencySigns: 5,
  last: 6,
  links: 7,
} as const

export const factsPerBlock = 8

export type TextFacts = ReturnType<typeof createTextFacts>

export function createTextFacts(buckets = new Int32Array(maxHashedWords * 2)) {
  return {
    words: 0,
    linkWords: 0,
    letters: 0,
    capitals: 0,
    commas: 0,
    fullStops: 0,
    capitalisedWords: 0,
    currencySigns: 0,
    hash: emptyHash,
    last: 0,
    buckets,
    bucketCount: 0,
    previousWord: 0,
  }
}

/** Adds text, whose end also ends a word. Runs for every character of a page, so it counts in local variables. */
export function readText(
  facts: TextFacts,
  codes: Uint16Array,
  start: number,
  stop: number,
  isLink: boolean,
): void {
  let words = 0
  let letters = 0
  let capitals = 0
  let capitalisedWords = 0
  let fullStops = 0
  let commas = 0
  let currencySigns = 0
  let ideographs = 0
  let wordStart = -1
  let last = 0
  for (let at = start; at < stop; at += 1) {
    const code = codes[at] ?? 0
    const kind = code < 128 ? (asciiKinds[code] ?? other) : getNonAsciiKind(code)
    if (kind <= digit) {
      letters += 1
      last = code
      if (kind === capital) {
        capitals += 1
        if (wordStart === -1) capitalisedWords += 1
      }
      if (wordStart === -1) wordStart = at
      continue
    }
    if (kind === joiner && wordStart !== -1) continue
    if (wordStart !== -1) {
      words += 1
      addWord(facts, codes, wordStart, at)
      wordStart = -1
    }
    if (kind === space) continue
    last = code
    if (kind === fullStop) fullStops += 1
    else if (kind === comma) commas += 1
    else if (kind === ideograph) ideographs += 1
    else if (kind === currency) currencySigns += 1
  }
  if (wordStart !== -1) {
    words += 1
    addWord(facts, codes, wordStart, stop)
  }
  // In scripts without spaces, a word has about two characters.
  words += ideographs / 2
  facts.words += words
  if (isLink) facts.linkWords += words
  facts.letters += letters + ideographs * 2
  facts.capitals += capitals
  facts.capitalisedWords += capitalisedWords
  facts.fullStops += fullStops
  facts.commas += commas
  facts.currencySigns += currencySigns
  if (last !== 0) facts.last = last
}

function addWord(facts: TextFacts, codes: Uint16Array, start: number, stop: number): void {
  if (facts.bucketCount >= facts.buckets.length) return
  let word = emptyHash
  for (let at = start; at < stop; at += 1) {
    const code = codes[at] ?? 0
    if (code < 128 && asciiKinds[code] === joiner) continue
    if (code === 0x2019 || code === 0xad) continue
    word = addCode(word, toLowerCaseCode(code))
  }
  facts.hash = addCode(facts.hash, word)
  facts.buckets[facts.bucketCount] = bucketOf(word)
  // The second bucket is the pair with the previous word, or with the start of the block.
  facts.buckets[facts.bucketCount + 1] = bucketOf(addCode(addCode(word, facts.previousWord & 0xffff), 32))
  facts.bucketCount += 2
  facts.previousWord = word
}

const letter = 0
const capital = 1
const digit = 2
const space = 3
const comma = 4
const fullStop = 5
const currency = 6
const joiner = 7
const ideograph = 8
const other = 9

const asciiKinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (code <= 32) return space
  if (/[a-z]/.test(character)) return letter
  if (/[A-Z]/.test(character)) return capital
  if (/\d/.test(character)) return digit
  if (/[,;]/.test(character)) return comma
  if (/[.!?:]/.test(character)) return fullStop
  if (character === '$') return currency
  return character === "'" || character === '-' || character === '_' ? joiner : other
})

function getNonAsciiKind(code: number): number {
  if (code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200f) || code === 0xfeff) return space
  if (code === 0x2019 || code === 0xad) return joiner
  if (code === 0xa3 || code === 0xa5 || (code >= 0x20a0 && code <= 0x20cf)) return currency
  if (code === 0x3001 || code === 0xff0c || code === 0x60c) return comma
  if (code === 0x3002 || code === 0xff01 || code === 0xff1f || code === 0x2026 || code === 0x61f)
    return fullStop
  if ((code >= 0x3040 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3)) return ideograph
  if (code < 0xc0 || (code >= 0x2010 && code <= 0x2bff) || (code >= 0xd800 && code <= 0xdfff)) return other
  return (code >= 0xc0 && code <= 0xde) ||
    (code >= 0x410 && code <= 0x42f) ||
    (code >= 0x391 && code <= 0x3a9)
    ? capital
    : letter
}
