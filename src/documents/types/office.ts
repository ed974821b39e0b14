import { DocumentProblem } from '../document.ts'
import { decodeMarkup } from '../markup-text.ts'
import { defineDocumentType } from './document-type.ts'

export const doc = defineDocumentType({
  name: 'doc',
  extensions: ['doc', 'dot'],
  mediaTypes: ['application/msword'],
  container: 'ole',
  precedence: 2,
  isCompound: (hasStream) => hasStream('WordDocument'),
  isEncrypted(file) {
    const stream = file.findStream('WordDocument')
    const start = stream ? file.read(stream, 12) : Buffer.alloc(0)
    return start.length >= 12 && (start.readUInt16LE(10) & 0x0100) !== 0
  },
  allowsPlainText: true,
  converter: () => import('../word.ts'),
})

export const docx = defineDocumentType({
  name: 'docx',
  extensions: ['docx', 'docm', 'dotx', 'dotm'],
  mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  container: 'zip',
  precedence: 3,
  isPackage: (parts) => parts.hasFolder('word'),
  converter: () => import('../word.ts'),
})

export const rtf = defineDocumentType({
  name: 'rtf',
  extensions: ['rtf'],
  mediaTypes: ['application/rtf', 'text/rtf', 'text/richtext'],
  container: 'binary',
  precedence: 1,
  matchesStart: (start) => start.begins('{\\rtf'),
  textSignature: /\{\\rtf1/,
  allowsPlainText: true,
  converter: () => import('../word.ts'),
})

export const ppt = defineDocumentType({
  name: 'ppt',
  extensions: ['ppt', 'pps', 'pot'],
  mediaTypes: ['application/vnd.ms-powerpoint'],
  container: 'ole',
  isCompound: (hasStream) => hasStream('PowerPoint Document'),
  converter: () => import('../slides.ts'),
})

export const pptx = defineDocumentType({
  name: 'pptx',
  extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx'],
  mediaTypes: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  container: 'zip',
  precedence: 1,
  isPackage: (parts) => parts.hasFolder('ppt'),
  converter: () => import('../slides.ts'),
})

export const xls = defineDocumentType({
  name: 'xls',
  extensions: ['xls', 'xlt'],
  mediaTypes: ['application/vnd.ms-excel'],
  container: 'ole',
  precedence: 1,
  isCompound: (hasStream) => hasStream('Workbook') || hasStream('Book'),
  isEncrypted(file) {
    const stream = file.findStream('Workbook') ?? file.findStream('Book')
    return stream !== undefined && hasFilePass(file.read(stream, 4096))
  },
  converter: () => import('../spreadsheet.ts'),
})

/** True if one of the first records describes the encryption of the file. */
function hasFilePass(start: Buffer): boolean {
  for (let at = 0, records = 0; at + 4 <= start.length && records < 20; records += 1) {
    if (start.readUInt16LE(at) === 0x2f) return true
    at += 4 + start.readUInt16LE(at + 2)
  }
  return false
}

export const xlsx = defineDocumentType({
  name: 'xlsx',
  extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  container: 'zip',
  precedence: 2,
  isPackage: (parts) => parts.hasFolder('xl'),
  // Also checked by content: a workbook may refer to a sheet by any name.
  checkPart(name, part) {
    const isSheet = /^xl\/worksheets\/[^/]+\.xml$/i.test(name) || decodeMarkup(part).includes('sheetData')
    if (isSheet) checkSheetSpan(part)
  },
  converter: () => import('../spreadsheet.ts'),
})

export const xlsb = defineDocumentType({
  name: 'xlsb',
  extensions: ['xlsb'],
  mediaTypes: ['application/vnd.ms-excel.sheet.binary.macroenabled.12'],
  container: 'zip',
  // The folder is the same as in an xlsx file, so the precedence is higher.
  precedence: 4,
  isPackage: (parts) => parts.has('xl/workbook.bin'),
  converter: () => import('../spreadsheet.ts'),
})

/** Maximum cells between the first and the last used one. Libraries hold all of them in memory, used or not. */
const maxCells = 4_000_000

/**
 * Rejects a sheet whose cells are so far apart that the rectangle around them would fill the memory. XML allows
 * positions in any quotes, order and spacing. A cell without a position follows the previous cell.
 */
export function checkSheetSpan(sheet: Buffer): void {
  let [top, left, bottom, right] = [Infinity, Infinity, 0, 0]
  let [row, column] = [0, 0]
  for (const { tag, position } of readPositions(decodeMarkup(sheet))) {
    if (tag === 'row') {
      row = Number(position ?? row + 1) || row + 1
      column = 0
      continue
    }
    const [, letters = '', digits] = /^\s*([a-z]{1,7})(\d{1,9})\s*$/i.exec(position ?? '') ?? []
    column = letters === '' ? column + 1 : toColumnNumber(letters.toUpperCase())
    row = digits === undefined ? Math.max(1, row) : Number(digits)
    if (row < top) top = row
    if (row > bottom) bottom = row
    if (column < left) left = column
    if (column > right) right = column
  }
  if (bottom === 0) return
  const cells = (bottom - top + 1) * (right - left + 1)
  if (cells > maxCells) {
    throw new DocumentProblem(
      'limit',
      `A sheet spans ${cells} cells, which exceeds the limit of ${maxCells}.`,
    )
  }
}

const opening = /<(?:[\w.-]+:)?(c|row)(?=[\s/>])/g
const attribute = /\s*([^\s=>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y

/** Yields the rows and cells of a sheet in order, with the value of their `r` attribute. */
function* readPositions(text: string): Generator<{ tag: string; position: string | undefined }> {
  for (const { 0: start, 1: tag = '', index } of text.matchAll(opening)) {
    attribute.lastIndex = index + start.length
    let position: string | undefined
    for (let match = attribute.exec(text); match && position === undefined; match = attribute.exec(text)) {
      const [, name, quoted, single] = match
      if (name === 'r') position = decodeReferences(quoted ?? single ?? '')
    }
    yield { tag, position }
  }
}

/** Decodes character references: `&#65;1` is another way to write `A1`. */
function decodeReferences(value: string): string {
  if (!value.includes('&')) return value
  return value.replaceAll(/&#(?:x([\da-f]{1,4})|(\d{1,5}));/gi, (_, hex?: string, decimal?: string) =>
    String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  )
}

function toColumnNumber(letters: string): number {
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number
}
