import { DocumentProblem } from './document.ts'

/** Cells between the first and the last used one. Libraries hold all of them in memory, used or not. */
const mostCells = 4_000_000

/** Rejects a sheet whose cells are so far apart that the rectangle around them would fill the memory. */
export function checkSheetSpan(sheet: Buffer): void {
  let [top, left, bottom, right] = [Infinity, Infinity, 0, 0]
  // Latin-1 keeps offsets and is the cheapest way to text; references are ASCII.
  for (const [, letters = '', digits = ''] of sheet
    .toString('latin1')
    .matchAll(/<c\s[^>]{0,200}?\br="([A-Z]{1,4})(\d{1,8})"/g)) {
    const column = columnNumber(letters)
    const row = Number(digits)
    if (row < top) top = row
    if (row > bottom) bottom = row
    if (column < left) left = column
    if (column > right) right = column
  }
  if (bottom === 0) return
  const cells = (bottom - top + 1) * (right - left + 1)
  if (cells > mostCells) {
    throw new DocumentProblem(
      'limit',
      `A sheet spans ${cells} cells, which exceeds the limit of ${mostCells}.`,
    )
  }
}

function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number
}
