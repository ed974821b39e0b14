import type { Page } from '../content/page.ts'
import { typeOfMediaType, typeOfName } from './index.ts'
import { signatureOf } from './sniff.ts'

/** Whether a page is a file that a converter reads. Cheap: it looks at the first bytes, the label and the name. */
export function isDocument(page: Page): boolean {
  if (page.text !== undefined) return false
  const { buffer, byteOffset, byteLength } = page.bytes
  if (signatureOf(Buffer.from(buffer, byteOffset, Math.min(1024, byteLength))) !== undefined) return true
  const labelled = typeOfMediaType(page.headers['content-type'])
  if (labelled && labelled.name !== 'txt') return labelled.converter !== 'page'
  // Servers that do not know a type call it text or bytes; a table is then known by its name alone.
  return isFileAddress(new URL(page.url)) && typeOfName(new URL(page.url).pathname)?.container === 'text'
}

/** Whether the address names a file and not a page; the answer may still be a page. */
export function isFileAddress(url: URL): boolean {
  const type = typeOfName(url.pathname)
  return type !== undefined && type.converter !== 'page'
}
