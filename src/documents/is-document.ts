import type { Page } from '../content/page.ts'
import { anyText, documentTypes, typeOfMediaType, typeOfName } from './index.ts'
import { signatureOf } from './sniff.ts'

/** Whether a page is a file that a converter reads. Cheap: it looks at the first bytes, the label and the name. */
export function isDocument(page: Page): boolean {
  if (page.text !== undefined) return false
  const { buffer, byteOffset, byteLength } = page.bytes
  if (signatureOf(Buffer.from(buffer, byteOffset, Math.min(1024, byteLength))) !== undefined) return true
  return isLabelledDocument(page.url, page.headers)
}

/** The same without the bytes. */
export function isLabelledDocument(url: string, headers: Record<string, string>): boolean {
  const labelled = typeOfMediaType(headers['content-type'])
  if (labelled && labelled !== anyText()) return labelled.converter !== undefined
  // Servers label unknown types as text or bytes; a table is then only detected by its name.
  return isFileAddress(new URL(url)) && typeOfName(new URL(url).pathname)?.container === 'text'
}

/** Whether the URL looks like a file and not like a page; the response may still be a page. */
export function isFileAddress(url: URL): boolean {
  return typeOfName(url.pathname)?.converter !== undefined
}

/** Whether a browser has shown the bytes of a file with a wrong content type as the text of a page. */
export function isShownAsText({ text }: Pick<Page, 'text'>): boolean {
  return text !== undefined && fileAsText.test(text.slice(0, 1024))
}

/** Only the markup that a browser adds around plain text. */
const frame = /^(?:<!doctype[^>]*>)?\s*<html[^>]*><head>(?:<meta[^>]*>)*<\/head><body>(?:<pre[^>]*>)?/i

/** What files begin with once their bytes are text: those of packages, and those that types of files name. */
const marks = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a package begins with
  /PK\x03\x04/,
  ...documentTypes.flatMap((type) => (type.container === 'binary' && type.asText ? [type.asText] : [])),
]

const fileAsText = new RegExp(`${frame.source}(?:${marks.map(({ source }) => source).join('|')})`, 'i')
