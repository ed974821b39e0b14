/** Embeddings, overrides and isolates reorder everything up to their end, so text could show as other text. */
const control = /(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u206f]/gu
/** Marks that set the direction of one position only. Text without them shows the same letters. */
const directionMarks = /[\u200e\u200f\u061c]/g
const unlike = '\uFFFD'
const pictures = 0x2400
const pictureOfDelete = '\u2421'

/**
 * Text of pages, files and servers as it may be printed: characters that a terminal would obey become visible signs.
 * Otherwise a page could move the cursor, set the clipboard or hide what the terminal showed before.
 */
export function safeText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\u2028\u2029]/g, '\n')
    .replaceAll(directionMarks, '')
    .replaceAll(control, picture)
}

/** The same on one line. */
export function safeLine(text: string): string {
  return safeText(text).replaceAll(/\s+/g, ' ').trim()
}

/** JSON that means the same and holds no character that a terminal would obey. */
export function safeJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null'
  return text.replaceAll(control, toEscape).replaceAll(directionMarks, toEscape)
}

function toEscape(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function picture(sign: string): string {
  const code = sign.charCodeAt(0)
  if (code < 0x20) return String.fromCharCode(pictures + code)
  return code === 0x7f ? pictureOfDelete : unlike
}

/** As a shell reads it as one word. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
