import { getBOMEncoding, normalizeEncoding, TextDecoder as WebTextDecoder } from '@exodus/bytes/encoding.js'

/** Decodes like a browser. Without a declaration, bytes that are not valid UTF-8 are windows-1252. */
export function decodeText(bytes: Uint8Array, contentType: string | undefined) {
  const canDeclareEncoding = isMarkup(contentType)
  const declared =
    getBOMEncoding(bytes) ??
    encodingOf(contentType?.match(/;\s*charset\s*=\s*["']?([^"';\s]+)/i)?.[1]) ??
    (canDeclareEncoding ? prescanEncoding(bytes, 1024) : undefined)
  if (declared) return { text: decodeBytes(bytes, declared), encoding: declared }

  const text = decodeValidUtf8(bytes)
  if (text !== undefined) return { text, encoding: 'utf-8' }
  // A browser that finds the declaration later, while parsing, restarts with its encoding.
  const lateEncoding = canDeclareEncoding ? prescanEncoding(bytes, 65_536) : undefined
  const encoding = lateEncoding ?? 'windows-1252'
  return { text: decodeBytes(bytes, encoding), encoding }
}

/** Returns true for markup, whose meta tags count. A text file may only quote a page with a meta tag. */
function isMarkup(contentType: string | undefined): boolean {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return !/^text\/|json|javascript|yaml/.test(mediaType) || /html|xml/.test(mediaType)
}

function decodeValidUtf8(bytes: Uint8Array): string | undefined {
  try {
    // Streaming accepts an incomplete last character, as happens when a body ends at a size limit.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

/** Follows the prescan of the HTML standard. */
export function prescanEncoding(bytes: Uint8Array, length: number): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, length)).toString(
    'latin1',
  )
  if (head.startsWith('<\0?\0x\0')) return 'utf-16le'
  if (head.startsWith('\0<\0?\0x')) return 'utf-16be'
  return findMetaEncoding(head) ?? findXmlEncoding(head)
}

function findMetaEncoding(head: string): string | undefined {
  let position = 0
  while (position < head.length) {
    const open = head.indexOf('<', position)
    if (open === -1) return undefined
    if (head.startsWith('<!--', open)) {
      // The dashes of "<!--" may also be the dashes of "-->".
      position = findEnd(head, '-->', open + 2)
    } else if (/^<\/?[a-z]/i.test(head.slice(open, open + 3))) {
      const nameEnd = find(head, open + 1, `${space}/>`)
      const tag = scanAttributes(head, nameEnd)
      const isMeta = head.slice(open + 1, nameEnd).toLowerCase() === 'meta' && tag.end < head.length
      const encoding = isMeta ? getMetaEncoding(tag.attributes) : undefined
      if (encoding) return encoding
      position = tag.end
    } else {
      position = /^<[!/?]/.test(head.slice(open, open + 2)) ? findEnd(head, '>', open) : open + 1
    }
  }
  return undefined
}

function findEnd(head: string, delimiter: string, from: number): number {
  const index = head.indexOf(delimiter, from)
  return index === -1 ? head.length : index + delimiter.length
}

const space = '\t\n\f\r '

function scanAttributes(head: string, start: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>()
  let end = start
  for (;;) {
    end = skip(head, end, `${space}/`)
    if (end >= head.length || head[end] === '>') return { attributes, end }
    const attribute = readAttribute(head, end)
    end = attribute.end
    if (!attributes.has(attribute.name)) attributes.set(attribute.name, attribute.value)
  }
}

function readAttribute(head: string, start: number) {
  // The first character is part of the name, even if it is "=".
  const nameEnd = find(head, start + 1, `${space}/>=`)
  const name = head.slice(start, nameEnd).toLowerCase()
  const equals = skip(head, nameEnd, space)
  if (head[equals] !== '=') return { name, value: '', end: equals }

  const valueStart = skip(head, equals + 1, space)
  const quote = head[valueStart]
  if (quote === '"' || quote === "'") {
    const close = head.indexOf(quote, valueStart + 1)
    if (close === -1) return { name, value: '', end: head.length }
    return { name, value: head.slice(valueStart + 1, close).toLowerCase(), end: close + 1 }
  }
  const end = find(head, valueStart, `${space}>`)
  return { name, value: head.slice(valueStart, end).toLowerCase(), end }
}

function skip(head: string, start: number, characters: string): number {
  let index = start
  while (index < head.length && characters.includes(head.charAt(index))) index += 1
  return index
}

function find(head: string, start: number, characters: string): number {
  let index = start
  while (index < head.length && !characters.includes(head.charAt(index))) index += 1
  return index
}

function getMetaEncoding(attributes: Map<string, string>): string | undefined {
  const charset = attributes.get('charset')
  if (charset !== undefined) return toDeclarable(encodingOf(charset))
  if (attributes.get('http-equiv') !== 'content-type') return undefined
  const content = attributes.get('content') ?? ''
  const match = content.match(/charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/)
  return toDeclarable(encodingOf(match?.[1] ?? match?.[2] ?? match?.[3]))
}

function findXmlEncoding(head: string): string | undefined {
  const declaration = head.match(/^<\?xml[^>]*?\bencoding[\s]*=[\s]*(?:"([^"\s>]+)"|'([^'\s>]+)')/)
  return toDeclarable(encodingOf(declaration?.[1] ?? declaration?.[2]))
}

/** Bytes that were readable as ASCII are not UTF-16, whatever they declare. */
function toDeclarable(encoding: string | undefined): string | undefined {
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return 'utf-8'
  return encoding === 'x-user-defined' ? 'windows-1252' : encoding
}

export const encodingOf = (label: string | undefined): string | undefined =>
  (label && normalizeEncoding(label)) || undefined

export function decodeBytes(bytes: Uint8Array, encoding: string): string {
  // Encodings that can hide markup decode to a single replacement character, whatever the bytes are.
  if (encoding === 'replacement') return bytes.length > 0 ? '\ufffd' : ''
  // Node's decoders have other tables: Big5 without the characters of Hong Kong, EUC-KR without 8,822 syllables.
  return new WebTextDecoder(encoding).decode(bytes)
}
