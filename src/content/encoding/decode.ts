import { getBOMEncoding } from '@exodus/bytes/encoding.js'
import { decodeBytes, encodingOf } from './encoding.ts'
import { prescanEncoding } from './prescan.ts'

/**
 * Bytes of a page as text, by the encoding sniffing of the HTML standard: byte order mark, Content-Type
 * header, what the first bytes declare. Without any sign, valid UTF-8 is UTF-8 and the rest is windows-1252.
 */
export function decodeText(
  bytes: Uint8Array,
  contentType: string | undefined,
): { text: string; encoding: string } {
  const speaksOfItself = isMarkup(contentType)
  const declared =
    getBOMEncoding(bytes) ??
    encodingOf(charsetOf(contentType)) ??
    (speaksOfItself ? prescanEncoding(bytes, 1024) : undefined)
  if (declared) return { text: decodeBytes(bytes, declared), encoding: declared }

  const text = validUtf8(bytes)
  if (text !== undefined) return { text, encoding: 'utf-8' }
  // A browser that meets the declaration later, while parsing, starts over with it.
  const late = speaksOfItself ? prescanEncoding(bytes, 65_536) : undefined
  const encoding = late ?? 'windows-1252'
  return { text: decodeBytes(bytes, encoding), encoding }
}

function charsetOf(contentType: string | undefined): string | undefined {
  return contentType?.match(/;\s*charset\s*=\s*["']?([^"';\s]+)/i)?.[1]
}

/** A text file may quote a page with a meta tag; only markup speaks about itself. */
function isMarkup(contentType: string | undefined): boolean {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return !/^text\/|json|javascript|yaml/.test(type) || /html|xml/.test(type)
}

function validUtf8(bytes: Uint8Array): string | undefined {
  try {
    // Streaming forgives a last character that was cut in half, as happens when a body ends at a size limit.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}
