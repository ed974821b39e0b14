import { hash, randomBytes } from 'node:crypto'

export function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** The text before the first separator, and the text after it. */
export function splitOnce(text: string, separator = ' '): [string, string] {
  const at = text.indexOf(separator)
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/**
 * About how many tokens a language model counts in a text. Models differ, so it is an estimate: four letters of a Latin script
 * to a token, two of other alphabets, and a token for each sign of Chinese, Japanese and Korean.
 */
export function estimateTokens(text: string): number {
  let quarters = 0
  for (let index = 0; index < text.length; index++) quarters += quartersOf(text.charCodeAt(index))
  return Math.ceil(quarters / 4)
}

/** The beginning of a text that has at most this many tokens, by the same estimate. */
export function cutToTokens(text: string, tokens: number): string {
  let left = tokens * 4
  for (let index = 0; index < text.length; index++) {
    left -= quartersOf(text.charCodeAt(index))
    if (left < 0) return wholeSigns(text.slice(0, index))
  }
  return text
}

function quartersOf(code: number): number {
  if (code < 0x250) return 1
  return code < 0x2e80 ? 2 : 4
}

/** Without half of a sign that two codes form. */
function wholeSigns(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}

/** A short key for a list of texts of any length: equal texts give equal keys. */
export function digest(texts: Iterable<string>): string {
  return hash('sha256', Array.from(texts).join(''), 'base64url').slice(0, 24)
}

/** Marks page text as such. Each task has a new random mark, so that no page can close it and pose as the service. */
export function createFence(): (text: string) => string {
  const mark = randomBytes(6).toString('hex')
  return (text) => `[begin text of the page ${mark}]\n${visible(text)}\n[end text of the page ${mark}]`
}

/** Without invisible characters: tags, and marks that change the text direction. */
export function visible(text: string): string {
  return text.replace(/[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2060\ufeff]/gu, '')
}

/**
 * Returns a query parameter with U+FFFD in place of U+0000. PostgreSQL rejects U+0000 in text, and SQLite accepts it, so both
 * adapters replace it: a request has the same result on either store. JSON columns are not affected, because JSON escapes it.
 */
export function toStorableText<Value>(value: Value): Value {
  if (typeof value === 'string')
    return (value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value) as Value
  // Arrays are parameters of the type text[]. Bytes are not arrays and may contain any value.
  if (Array.isArray(value)) return value.map(toStorableText) as Value
  return value
}
