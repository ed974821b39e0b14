import type { Page } from '../content/page.ts'
import { anyText, documentTypes, typeOfMediaType, typeOfName } from './index.ts'
import { signatureOf } from './sniff.ts'

/** Returns true if a converter supports the page. Cheap: it checks only the first bytes, the content type and the name. */
export function isDocument(page: Page): boolean {
  if (page.text !== undefined) return false
  const { buffer, byteOffset, byteLength } = page.bytes
  if (signatureOf(Buffer.from(buffer, byteOffset, Math.min(1024, byteLength))) !== undefined) return true
  return isLabelledDocument(page.url, page.headers)
}

/** Same check as `isDocument`, without the bytes. */
export function isLabelledDocument(url: string, headers: Record<string, string>): boolean {
  const labelled = typeOfMediaType(headers['content-type'])
  if (labelled && labelled !== anyText()) return labelled.converter !== undefined
  // Servers label unknown types as text or bytes; a table is then detected only by its name.
  return isFileAddress(new URL(url)) && typeOfName(new URL(url).pathname)?.container === 'text'
}

/** Returns true if the URL looks like a file. The response may still be a page. */
export function isFileAddress(url: URL): boolean {
  return typeOfName(url.pathname)?.converter !== undefined
}

/** Returns true if a browser displayed the bytes of a file with a wrong content type as page text. */
export function isShownAsText({ text }: Pick<Page, 'text'>): boolean {
  return text !== undefined && fileAsText.test(text.slice(0, 1024))
}

/** Markup that a browser adds around plain text. */
const browserMarkup =
  /^(?:<!doctype[^>]*>)?\s*<html[^>]*><head>(?:<meta[^>]*>)*<\/head><body>(?:<pre[^>]*>)?/i

/** Signatures of files whose bytes were decoded as text: of packages, and of the types that define one. */
const textSignatures = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what a package begins with
  /PK\x03\x04/,
  ...documentTypes.flatMap((type) => (type.container === 'binary' && type.asText ? [type.asText] : [])),
]

const fileAsText = new RegExp(
  `${browserMarkup.source}(?:${textSignatures.map(({ source }) => source).join('|')})`,
  'i',
)
