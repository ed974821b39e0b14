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

/** The same, where the bytes are not at hand. */
export function isLabelledDocument(url: string, headers: Record<string, string>): boolean {
  const labelled = typeOfMediaType(headers['content-type'])
  if (labelled && labelled !== anyText()) return labelled.converter !== undefined
  // Servers that do not know a type call it text or bytes; a table is then known by its name alone.
  return isFileAddress(new URL(url)) && typeOfName(new URL(url).pathname)?.container === 'text'
}

/** Whether the address names a file and not a page; the answer may still be a page. */
export function isFileAddress(url: URL): boolean {
  return typeOfName(url.pathname)?.converter !== undefined
}

/** Whether a browser wrote out, as the text of a page, the bytes of a file under a wrong label. */
export function isShownAsText({ text }: Pick<Page, 'text'>): boolean {
  return text !== undefined && fileAsText.test(text.slice(0, 1024))
}

/** Nothing but the frame that a browser puts around bare text. */
const frame = /^(?:<!doctype[^>]*>)?\s*<html[^>]*><head>(?:<meta[^>]*>)*<\/head><body>(?:<pre[^>]*>)?/i

/** What files begin with once their bytes are text: those of packages, and those that types of files name. */
const marks = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a package begins with
  /PK\x03\x04/,
  ...documentTypes.flatMap((type) => (type.container === 'binary' && type.asText ? [type.asText] : [])),
]

const fileAsText = new RegExp(`${frame.source}(?:${marks.map(({ source }) => source).join('|')})`, 'i')
