import { type Box, boundingBox, type Line, median, middle, type Piece, type Table } from './shapes.ts'

export function findTables(pieces: Piece[], rules: Box[], isRightToLeft = false): Piece[] {
  const rows = toRows(pieces)
  const result: Piece[] = []
  for (let at = 0; at < rows.length; ) {
    const end = findTableEnd(rows, at)
    const table = end === undefined ? undefined : toTable(rows.slice(at, end).map(toLines), rules)
    if (end && table) {
      result.push(isRightToLeft ? { ...table, rows: table.rows.map((row) => row.toReversed()) } : table)
      at = end
    } else {
      const row = rows[at] ?? []
      result.push(...(isRightToLeft ? row.toReversed() : row))
      at += 1
    }
  }
  return result
}

/** Our tables replace those of the library that they extend: the library loses first columns and splits tables. */
export function chooseTables(libraryTables: Table[], lines: Line[], rules: Box[]): Table[] {
  if (libraryTables.length === 0 || lines.length > maxLines) return libraryTables
  const detected = findTables(lines, rules).filter((piece) => piece.kind === 'table')
  const better = detected.filter((table) => {
    const overlapping = libraryTables.filter((libraryTable) => isMostlyIn(libraryTable, table))
    if (overlapping.length === 0) return false
    const rows = overlapping.reduce((sum, libraryTable) => sum + libraryTable.rows.length, 0)
    const columns = Math.max(...overlapping.map((libraryTable) => libraryTable.rows[0]?.length ?? 0))
    const width = table.rows[0]?.length ?? 0
    return width > columns ? table.rows.length >= rows : width === columns && table.rows.length > rows * 1.3
  })
  const remaining = libraryTables.filter(
    (libraryTable) => !better.some((table) => isMostlyIn(libraryTable, table)),
  )
  return [...better, ...remaining]
}

const maxLines = 4000

function isMostlyIn(inner: Box, outer: Box): boolean {
  const width = Math.min(inner.right, outer.right) - Math.max(inner.left, outer.left)
  const height = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top)
  const area = Math.max(1, (inner.right - inner.left) * (inner.bottom - inner.top))
  return width > 0 && height > 0 && (width * height) / area > 0.6
}

function toRows(pieces: Piece[]): Piece[][] {
  const sorted = pieces.toSorted((a, b) => middle(a) - middle(b))
  const rows: Piece[][] = []
  let line = Number.NaN
  for (const piece of sorted) {
    const height = piece.kind === 'line' ? piece.size : 0
    if (Math.abs(middle(piece) - line) < height * 0.45) rows.at(-1)?.push(piece)
    else {
      rows.push([piece])
      line = middle(piece)
    }
  }
  return rows.map((members) => members.toSorted((left, right) => left.left - right.left))
}

const toLines = (row: Piece[]): Line[] => row.filter((piece) => piece.kind === 'line')

const isWide = (row: Piece[]) => row.length > 1 && row.every((piece) => piece.kind === 'line')
const maxSingleRows = 3

/** More than a page can hold; avoids a repeated scan from every row. */
const maxRows = 300

/** End of the rows that could be a table: most have several pieces, and the gaps between them are small. */
function findTableEnd(rows: Piece[][], from: number): number | undefined {
  if (!isWide(rows[from] ?? [])) return undefined
  let to = from + 1
  for (let at = from + 1; at < Math.min(rows.length, from + maxRows); at += 1) {
    const row = rows[at] ?? []
    const before = rows[at - 1] ?? []
    if (row.some((piece) => piece.kind === 'table')) break
    const size = toLines(row)[0]?.size ?? 0
    if (boundingBox(row).top - boundingBox(before).bottom > size * 2.6) break
    if (isWide(row)) to = at + 1
    else if (at - to >= maxSingleRows) break
  }
  return to - from >= 2 ? to : undefined
}

function toTable(rows: Line[][], rules: Box[]): Table | undefined {
  const box = boundingBox(rows.flat())
  const columns = findColumns(rows, box)
  if (columns.length < 2) return undefined
  const cells = rows.map((row) => toCells(row, columns))
  if (!isTable(rows, cells, columns)) return undefined
  const merged = mergeRows(rows, cells, findRuleOffsets(rules, box))
  if (merged.length < 2) return undefined
  return { kind: 'table', ...box, rows: merged }
}

type Column = Pick<Box, 'left' | 'right'>

function findColumns(rows: Line[][], box: Box): Column[] {
  const wide = rows.filter((row) => row.length > 1)
  const size = median(wide.flatMap((row) => row.map((line) => line.size)))
  const edges: [number, number][] = []
  for (const line of wide.flat()) edges.push([line.left, 1], [line.right, -1])
  edges.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const allowed = wide.length < 4 ? 0 : Math.max(1, Math.floor(wide.length * 0.12))
  const columns: Column[] = []
  let depth = 0
  let left: number | undefined
  for (const [x, step] of edges) {
    depth += step
    if (step === 1 && depth === allowed + 1 && left === undefined) left = x
    if (step === -1 && depth === allowed && left !== undefined) {
      const last = columns.at(-1)
      if (last && left - last.right < size * 0.3) last.right = x
      else columns.push({ left, right: x })
      left = undefined
    }
  }
  const [first, end] = [columns[0], columns.at(-1)]
  if (first) first.left = Math.min(first.left, box.left)
  if (end) end.right = Math.max(end.right, box.right)
  return columns
}

function toCells(row: Line[], columns: Column[]): string[] {
  const cells = columns.map(() => '')
  for (const line of row) {
    const at = findColumnIndex(line, columns)
    cells[at] = cells[at] === '' ? line.text : `${cells[at]} ${line.text}`
  }
  return cells
}

function findColumnIndex(line: Line, columns: Column[]): number {
  let best = 0
  let maxOverlap = -Infinity
  for (const [at, column] of columns.entries()) {
    const overlap = Math.min(line.right, column.right) - Math.max(line.left, column.left)
    // On equal overlap the first column is used: a heading over two columns begins in the left column.
    if (overlap > maxOverlap + 0.5) {
      maxOverlap = overlap
      best = at
    }
  }
  return best
}

/** False for columns of prose, or a list with its markers. */
function isTable(rows: Line[][], cells: string[][], columns: Column[]): boolean {
  const wide = cells.filter((row) => row.filter((cell) => cell !== '').length > 1)
  if (wide.length < 2 || wide.length < rows.length * 0.4) return false
  const filledCells = wide.flat().filter((cell) => cell !== '')
  const words = filledCells.reduce((sum, cell) => sum + countWords(cell), 0) / filledCells.length
  const numbers =
    filledCells.filter((cell) => /^(?:(?![.,])[\W_])*[\d.,][\d\W_]*$/.test(cell)).length / filledCells.length
  if (wide.every((row) => /^(?:[•‣◦▪■●○–—*·-]|\(?\w{1,3}[.)])$/.test(row[0] ?? ''))) return false
  if (columns.length === 2) return wide.length > 2 && (words < 5 || numbers > 0.3)
  return words < 8 || numbers > 0.3
}

/** In scripts without spaces, four characters count as a word. */
function countWords(text: string): number {
  return text.split(' ').length + (text.match(/[\u3040-\u9fff]/g)?.length ?? 0) / 4
}

function findRuleOffsets(rules: Box[], box: Box): number[] {
  const width = box.right - box.left
  return rules
    .filter((rule) => rule.bottom - rule.top < 3 && rule.top > box.top - 3 && rule.bottom < box.bottom + 3)
    .filter((rule) => Math.min(rule.right, box.right) - Math.max(rule.left, box.left) > width * 0.6)
    .map(middle)
    .toSorted((a, b) => a - b)
}

/** Merges rows between the same two rules, and the rest of cells that did not fit on a line. */
function mergeRows(rows: Line[][], cells: string[][], rules: number[]): string[][] {
  const boxes = rows.map(boundingBox)
  const middles = boxes.map(middle)
  const tops = boxes.map(({ top }) => top)
  const steps = tops.slice(1).map((top, at) => top - (tops[at] ?? 0))
  const tight = Math.min(...steps.filter((step) => step > 0))
  const merged: string[][] = []
  for (const [at, row] of cells.entries()) {
    const last = merged.at(-1)
    const step = at === 0 ? Infinity : (steps[at - 1] ?? 0)
    const isDivided = at > 0 && rules.some((y) => y > (middles[at - 1] ?? y) && y < (middles[at] ?? y))
    if (last && !isDivided && step <= tight * 1.25 && isContinuation(row, last)) {
      for (const [column, text] of row.entries())
        if (text !== '') last[column] = `${last[column]} ${text}`.trim()
    } else merged.push([...row])
  }
  return merged
}

function isContinuation(row: string[], last: string[]): boolean {
  const filledCount = row.filter((cell) => cell !== '').length
  const before = last.filter((cell) => cell !== '').length
  const isNumeric = row.some((cell) => /^[\W_]*\d[\d.,%\s]*[\W_]*$/.test(cell))
  if (row[0] === '') return filledCount < before && !isNumeric
  const isContinued = row.every((cell) => cell === '' || /^[\p{Ll}(]/u.test(cell))
  return isContinued && filledCount <= before && !isNumeric
}
