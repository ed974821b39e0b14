import { normalizeEncoding, TextDecoder as WebTextDecoder } from '@exodus/bytes/encoding.js'

/** The encoding behind a label as the Encoding Standard names it, or nothing for a label nobody knows. */
export function encodingOf(label: string | undefined): string | undefined {
  return (label && normalizeEncoding(label)) || undefined
}

/** Bytes as text. The encoding is a name that `encodingOf` gave. */
export function decodeBytes(bytes: Uint8Array, encoding: string): string {
  // Encodings that can hide markup from a reader decode to a single error, whatever the bytes are.
  if (encoding === 'replacement') return bytes.length > 0 ? '\ufffd' : ''
  // The decoders of Node have other tables: Big5 without the characters of Hong Kong, EUC-KR without 8,822 syllables.
  return new WebTextDecoder(encoding).decode(bytes)
}
