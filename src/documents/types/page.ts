import { inflateSync } from 'node:zlib'
import { DocumentProblem } from '../document.ts'
import { defineDocumentType, type FileStart } from './document-type.ts'

export const pdf = defineDocumentType({
  name: 'pdf',
  extensions: ['pdf'],
  mediaTypes: ['application/pdf', 'application/x-pdf'],
  container: 'binary',
  // Readers accept the mark anywhere in the first kilobyte, and writers make use of it. Others only mention it: markup, and
  // what begins with the letters of a bitmap.
  beginsLike: ({ text, trimmed }) => text.includes('%PDF-') && !/^(?:<|BM)/.test(trimmed),
  asText: /%PDF-\d/,
  check: checkPdf,
  converter: () => import('../pdf/pdf.ts'),
  withoutParsers: 'raw',
})

/** Pictures of text. */
export const image = defineDocumentType({
  name: 'image',
  extensions: ['png', 'jpg', 'jpeg', 'webp', 'tif', 'tiff', 'bmp', 'gif'],
  mediaTypes: ['image/png', 'image/jpeg', 'image/webp', 'image/tiff', 'image/bmp', 'image/gif'],
  container: 'binary',
  precedence: 1,
  beginsLike: (start) => start.begins(...marks) || isBitmap(start) || isWebp(start),
  // Its first byte is no letter in UTF-8, and a sign of its own in windows-1252.
  asText: /[\ufffd\u2030]PNG/,
  converter: () => import('../image.ts'),
  withoutParsers: { refused: 'Images are not supported with an empty list of parsers.' },
})

/** PNG, JPEG, GIF, and TIFF in both orders of bytes. */
const marks = ['\x89PNG\r\n', '\xff\xd8\xff', 'GIF8', 'II*\x00', 'MM\x00*']

/** "BM" alone begins many a word: a picture also states its size and holds zeros where nothing is said. */
function isBitmap(start: FileStart): boolean {
  return start.begins('BM') && start.text.length > 26 && start.text.slice(6, 10) === '\0\0\0\0'
}

function isWebp({ text }: FileStart): boolean {
  return text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP'
}

/** One decompressed stream. A page of text has kilobytes, the largest images of real files some dozen megabytes. */
const maxInOneStream = 160 * 1024 * 1024
/** Deflate reaches at most a thousand to one, so a shorter stream cannot reach the limit. */
const leastSuspicious = 100 * 1024

/** Rejects streams that exceed the limit when decompressed. Only streams that are long enough for that are tested. */
export function checkPdf(bytes: Buffer): void {
  let at = bytes.indexOf('stream')
  while (at !== -1) {
    const end = bytes.indexOf('endstream', at)
    const start = skipLineEnd(bytes, at + 6)
    const stop = end === -1 ? bytes.length : end
    const layers = flateLayers(bytes, at)
    if (layers > 0 && (stop - start > leastSuspicious || layers > 1))
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
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'ERR_BUFFER_TOO_LARGE') {
        throw new DocumentProblem('limit', 'A stream of the PDF exceeds the size limit when decompressed.')
      }
      // Not an error here: PDF readers repair many broken streams.
      return
    }
  }
}

/** How often the dictionary before a stream names deflate. */
function flateLayers(bytes: Buffer, streamAt: number): number {
  const dictionary = bytes.toString('latin1', Math.max(0, streamAt - 600), streamAt)
  const own = dictionary.slice(dictionary.lastIndexOf(' obj') + 1)
  return Math.min(4, own.match(/\/(?:FlateDecode|Fl)\b/g)?.length ?? 0)
}

function skipLineEnd(bytes: Buffer, at: number): number {
  if (bytes[at] === 13 && bytes[at + 1] === 10) return at + 2
  return bytes[at] === 10 || bytes[at] === 13 ? at + 1 : at
}
