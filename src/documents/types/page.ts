import { inflateSync } from 'node:zlib'
import { codeOf } from '../../platform/errors.ts'
import { DocumentProblem } from '../document.ts'
import { defineDocumentType, type FileStart } from './document-type.ts'

export const pdf = defineDocumentType({
  name: 'pdf',
  extensions: ['pdf'],
  mediaTypes: ['application/pdf', 'application/x-pdf'],
  container: 'binary',
  // Readers accept the signature anywhere in the first kilobyte. Markup and bitmaps may contain it as data.
  matchesStart: ({ text, trimmed }) => text.includes('%PDF-') && !/^(?:<|BM)/.test(trimmed),
  textSignature: /%PDF-\d/,
  check: checkPdf,
  converter: () => import('../pdf/pdf.ts'),
  withoutParsers: 'raw',
})

export const image = defineDocumentType({
  name: 'image',
  extensions: ['png', 'jpg', 'jpeg', 'webp', 'tif', 'tiff', 'bmp', 'gif'],
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/tiff', 'image/bmp', 'image/gif'],
  container: 'binary',
  precedence: 1,
  matchesStart: (start) => start.begins(...signatures) || isBitmap(start) || isWebp(start),
  // The first byte of a PNG is invalid in UTF-8, and is the character ‰ in windows-1252.
  textSignature: /[\ufffd\u2030]PNG/,
  converter: () => import('../image.ts'),
  withoutParsers: { error: 'Images are not supported with an empty list of parsers.' },
})

const signatures = ['\x89PNG\r\n', '\xff\xd8\xff', 'GIF8', 'II*\x00', 'MM\x00*']

/** Texts may begin with "BM" too, so a minimum size and zeros in the reserved bytes are required. */
function isBitmap(start: FileStart): boolean {
  return start.begins('BM') && start.text.length > 26 && start.text.slice(6, 10) === '\0\0\0\0'
}

const isWebp = ({ text }: FileStart) => text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP'

/** Of one decompressed stream. The text of a page has kilobytes, the largest images dozens of megabytes. */
const maxInOneStream = 160 * 1024 * 1024
/** Deflate reaches about 1000:1 at most, so a shorter stream cannot reach the limit. */
const minCheckedBytes = 100 * 1024

function checkPdf(bytes: Buffer): void {
  let at = bytes.indexOf('stream')
  while (at !== -1) {
    const end = bytes.indexOf('endstream', at)
    const start = skipLineEnd(bytes, at + 6)
    const stop = end === -1 ? bytes.length : end
    const layers = countFlateLayers(bytes, at)
    if (layers > 0 && (stop - start > minCheckedBytes || layers > 1))
      checkStream(bytes.subarray(start, stop), layers)
    at = end === -1 ? -1 : bytes.indexOf('stream', end + 9)
  }
}

function checkStream(packed: Buffer, layers: number): void {
  let bytes = packed
  for (let layer = 0; layer < layers; layer += 1) {
    try {
      bytes = inflateSync(bytes, { maxOutputLength: maxInOneStream })
    } catch (thrown) {
      if (codeOf(thrown) === 'ERR_BUFFER_TOO_LARGE') {
        throw new DocumentProblem('limit', 'A stream of the PDF exceeds the size limit when decompressed.')
      }
      // Ignored, because PDF readers repair many broken streams.
      return
    }
  }
}

function countFlateLayers(bytes: Buffer, streamAt: number): number {
  const dictionary = bytes.toString('latin1', Math.max(0, streamAt - 600), streamAt)
  const lastDictionary = dictionary.slice(dictionary.lastIndexOf(' obj') + 1)
  return Math.min(4, lastDictionary.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0)
}

function skipLineEnd(bytes: Buffer, at: number): number {
  if (bytes[at] === 13 && bytes[at + 1] === 10) return at + 2
  return bytes[at] === 10 || bytes[at] === 13 ? at + 1 : at
}
