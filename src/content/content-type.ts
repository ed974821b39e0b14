import { decodeText } from './encoding/decode.ts'
import type { Page } from './page.ts'

export type PageKind =
  | { name: 'html'; isXhtml: boolean }
  | { name: 'text' }
  | { name: 'source'; language: string }
  | { name: 'binary' }

export function getPageKind(page: Page): PageKind {
  if (page.text !== undefined) return { name: 'html', isXhtml: false }
  const type = page.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (signatures.test(Buffer.from(page.bytes.subarray(0, 8)).toString('latin1'))) return { name: 'binary' }
  if (type === 'text/html') return { name: 'html', isXhtml: false }
  if (type === 'application/xhtml+xml') return { name: 'html', isXhtml: true }
  const isUnknown = unknownTypes.test(type)
  const language = languageOf(type)
  if (language === undefined && !isUnknown && !type.startsWith('application/')) return { name: 'binary' }
  if (language === 'xml' && xhtmlStart.test(getDocumentStart(page))) return { name: 'html', isXhtml: true }
  if ((isUnknown || language === undefined) && htmlStart.test(getDocumentStart(page))) {
    return { name: 'html', isXhtml: false }
  }
  if (controlCharacters.test(decodeHead(page))) return { name: 'binary' }
  if (language === undefined || language === '') return { name: 'text' }
  return { name: 'source', language }
}

export const isTextual = (page: Page) => getPageKind(page).name !== 'binary'

const unknownTypes = /^(?:|\*\/\*|application\/octet-stream|(?:application|unknown)\/unknown)$/

/** Returns an empty string for prose, and undefined for a type that is not known to be text. */
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

// biome-ignore lint/suspicious/noControlCharactersInRegex: signatures contain control characters
const signatures = /^(?:%PDF-|\x89PNG|GIF8|\xff\xd8\xff|PK\x03\x04|\x1f\x8b|\xd0\xcf\x11\xe0|\x00asm)/

const decodeHead = (page: Page) => decodeText(page.bytes.subarray(0, 2048), page.headers['content-type']).text

function getDocumentStart(page: Page): string {
  return decodeHead(page).replace(/^(?:\s+|<!--[\s\S]*?-->|<\?xml[^>]*>)+/, '')
}

const xhtmlStart = /^<(?:!doctype\s+html|html)[\s>]/i
const htmlStart =
  /^<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|div|p|h[1-6]|table|main|article|section|nav|header|ul|ol|img|a|span|center|font|form)[\s/>]/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for control characters
const controlCharacters = /[\x00-\x08\x0e-\x1a\x1c-\x1f]/
