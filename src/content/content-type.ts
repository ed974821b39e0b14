import { decodeText } from './encoding/decode.ts'
import type { Page } from './page.ts'

/**
 * How a page is read: as HTML, as text that is Markdown already, as text in a named language, or not at all.
 */
export type PageKind =
  | { name: 'html'; isXhtml: boolean }
  | { name: 'text' }
  | { name: 'source'; language: string }
  | { name: 'binary' }

export function kindOf(page: Page): PageKind {
  if (page.text !== undefined) return { name: 'html', isXhtml: false }
  const type = mediaType(page)
  if (hasBinarySignature(page.bytes)) return { name: 'binary' }
  if (type === 'text/html') return { name: 'html', isXhtml: false }
  if (type === 'application/xhtml+xml') return { name: 'html', isXhtml: true }
  const isUnknown = unknownTypes.has(type)
  const language = languageOf(type)
  if (language === undefined && !isUnknown && !type.startsWith('application/')) return { name: 'binary' }
  if (language === 'xml' && xhtmlStart.test(start(page))) return { name: 'html', isXhtml: true }
  if ((isUnknown || language === undefined) && htmlStart.test(start(page))) {
    return { name: 'html', isXhtml: false }
  }
  if (looksBinary(page)) return { name: 'binary' }
  if (language === undefined || language === '') return { name: 'text' }
  return { name: 'source', language }
}

/** Whether a page holds text that `readPage` can read. */
export function isTextual(page: Page): boolean {
  return kindOf(page).name !== 'binary'
}

function mediaType(page: Page): string {
  return page.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

const unknownTypes = new Set([
  '',
  '*/*',
  'application/octet-stream',
  'application/unknown',
  'unknown/unknown',
])

/** The code language of a text type, empty for prose, undefined if it is not known to be text. */
function languageOf(type: string): string | undefined {
  if (/^text\/(?:plain|markdown|x-markdown|x-web-markdown)$/.test(type)) return ''
  if (/[/+](?:json|geo\+json|ndjson|x-ndjson|json5|manifest)$/.test(type)) return 'json'
  if (/[/+]xml$|^application\/(?:xml-dtd|rss|atom)$/.test(type)) return 'xml'
  if (/^application\/(?:x-)?(?:java|ecma)script$/.test(type)) return 'javascript'
  const known = type.match(/^application\/(?:x-)?(typescript|yaml|toml|sql|graphql|sh|csh|tex|latex)$/)?.[1]
  if (known) return known
  const subtype = type.match(/^text\/(?:x-|vnd\.)?([a-z\d.+-]+)$/)?.[1]
  if (subtype === undefined) return undefined
  return textLanguages.get(subtype) ?? (/^[a-z\d]+$/.test(subtype) ? subtype : '')
}

const textLanguages = new Map([
  ['tab-separated-values', 'tsv'],
  ['calendar', 'ics'],
  ['uri-list', ''],
  ['c++src', 'cpp'],
  ['csrc', 'c'],
  ['java-source', 'java'],
  ['shellscript', 'sh'],
])

/** Files that servers like to mislabel, by their first bytes. */
const signatures = [
  '%PDF-',
  '\x89PNG',
  'GIF8',
  '\xff\xd8\xff',
  'PK\x03\x04',
  '\x1f\x8b',
  '\xd0\xcf\x11\xe0',
  '\x00asm',
]

function hasBinarySignature(bytes: Uint8Array): boolean {
  const first = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(8, bytes.byteLength)).toString('latin1')
  return signatures.some((signature) => first.startsWith(signature))
}

function head(page: Page): string {
  return decodeText(page.bytes.subarray(0, 2048), page.headers['content-type']).text
}

/** The start of a document, after its declaration and its comments. */
function start(page: Page): string {
  return head(page).replace(/^(?:\s+|<!--[\s\S]*?-->|<\?xml[^>]*>)+/, '')
}

const xhtmlStart = /^<(?:!doctype\s+html|html)[\s>]/i
const htmlNames =
  'html|head|body|title|meta|link|script|style|div|p|h[1-6]|table|main|article|section|nav|header|ul|ol|img|a|' +
  'span|center|font|form'
const htmlStart = new RegExp(`^<(?:!doctype\\s+html|${htmlNames})[\\s/>]`, 'i')

/** Control characters that no text has, once it is decoded. */
function looksBinary(page: Page): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return /[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(head(page))
}
