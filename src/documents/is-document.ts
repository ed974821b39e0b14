import type { Page } from '../content/page.ts'
import { documentTypes, findTypeByMediaType, findTypeByName, getPlainTextType } from './index.ts'
import { detectSignature } from './sniff.ts'

export function isDocument(page: Page): boolean {
  if (page.text !== undefined) return false
  const { buffer, byteOffset, byteLength } = page.bytes
  if (detectSignature(Buffer.from(buffer, byteOffset, Math.min(1024, byteLength))) !== undefined) return true
  return isLabelledDocument(page.url, page.headers)
}

export function isLabelledDocument(url: string, headers: Record<string, string>): boolean {
  const labelled = findTypeByMediaType(headers['content-type'])
  if (labelled && labelled !== getPlainTextType()) return labelled.converter !== undefined
  // Servers label unknown types as text or binary data; a file such as CSV is then detected only by its name.
  return isFileUrl(new URL(url)) && findTypeByName(new URL(url).pathname)?.container === 'text'
}

export const isFileUrl = (url: URL) => findTypeByName(url.pathname)?.converter !== undefined

/** True if a browser displayed the bytes of a file with a wrong content type as page text. */
export function isShownAsText({ text }: Pick<Page, 'text'>): boolean {
  return text !== undefined && fileAsText.test(text.slice(0, 1024))
}

const browserMarkup =
  /^(?:<!doctype[^>]*>)?\s*<html[^>]*><head>(?:<meta[^>]*>)*<\/head><body>(?:<pre[^>]*>)?/i

const textSignatures = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the signature of a package contains control characters
  /PK\x03\x04/,
  ...documentTypes.flatMap((type) =>
    type.container === 'binary' && type.textSignature ? [type.textSignature] : [],
  ),
]

const fileAsText = new RegExp(
  `${browserMarkup.source}(?:${textSignatures.map(({ source }) => source).join('|')})`,
  'i',
)
