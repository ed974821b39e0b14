import { DocumentProblem } from '../document.ts'
import { decodeMarkup } from '../markup-text.ts'
import { defineDocumentType, typesOf } from './document-type.ts'

const word = () => import('../word.ts')
const slides = () => import('../slides.ts')
const spreadsheet = () => import('../spreadsheet.ts')

export const { doc, ppt, xls } = typesOf('ole', {
  doc: {
    extensions: ['doc', 'dot'],
    mediaTypes: ['application/msword'],
    precedence: 2,
    isCompound: (hasStream) => hasStream('WordDocument'),
    isEncrypted(file) {
      const stream = file.findStream('WordDocument')
      const start = stream ? file.read(stream, 12) : Buffer.alloc(0)
      return start.length >= 12 && (start.readUInt16LE(10) & 0x0100) !== 0
    },
    allowsPlainText: true,
    converter: word,
  },
  ppt: {
    extensions: ['ppt', 'pps', 'pot'],
    mediaTypes: ['application/vnd.ms-powerpoint'],
    isCompound: (hasStream) => hasStream('PowerPoint Document'),
    converter: slides,
  },
  xls: {
    extensions: ['xls', 'xlt'],
    mediaTypes: ['application/vnd.ms-excel'],
    precedence: 1,
    isCompound: (hasStream) => hasStream('Workbook') || hasStream('Book'),
    isEncrypted(file) {
      const stream = file.findStream('Workbook') ?? file.findStream('Book')
      return stream !== undefined && hasFilePass(file.read(stream, 4096))
    },
    converter: spreadsheet,
  },
})

function hasFilePass(start: Buffer): boolean {
  for (let at = 0, records = 0; at + 4 <= start.length && records < 20; records += 1) {
    if (start.readUInt16LE(at) === 0x2f) return true
    at += 4 + start.readUInt16LE(at + 2)
  }
  return false
}

export const rtf = defineDocumentType({
  name: 'rtf',
  extensions: ['rtf'],
  mediaTypes: ['application/rtf', 'text/rtf', 'text/richtext'],
  container: 'binary',
  precedence: 1,
  matchesStart: (start) => start.begins('{\\rtf'),
  textSignature: /\{\\rtf1/,
  allowsPlainText: true,
  converter: word,
})

const hasFolder = (folder: string) => (names: string[]) => names.some((name) => name.startsWith(`${folder}/`))

export const { docx, pptx, xlsx, xlsb, odt, ods, odp, epub } = typesOf('zip', {
  docx: {
    extensions: ['docx', 'docm', 'dotx', 'dotm'],
    mediaTypes: ['application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    precedence: 3,
    isPackage: hasFolder('word'),
    converter: word,
  },
  pptx: {
    extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx'],
    mediaTypes: ['application/vnd.openxmlformats-officedocument.presentationml.presentation'],
    precedence: 1,
    isPackage: hasFolder('ppt'),
    converter: slides,
  },
  xlsx: {
    extensions: ['xlsx', 'xlsm', 'xltx', 'xltm'],
    mediaTypes: ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    precedence: 2,
    isPackage: hasFolder('xl'),
    // Also checked by content: a workbook may refer to a sheet by any name.
    checkPart(name, part) {
      const isSheet = /^xl\/worksheets\/[^/]+\.xml$/i.test(name) || decodeMarkup(part).includes('sheetData')
      if (isSheet) checkSheetSpan(part)
    },
    converter: spreadsheet,
  },
  xlsb: {
    extensions: ['xlsb'],
    mediaTypes: ['application/vnd.ms-excel.sheet.binary.macroenabled.12'],
    // The folder is the same as in an xlsx file, so the precedence is higher.
    precedence: 4,
    isPackage: (names) => names.includes('xl/workbook.bin'),
    converter: spreadsheet,
  },
  odt: {
    extensions: ['odt', 'ott'],
    mediaTypes: ['application/vnd.oasis.opendocument.text'],
    converter: word,
  },
  ods: {
    extensions: ['ods', 'ots'],
    mediaTypes: ['application/vnd.oasis.opendocument.spreadsheet'],
    converter: spreadsheet,
  },
  odp: {
    extensions: ['odp', 'otp'],
    mediaTypes: ['application/vnd.oasis.opendocument.presentation'],
    converter: slides,
  },
  epub: {
    extensions: ['epub'],
    mediaTypes: ['application/epub+zip'],
    isPackage: (names) => names.includes('META-INF/container.xml'),
    converter: () => import('../book.ts'),
  },
})

/** Between the first and the last used cell. Libraries hold all of them in memory, used or not. */
const maxCells = 4_000_000

/** XML allows positions in any quotes, order and spacing. A cell without a position follows the previous cell. */
function checkSheetSpan(sheet: Buffer): void {
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
    const message = `A sheet spans ${cells} cells, which exceeds the limit of ${maxCells}.`
    throw new DocumentProblem('limit', message)
  }
}

const opening = /<(?:[\w.-]+:)?(c|row)(?=[\s/>])/g
const attribute = /\s*([^\s=>/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y

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
