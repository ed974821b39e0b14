import { createRequire } from 'node:module'
import { countPairs } from './byte-pairs.ts'

/** The tokens of a text, as models with the encoding o200k_base count them. */
export function countTokens(text: string): number {
  const { words, ranks } = loaded()
  let tokens = 0
  for (const [word] of text.matchAll(words)) tokens += tokensOfWord(word, ranks)
  return tokens
}

function tokensOfWord(word: string, ranks: ReadonlyMap<string, number>): number {
  return isAscii.test(word) && ranks.has(word) ? 1 : tokensOfRare(word, ranks)
}

export interface CountedParts {
  /** Tokens of each part, and of what stands behind it. */
  inside: number[]
  behind: number[]
  /** Of the whole text. */
  total: number
}

/** Counts a text and its parts in one go. A word belongs to the part that it begins in, so parts may be off by one. */
export function countParts(text: string, starts: readonly number[], ends: readonly number[]): CountedParts {
  const { words, ranks } = loaded()
  const inside = starts.map(() => 0)
  const behind = starts.map(() => 0)
  let [total, part] = [0, 0]
  for (const { 0: word, index } of text.matchAll(words)) {
    const tokens = tokensOfWord(word, ranks)
    total += tokens
    while (part < ends.length && index >= (ends[part] ?? 0)) part += 1
    const isInside = part < ends.length && index >= (starts[part] ?? 0)
    if (isInside) inside[part] = (inside[part] ?? 0) + tokens
    else if (part > 0) behind[part - 1] = (behind[part - 1] ?? 0) + tokens
  }
  return { inside, behind, total }
}

/** Lets go of the page whose words were remembered. */
export function forgetWords(): void {
  known.clear()
}

/** Tokens of words that are more than one, of the page that is read. */
const known = new Map<string, number>()
const mostKnown = 20_000

function tokensOfRare(word: string, ranks: ReadonlyMap<string, number>): number {
  const before = known.get(word)
  if (before !== undefined) return before
  const tokens = word.length > longestWord ? tokensOfLong(word, ranks) : countPairs(bytesOf(word), ranks)
  if (known.size < mostKnown) known.set(word, tokens)
  return tokens
}

/** Joining pairs takes the square of the length of a word. No language has longer ones, and these count in parts. */
const longestWord = 64
const partOfWord = 24
/** At most this many parts are counted; the rest of a word is like them. */
const mostParts = 200

function tokensOfLong(word: string, ranks: ReadonlyMap<string, number>): number {
  const end = Math.min(word.length, partOfWord * mostParts)
  let tokens = 0
  for (let at = 0; at < end; at += partOfWord) {
    tokens += countPairs(bytesOf(word.slice(at, Math.min(at + partOfWord, end))), ranks)
  }
  return Math.round((tokens * word.length) / end)
}

const isAscii = /^[\0-\x7f]*$/

/** The bytes of a text in UTF-8, one character each. */
function bytesOf(text: string): string {
  return isAscii.test(text) ? text : Buffer.from(text).toString('latin1')
}

interface Encoding {
  /** How a text is taken apart before pairs are joined. */
  words: RegExp
  /** Tokens by their bytes, the most common first. */
  ranks: ReadonlyMap<string, number>
}

let encoding: Encoding | undefined

/** 2.4 MB of tokens, so nobody loads them who counts nothing; at once, because a page is read in one go. */
function loaded(): Encoding {
  encoding ??= load()
  return encoding
}

function load(): Encoding {
  const require = createRequire(import.meta.url)
  // The types of the package describe the same files as modules.
  const tokens = require('gpt-tokenizer/bpeRanks/o200k_base').default as (string | number[])[]
  const words = require('gpt-tokenizer/encodingParams/constants').O200K_TOKEN_SPLIT_REGEX as RegExp
  const ranks = new Map<string, number>()
  for (const [rank, piece] of tokens.entries()) {
    ranks.set(typeof piece === 'string' ? bytesOf(piece) : String.fromCharCode(...piece), rank)
  }
  return { words, ranks }
}
