import { around, type Box, isInside, median, middle, type Run, type Table } from './shapes.ts'

export interface Cell {
  text: string
  box: Box | undefined
}

/**
 * A table as the library found it → the table a reader sees, or nothing. Sentences that were cut into cells are taken
 * off its ends, and rows that hold several lines of numbers are cut at them.
 */
export function mendTable(given: Cell[][], runs: Run[]): Table | undefined {
  const size = median(runs.map((run) => run.size))
  let rows = given.filter((row) => row.some((cell) => cell.text.trim() !== ''))
  while (rows.length > 0 && isProse(rows[0] ?? [], runs, size)) rows = rows.slice(1)
  while (rows.length > 0 && isProse(rows.at(-1) ?? [], runs, size)) rows = rows.slice(0, -1)
  if (rows.filter((row) => isProse(row, runs, size)).length > rows.length * 0.3) return undefined
  const width = Math.max(0, ...rows.map((row) => row.filter((cell) => cell.text.trim() !== '').length))
  const boxes = rows.flat().flatMap((cell) => (cell.box ? [cell.box] : []))
  if (rows.length === 0 || width < 2 || boxes.length === 0) return undefined
  const texts = rows.flatMap((row) => splitRow(row, runs))
  if (texts.length < 2) return undefined
  return { kind: 'table', ...around(boxes), rows: withoutEmptyColumns(texts) }
}

/** Cells that a sentence runs through: no more than the blank of a word lies between them, or letters lie across. */
function isProse(row: Cell[], runs: Run[], size: number): boolean {
  const filled = row.flatMap(({ box, text }) => (box && text.trim() !== '' ? [{ box, text }] : []))
  if (filled.length < 2) return false
  const whole = around(filled.map((cell) => cell.box))
  const inside = runs.filter((run) => isInside(run, whole))
  const near = filled.filter(({ box }, at) => {
    const before = filled[at - 1]?.box
    return before && isBridged(inside, { left: before.right, right: box.left }, size)
  })
  const words = filled.reduce((sum, cell) => sum + cell.text.split(/\s+/).length, 0)
  return near.length / (filled.length - 1) > 0.5 && words > filled.length * 1.5
}

function isBridged(runs: Run[], border: { left: number; right: number }, size: number): boolean {
  const x = (border.left + border.right) / 2
  if (runs.some((run) => run.left < x - size * 0.5 && run.right > x + size * 0.5)) return true
  const lefts = runs.filter((run) => run.right <= x + 1)
  const rights = runs.filter((run) => run.left >= x - 1)
  return lefts.some((one) =>
    rights.some(
      (other) => Math.abs(middle(one) - middle(other)) < size * 0.4 && other.left - one.right < size * 0.45,
    ),
  )
}

const isNumber = (text: string) => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text.trim())

/** A row in which columns of numbers have several lines is several rows, each at a line of numbers. */
function splitRow(row: Cell[], runs: Run[]): string[][] {
  const whole = [row.map((cell) => cell.text)]
  const lines = row.map((cell) => linesIn(cell, runs))
  const several = lines.filter((one) => one.length > 1)
  const numeric = several.filter((one) => one.every((line) => isNumber(line.text)))
  if (several.length < 2 || numeric.length < several.length / 2) return whole
  const tops = baselines(several.flat().map((line) => line.middle))
  const places = lines.map((one) => one.map((line) => nearest(tops, line.middle)))
  // Two lines of one column on one baseline: the lines were not what they seemed.
  if (places.some((one) => new Set(one).size < one.length)) return whole
  return tops.map((_, at) =>
    lines.map((one, column) => one.filter((_line, index) => places[column]?.[index] === at)[0]?.text ?? ''),
  )
}

function baselines(middles: number[]): number[] {
  const found: number[] = []
  for (const y of middles.toSorted((one, other) => one - other)) {
    const last = found.at(-1)
    if (last === undefined || y - last > 4) found.push(y)
  }
  return found
}

function nearest(tops: number[], y: number): number {
  let best = 0
  for (const [at, top] of tops.entries()) {
    if (Math.abs(top - y) < Math.abs((tops[best] ?? 0) - y)) best = at
  }
  return best
}

function linesIn(cell: Cell, runs: Run[]): { text: string; middle: number }[] {
  const box = cell.box
  if (!box || cell.text.trim() === '') return []
  const inside = runs
    .filter((run) => isInside(run, box))
    .toSorted((one, other) => middle(one) - middle(other))
  const lines: { text: string; middle: number; height: number }[] = []
  for (const run of inside) {
    const last = lines.at(-1)
    if (last && Math.abs(middle(run) - last.middle) < run.size * 0.5) last.text += ` ${run.text}`
    else lines.push({ text: run.text, middle: middle(run), height: run.size })
  }
  return lines.length > 0 ? lines : [{ text: cell.text, middle: middle(box) }]
}

function withoutEmptyColumns(rows: string[][]): string[][] {
  const width = Math.max(...rows.map((row) => row.length))
  const used = Array.from({ length: width }, (_, at) => rows.some((row) => (row[at] ?? '').trim() !== ''))
  return rows.map((row) => used.flatMap((isUsed, at) => (isUsed ? [row[at] ?? ''] : [])))
}
