/**
 * Control characters, and bidirectional embeddings, overrides and isolates, which could disguise text by reordering it.
 */
const control = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u206f]/gu
/** Characters that set the text direction at one position only. Their removal changes no visible letter. */
const directionCharacters = /[\u200e\u200f\u061c]/g
const replacementCharacter = '\uFFFD'
const controlPicturesStart = 0x2400
const deletePicture = '\u2421'

/**
 * Returns untrusted text in a form that is safe to print: terminal control characters become visible symbols.
 * Otherwise a page could move the cursor, set the clipboard or hide earlier output.
 */
export function safeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\u2028\u2029]/g, '\n')
    .replaceAll(directionCharacters, '')
    .replaceAll(control, toVisible)
}

/** Returns safe text on one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll(/\s+/g, ' ').trim()
}

/** Serializes a value to JSON in which terminal control characters are escaped. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return text.replaceAll(control, toUnicodeEscape).replaceAll(directionCharacters, toUnicodeEscape)
}

function toUnicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function toVisible(character: string): string {
  const code = character.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(controlPicturesStart + code)
  return code === 0x7f ? deletePicture : replacementCharacter
}

/** Quotes text so that a shell reads it as one word. */
export function quoteForShell(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
