import { isUtf8 } from 'node:buffer'
import { analyse } from 'chardet'
import { decodeBytes, encodingOf } from '../content/encoding.ts'

/** The encoding of a file of text, by its mark, by being valid UTF-8, or by how often which bytes follow each other. */
export function detectCharset(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (isUtf8(bytes)) return 'utf-8'
  for (const { name } of analyse(bytes.subarray(0, 64 * 1024))) {
    const encoding = encodingOf(name)
    // It found no valid UTF-8, and Latin-1 is read as its superset everywhere.
    if (encoding && encoding !== 'utf-8') return encoding
  }
  return 'windows-1252'
}

export function decodeFile(bytes: Buffer): string {
  return decodeBytes(bytes, detectCharset(bytes)).replace(/^\ufeff/, '')
}
