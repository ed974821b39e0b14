import type { FileStart } from '../file-start.ts'
import { defineDocumentType } from './document-type.ts'

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
