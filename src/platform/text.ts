import { hash, randomBytes } from 'node:crypto'

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function splitOnce(text: string, separator = ' '): [string, string] {
  const index = text.indexOf(separator)
  return index === -1 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)]
}

/** Models differ, so fixed rates are used: four Latin letters, two of another alphabet, or one CJK character. */
export function estimateTokens(text: string): number {
  let quarterTokens = 0
  for (let index = 0; index < text.length; index++) quarterTokens += toQuarterTokens(text.charCodeAt(index))
  return Math.ceil(quarterTokens / 4)
}

export function cutToTokens(text: string, tokens: number): string {
  let remaining = tokens * 4
  for (let index = 0; index < text.length; index++) {
    remaining -= toQuarterTokens(text.charCodeAt(index))
    if (remaining < 0) return text.slice(0, index).replace(/[\uD800-\uDBFF]$/, '')
  }
  return text
}

function toQuarterTokens(code: number): number {
  if (code < 0x250) return 1
  return code < 0x2e80 ? 2 : 4
}

export function digest(texts: Iterable<string>): string {
  return hash('sha256', Array.from(texts).join(''), 'base64url').slice(0, 24)
}

/** Each task has a new random marker, so page text cannot contain the end marker and pose as the service. */
export function createFence(): (text: string) => string {
  const marker = randomBytes(6).toString('hex')
  return (text) =>
    `[begin text of the page ${marker}]\n${stripInvisible(text)}\n[end text of the page ${marker}]`
}

/** Removes tags, zero-width characters, and characters that change the text direction. */
export function stripInvisible(text: string): string {
  return text.replace(/[\u{e0000}-\u{e007f}\u202a-\u202e\u2066-\u2069\u200b-\u200f\u2060\ufeff]/gu, '')
}

/** PostgreSQL rejects U+0000 in text and SQLite accepts it, so both adapters replace it. JSON escapes it. */
export function toStorableText<Value>(value: Value): Value {
  if (typeof value === 'string')
    return (value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value) as Value
  // Arrays are parameters of the type text[]. Bytes are not arrays and may contain any value.
  if (Array.isArray(value)) return value.map(toStorableText) as Value
  return value
}
