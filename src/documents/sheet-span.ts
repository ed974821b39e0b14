import { DocumentProblem } from './document.ts'
import { decodeMarkup } from './markup-text.ts'

/** Cells between the first and the last used one. Libraries hold all of them in memory, used or not. */
const maxCells = 4_000_000

/**
 * Rejects a sheet whose cells are so far apart that the rectangle around them would fill the memory. XML allows positions in
 * any quotes, order and spacing, and cells without one follow the cell before.
 */
export function checkSheetSpan(sheet: Buffer): void {
  let [top, left, bottom, right] = [Infinity, Infinity, 0, 0]
  let [row, column] = [0, 0]
  for (const { tag, position } of positions(decodeMarkup(sheet))) {
    if (tag === 'row') {
      row = Number(position ?? row + 1) || row + 1
      column = 0
      continue
    }
    const [, letters = '', digits] = /^\s*([a-z]{1,7})(\d{1,9})\s*$/i.exec(position ?? '') ?? []
    column = letters === '' ? column + 1 : columnNumber(letters.toUpperCase())
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

/** The rows and cells of a sheet in their order, with the value of their attribute `r`. */
function* positions(text: string): Generator<{ tag: string; position: string | undefined }> {
  for (const { 0: start, 1: tag = '', index } of text.matchAll(opening)) {
    attribute.lastIndex = index + start.length
    let position: string | undefined
    for (let found = attribute.exec(text); found && position === undefined; found = attribute.exec(text)) {
      const [, name, quoted, single] = found
      if (name === 'r') position = withoutReferences(quoted ?? single ?? '')
    }
    yield { tag, position }
  }
}

/** `&#65;1` is another way to write `A1`. */
function withoutReferences(value: string): string {
  if (!value.includes('&')) return value
  return value.replaceAll(/&#(?:x([\da-f]{1,4})|(\d{1,5}));/gi, (_, hex?: string, decimal?: string) =>
    String.fromCharCode(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  )
}

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number
}
