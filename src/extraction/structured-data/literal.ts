import { decodeHTML } from 'entities'
import { parseForeignJson } from '../../platform/json/json.ts'

const maxDepth = 100

/** Shared, because creating an error takes longer than parsing, and thousands of literals may be incomplete. */
const invalidLiteral = new Error('This is not a literal.')

interface Cursor {
  text: string
  at: number
}

/** Parses a JSON or JavaScript literal. `end` is the offset at which parsing stopped. */
export function readLiteral(text: string, start = 0): { ok: boolean; value?: unknown; end: number } {
  const cursor = { text, at: start }
  try {
    const value = readValue(cursor, 0)
    return { ok: true, value, end: cursor.at }
  } catch {
    return { ok: false, end: cursor.at }
  }
}

function readValue(cursor: Cursor, depth: number): unknown {
  if (depth > maxDepth) throw invalidLiteral
  skipSpace(cursor)
  const first = cursor.text[cursor.at]
  if (first === '{') return readObject(cursor, depth)
  if (first === '[') return readArray(cursor, depth)
  if (first === '"' || first === "'" || first === '`') return readString(cursor, first)
  return readWord(cursor)
}

function readObject(cursor: Cursor, depth: number): Record<string, unknown> {
  const entries = new Map<string, unknown>()
  cursor.at += 1
  while (!skip(cursor, '}')) {
    const key = readKey(cursor)
    if (!skip(cursor, ':')) throw invalidLiteral
    const value = readValue(cursor, depth + 1)
    // A page must not modify the prototype of all objects.
    if (key !== '__proto__') entries.set(key, value)
    skipComma(cursor, '}')
  }
  return Object.fromEntries(entries)
}

function readArray(cursor: Cursor, depth: number): unknown[] {
  const values: unknown[] = []
  cursor.at += 1
  while (!skip(cursor, ']')) {
    values.push(readValue(cursor, depth + 1))
    skipComma(cursor, ']')
  }
  return values
}

function readKey(cursor: Cursor): string {
  skipSpace(cursor)
  const first = cursor.text[cursor.at]
  if (first === '"' || first === "'") return readString(cursor, first)
  return match(cursor, /[\p{ID_Start}$_][\p{ID_Continue}$]{0,200}|\d{1,20}/uy)
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '0': '\0' }

function readString(cursor: Cursor, quote: string): string {
  const parts: string[] = []
  const { text } = cursor
  let from = cursor.at + 1
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (character === quote) {
      cursor.at = at + 1
      return parts.join('') + text.slice(from, at)
    }
    if (character !== '\\') continue
    parts.push(text.slice(from, at))
    const escaped = readEscape(text, at + 1)
    parts.push(escaped.text)
    from = escaped.end
    at = from - 1
  }
  cursor.at = text.length
  throw invalidLiteral
}

function readEscape(text: string, at: number): { text: string; end: number } {
  const letter = text[at] ?? ''
  const digits = letter === 'u' ? 4 : letter === 'x' ? 2 : 0
  const code = text.slice(at + 1, at + 1 + digits)
  if (digits > 0 && /^[0-9a-f]+$/i.test(code) && code.length === digits) {
    return { text: String.fromCharCode(Number.parseInt(code, 16)), end: at + 1 + digits }
  }
  return { text: letter === '\n' ? '' : (escapes[letter] ?? letter), end: at + 1 }
}

const booleans: Record<string, boolean> = { true: true, '!0': true, false: false, '!1': false }

const wordPattern = /true\b|false\b|null\b|undefined\b|NaN\b|void 0\b|![01]/y
const numberPattern = /[-+]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][-+]?\d{1,4})?/y

function readWord(cursor: Cursor): unknown {
  const isNumber = /[-+.\d]/.test(cursor.text.charAt(cursor.at))
  return isNumber ? Number(match(cursor, numberPattern)) : (booleans[match(cursor, wordPattern)] ?? null)
}

function match(cursor: Cursor, pattern: RegExp): string {
  pattern.lastIndex = cursor.at
  const found = pattern.exec(cursor.text)?.[0]
  if (!found) throw invalidLiteral
  cursor.at += found.length
  return found
}

function skip(cursor: Cursor, character: string): boolean {
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== character) return false
  cursor.at += 1
  return true
}

/** Skips at least one comma between two values, or any number of commas before the closing bracket. */
function skipComma(cursor: Cursor, bracket: string): void {
  skipSpace(cursor)
  const hadComma = cursor.text[cursor.at] === ','
  while (cursor.text[cursor.at] === ',') {
    cursor.at += 1
    skipSpace(cursor)
  }
  if (!hadComma && cursor.text[cursor.at] !== bracket) throw invalidLiteral
}

const nonSpace = /\S/g

function skipSpace(cursor: Cursor): void {
  const { text } = cursor
  for (;;) {
    nonSpace.lastIndex = cursor.at
    cursor.at = nonSpace.exec(text)?.index ?? text.length
    const end = text.startsWith('/*', cursor.at)
      ? text.indexOf('*/', cursor.at + 2) + 2
      : text.startsWith('//', cursor.at)
        ? text.indexOf('\n', cursor.at + 2) + 1
        : cursor.at
    if (end === cursor.at) return
    // A comment without an end extends to the end of the text.
    cursor.at = end > cursor.at ? end : text.length
  }
}

const maxLength = 4_000_000

/** Parses JSON of a page, even if it has a comment wrapper, HTML escapes or JavaScript syntax. */
export function readJson(text: string): unknown {
  if (text.length > maxLength) return undefined
  try {
    return parseForeignJson(text)
  } catch {
    return readLiteral(unescapeHtml(text.replace(wrapperStart, ''))).value
  }
}

/** Start of comment and CDATA wrappers. Their end is ignored, like any text after the value. */
const wrapperStart = /^(?:\s|\uFEFF|<!--|<!\[CDATA\[|\/\*\s*<!\[CDATA\[\s*\*\/|\/\/\s*<!\[CDATA\[)+/

function unescapeHtml(text: string): string {
  return /^[{[][{[\s]{0,20}&(?:quot|#34|#x22);/i.test(text) ? decodeHTML(text) : text
}
