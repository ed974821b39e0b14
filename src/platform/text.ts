import { hash, randomBytes } from 'node:crypto'

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the text before the first separator, and the text after it. */
export function splitOnce(text: string, separator = ' '): [string, string] {
  const index = text.indexOf(separator)
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)]
}

/**
 * Estimates how many tokens a language model counts in a text. Models differ, so fixed rates are used. A token is four
 * letters of a Latin script, two of another alphabet, or one Chinese, Japanese or Korean character.
 */
export function estimateTokens(text: string): number {
  let quarterTokens = 0
  for (let index = 0; index < text.length; index++) quarterTokens += toQuarterTokens(text.charCodeAt(index))
  return Math.ceil(quarterTokens / 4)
}

/** Returns the beginning of a text with at most this many tokens, by the same estimate. */
export function cutToTokens(text: string, tokens: number): string {
  let remaining = tokens * 4
  for (let index = 0; index < text.length; index++) {
    remaining -= toQuarterTokens(text.charCodeAt(index))
    if (remaining < 0) return withoutHalfSurrogate(text.slice(0, index))
  }
  return text
}

function toQuarterTokens(code: number): number {
  if (code < 0x250) return 1
  return code < 0x2e80 ? 2 : 4
}

/** Removes a high surrogate at the end of a text, whose low surrogate was cut off. */
function withoutHalfSurrogate(text: string): string {
  return /[\uD800-\uDBFF]$/.test(text) ? text.slice(0, -1) : text
}

/** Returns a short key for texts of any length: equal texts have equal keys. */
export function digest(texts: Iterable<string>): string {
  return hash('sha256', Array.from(texts).join(''), 'base64url').slice(0, 24)
}

/**
 * Returns a function that puts markers around page text. Each task has a new random marker, so that page text cannot
 * contain the end marker and be treated as text of the service.
 */
export function createFence(): (text: string) => string {
  const marker = randomBytes(6).toString('hex')
  return (text) =>
    `[begin text of the page ${marker}]\n${stripInvisible(text)}\n[end text of the page ${marker}]`
}

/** Removes invisible characters: tags, zero-width characters, and characters that change the text direction. */
export function stripInvisible(text: string): string {
  return text.replace(/[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2060\ufeff]/gu, '')
}

/**
 * Returns a query parameter with U+FFFD in place of U+0000. PostgreSQL rejects U+0000 in text, and SQLite accepts it.
 * Both adapters replace it, so a request has the same result on either store. JSON columns are not affected, because
 * JSON escapes it.
 */
export function toStorableText<Value>(value: Value): Value {
  if (typeof value === 'string')
    return (value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value) as Value
  // Arrays are parameters of the type text[]. Bytes are not arrays and may contain any value.
  if (Array.isArray(value)) return value.map(toStorableText) as Value
  return value
}
