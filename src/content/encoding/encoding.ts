import { inPieces } from '../in-pieces.ts'
import { decodeEucKr } from './euc-kr.ts'

/** The encoding behind a label as the Encoding Standard names it, or nothing for a label nobody knows. */
export function encodingOf(label: string | undefined): string | undefined {
  const name = label?.trim().toLowerCase()
  if (!name) return undefined
  if (replacementLabels.has(name)) return 'replacement'
  if (name === 'x-user-defined') return name
  try {
    return new TextDecoder(name).encoding
  } catch {
    return undefined
  }
}

/** Bytes as text. The encoding is a name that `encodingOf` gave. */
export function decodeBytes(bytes: Uint8Array, encoding: string): string {
  if (encoding === 'windows-1252') return decodeWindows1252(bytes)
  if (encoding === 'x-user-defined') return decodeUserDefined(bytes)
  if (encoding === 'euc-kr') return decodeEucKr(bytes)
  // Encodings that can hide markup from a reader decode to a single error, whatever the bytes are.
  if (encoding === 'replacement') return bytes.length > 0 ? '\ufffd' : ''
  return new TextDecoder(encoding).decode(bytes)
}

const replacementLabels = new Set([
  'replacement',
  'csiso2022kr',
  'hz-gb-2312',
  'iso-2022-cn',
  'iso-2022-cn-ext',
  'iso-2022-kr',
])

// Several releases of Node 20, 22 and 24 decode windows-1252 as Latin-1 and so lose the curly quotes and
// dashes of 0x80-0x9f. Both encodings agree everywhere else, so those 32 are mapped here.
const windows1252High =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178'

function decodeWindows1252(bytes: Uint8Array): string {
  return inPieces(latin1(bytes), (piece) =>
    piece.replace(/[\x80-\x9f]/g, (control) => windows1252High.charAt(control.charCodeAt(0) - 0x80)),
  )
}

/**
 * Bytes above ASCII become private characters, for pages that bring a font for them. Not every Node knows it.
 */
function decodeUserDefined(bytes: Uint8Array): string {
  return inPieces(latin1(bytes), (piece) =>
    piece.replace(/[\x80-\xff]/g, (high) => String.fromCharCode(high.charCodeAt(0) + 0xf700)),
  )
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
