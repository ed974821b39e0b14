import { around, type Box, type Line, median, middle, type Piece, type Table } from './shapes.ts'

/** Lines that stand on one baseline, from left to right. */
type Row = Line[]

/** Pieces of one column of a page, in order → the same with tables where lines are aligned like one. */
export function findTables(pieces: Piece[], rules: Box[], startsRight = false): Piece[] {
  const rows = toRows(pieces)
  const found: Piece[] = []
  let at = 0
  while (at < rows.length) {
    const zone = zoneFrom(rows, at)
    const table = zone && tableOf(rows.slice(zone.from, zone.to).map(linesOf), rules)
    if (zone && table) {
      found.push(startsRight ? { ...table, rows: table.rows.map((row) => row.toReversed()) } : table)
      at = zone.to
      continue
    }
    const row = rows[at] ?? []
    found.push(...(startsRight ? row.toReversed() : row))
    at += 1
  }
  return found
}

/**
 * Tables of the library and our own, each where it is better: ours where they hold more of the same table, as the
 * library tends to lose first columns and to cut tables at their sections.
 */
export function bestTables(given: Table[], lines: Line[], rules: Box[]): Table[] {
  if (given.length === 0 || lines.length > maxLines) return given
  const own = findTables(lines, rules).filter((piece) => piece.kind === 'table')
  const better = own.filter((table) => {
    const same = given.filter((one) => isMostlyIn(one, table))
    if (same.length === 0) return false
    const rows = same.reduce((sum, one) => sum + one.rows.length, 0)
    const columns = Math.max(...same.map((one) => one.rows[0]?.length ?? 0))
    const width = table.rows[0]?.length ?? 0
    return (
      (width > columns && table.rows.length >= rows * 1.0) ||
      (width === columns && table.rows.length > rows * 1.3)
    )
  })
  return [...better, ...given.filter((one) => !better.some((table) => isMostlyIn(one, table)))]
}

const maxLines = 4000

function isMostlyIn(inner: Box, outer: Box): boolean {
  const width = Math.min(inner.right, outer.right) - Math.max(inner.left, outer.left)
  const height = Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top)
  const area = Math.max(1, (inner.right - inner.left) * (inner.bottom - inner.top))
  return width > 0 && height > 0 && (width * height) / area > 0.6
}

function toRows(pieces: Piece[]): Piece[][] {
  const sorted = pieces.toSorted((one, other) => middle(one) - middle(other))
  const rows: Piece[][] = []
  let row: Piece[] = []
  let line = Number.NaN
  for (const piece of sorted) {
    const height = piece.kind === 'line' ? piece.size : 0
    if (row.length > 0 && Math.abs(middle(piece) - line) < height * 0.45) row.push(piece)
    else {
      if (row.length > 0) rows.push(row)
      row = [piece]
      line = middle(piece)
    }
  }
  if (row.length > 0) rows.push(row)
  return rows.map((one) => one.toSorted((left, right) => left.left - right.left))
}

const linesOf = (row: Piece[]): Row => row.filter((piece) => piece.kind === 'line')

const isWide = (row: Piece[]) => row.length > 1 && row.every((piece) => piece.kind === 'line')
/** Lines of a single piece between two rows: titles of sections, and cells that go on. */
const mostBetween = 3

/** A page has room for fewer; what goes on for longer is not looked at again from every row of it. */
const maxRows = 300

/** Rows from here on that could be a table: most have several pieces, and none stands far from the next. */
function zoneFrom(rows: Piece[][], from: number): { from: number; to: number } | undefined {
  if (!isWide(rows[from] ?? [])) return undefined
  let to = from + 1
  let last = from
  for (let at = from + 1; at < Math.min(rows.length, from + maxRows); at += 1) {
    const row = rows[at] ?? []
    const before = rows[at - 1] ?? []
    if (row.some((piece) => piece.kind === 'table')) break
    const size = linesOf(row)[0]?.size ?? 0
    if (around(row).top - around(before).bottom > size * 2.6) break
    if (isWide(row)) {
      to = at + 1
      last = at
    } else if (at - last > mostBetween) break
  }
  return to - from >= 2 ? { from, to } : undefined
}

function tableOf(rows: Row[], rules: Box[]): Table | undefined {
  const box = around(rows.flat())
  const columns = columnsOf(rows, box)
  if (columns.length < 2) return undefined
  const cells = rows.map((row) => cellsOf(row, columns))
  if (!isTable(rows, cells, columns)) return undefined
  const merged = mergeRows(rows, cells, rulesIn(rules, box))
  if (merged.length < 2) return undefined
  return { kind: 'table', ...box, rows: merged }
}

interface Column {
  left: number
  right: number
}

/** Stretches between the white stripes that go down through nearly all rows. */
function columnsOf(rows: Row[], box: Box): Column[] {
  const wide = rows.filter((row) => row.length > 1)
  const size = median(wide.flatMap((row) => row.map((line) => line.size)))
  const edges: [number, number][] = []
  for (const line of wide.flat()) edges.push([line.left, 1], [line.right, -1])
  edges.sort((one, other) => one[0] - other[0] || one[1] - other[1])
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

/** The text of each column in a row; a piece over several columns stands in the first it covers. */
function cellsOf(row: Row, columns: Column[]): string[] {
  const cells = columns.map(() => '')
  for (const line of row) {
    const at = columnOf(line, columns)
    cells[at] = cells[at] === '' ? line.text : `${cells[at]} ${line.text}`
  }
  return cells
}

function columnOf(line: Line, columns: Column[]): number {
  let best = 0
  let most = -Infinity
  for (const [at, column] of columns.entries()) {
    const overlap = Math.min(line.right, column.right) - Math.max(line.left, column.left)
    // The first of equals: a heading over two columns begins in the left one.
    if (overlap > most + 0.5) {
      most = overlap
      best = at
    }
  }
  return best
}

/** Whether aligned lines are a table and not columns of prose, or a list with its marks. */
function isTable(rows: Row[], cells: string[][], columns: Column[]): boolean {
  const wide = cells.filter((row) => row.filter((cell) => cell !== '').length > 1)
  if (wide.length < 2 || wide.length < rows.length * 0.4) return false
  const all = wide.flat().filter((cell) => cell !== '')
  const words = all.reduce((sum, cell) => sum + wordsIn(cell), 0) / all.length
  const numbers = all.filter((cell) => /^(?:(?![.,])[\W_])*[\d.,][\d\W_]*$/.test(cell)).length / all.length
  if (wide.every((row) => /^(?:[•‣◦▪■●○–—*·-]|\(?\w{1,3}[.)])$/.test(row[0] ?? ''))) return false
  if (columns.length === 2) return wide.length > 2 && (words < 5 || numbers > 0.3)
  return words < 8 || numbers > 0.3
}

/** Where no blanks part the words, a cell holds some letters more than it would hold words. */
function wordsIn(text: string): number {
  return text.split(' ').length + (text.match(/[\u3040-\u9fff]/g)?.length ?? 0) / 4
}

function rulesIn(rules: Box[], box: Box): number[] {
  const width = box.right - box.left
  return rules
    .filter((rule) => rule.bottom - rule.top < 3 && rule.top > box.top - 3 && rule.bottom < box.bottom + 3)
    .filter((rule) => Math.min(rule.right, box.right) - Math.max(rule.left, box.left) > width * 0.6)
    .map(middle)
    .toSorted((one, other) => one - other)
}

/** Rows that are one: between the same two rules, or the rest of cells that did not fit on a line. */
function mergeRows(rows: Row[], cells: string[][], rules: number[]): string[][] {
  const tops = rows.map((row) => around(row).top)
  const steps = tops.slice(1).map((top, at) => top - (tops[at] ?? 0))
  const usual = median(steps)
  const tight = Math.min(...steps.filter((step) => step > 0))
  const merged: string[][] = []
  for (const [at, row] of cells.entries()) {
    const last = merged.at(-1)
    const step = at === 0 ? Infinity : (steps[at - 1] ?? 0)
    const isDivided =
      at > 0 &&
      rules.some((y) => y > middle(around(rows[at - 1] ?? [])) && y < middle(around(rows[at] ?? [])))
    if (last && !isDivided && isRest(row, last, { step, usual, tight })) {
      for (const [column, text] of row.entries())
        if (text !== '') last[column] = `${last[column]} ${text}`.trim()
    } else merged.push([...row])
  }
  return merged
}

/** A row that only continues: it lacks the first column, or cells begin in the middle of a sentence. */
function isRest(
  row: string[],
  last: string[],
  steps: { step: number; usual: number; tight: number },
): boolean {
  const filled = row.filter((cell) => cell !== '').length
  const before = last.filter((cell) => cell !== '').length
  if (steps.step > steps.tight * 1.25) return false
  const isNumeric = row.some((cell) => /^[\W_]*\d[\d.,%\s]*[\W_]*$/.test(cell))
  if (row[0] === '') return filled < before && !isNumeric
  const goesOn = row.every((cell) => cell === '' || /^[\p{Ll}(]/u.test(cell))
  return goesOn && filled <= before && !isNumeric
}
