import { type Box, boundingBox, isInside, median, middle, type Run, type Table } from './shapes.ts'

export interface Cell {
  text: string
  box: Box | undefined
}

/** Removes sentences that were split into cells from both ends. Returns undefined if it is not a table. */
export function repairTable(libraryRows: Cell[][], runs: Run[]): Table | undefined {
  const size = median(runs.map((run) => run.size))
  let rows = libraryRows.filter((row) => row.some((cell) => cell.text.trim() !== ''))
  while (rows.length > 0 && isProse(rows[0] ?? [], runs, size)) rows = rows.slice(1)
  while (rows.length > 0 && isProse(rows.at(-1) ?? [], runs, size)) rows = rows.slice(0, -1)
  if (rows.filter((row) => isProse(row, runs, size)).length > rows.length * 0.3) return undefined
  const width = Math.max(0, ...rows.map((row) => row.filter((cell) => cell.text.trim() !== '').length))
  const boxes = rows.flat().flatMap((cell) => (cell.box ? [cell.box] : []))
  if (rows.length === 0 || width < 2 || boxes.length === 0) return undefined
  const texts = rows.flatMap((row) => splitRow(row, runs))
  if (texts.length < 2) return undefined
  return { kind: 'table', ...boundingBox(boxes), rows: removeEmptyColumns(texts) }
}

/** A sentence runs through the cells if only a word space separates them, or letters cross their border. */
function isProse(row: Cell[], runs: Run[], size: number): boolean {
  const filled = row.flatMap(({ box, text }) => (box && text.trim() !== '' ? [{ box, text }] : []))
  if (filled.length < 2) return false
  const rowBox = boundingBox(filled.map((cell) => cell.box))
  const inside = runs.filter((run) => isInside(run, rowBox))
  const near = filled.filter(({ box }, at) => {
    const before = filled[at - 1]?.box
    return before && isBridged(inside, (before.right + box.left) / 2, size)
  })
  const words = filled.reduce((sum, cell) => sum + cell.text.split(/\s+/).length, 0)
  return near.length / (filled.length - 1) > 0.5 && words > filled.length * 1.5
}

function isBridged(runs: Run[], x: number, size: number): boolean {
  if (runs.some((run) => run.left < x - size * 0.5 && run.right > x + size * 0.5)) return true
  const lefts = runs.filter((run) => run.right <= x + 1)
  const rights = runs.filter((run) => run.left >= x - 1)
  return lefts.some((left) =>
    rights.some(
      (right) => Math.abs(middle(left) - middle(right)) < size * 0.4 && right.left - left.right < size * 0.45,
    ),
  )
}

const isNumber = (text: string) => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text.trim())

function splitRow(row: Cell[], runs: Run[]): string[][] {
  const unsplit = [row.map((cell) => cell.text)]
  const cellLines = row.map((cell) => findLines(cell, runs))
  const multiLineCells = cellLines.filter((lines) => lines.length > 1)
  const numericCells = multiLineCells.filter((lines) => lines.every((line) => isNumber(line.text)))
  if (multiLineCells.length < 2 || numericCells.length < multiLineCells.length / 2) return unsplit
  const tops = findBaselines(multiLineCells.flat().map((line) => line.middle))
  const baselineIndexes = cellLines.map((lines) => lines.map((line) => findNearestIndex(tops, line.middle)))
  // Two lines of one column have the same baseline, so the lines were misdetected.
  if (baselineIndexes.some((indexes) => new Set(indexes).size < indexes.length)) return unsplit
  return tops.map((_, at) =>
    cellLines.map((lines, column) => lines[baselineIndexes[column]?.indexOf(at) ?? -1]?.text ?? ''),
  )
}

function findBaselines(middles: number[]): number[] {
  const baselineOffsets: number[] = []
  for (const y of middles.toSorted((a, b) => a - b)) {
    const last = baselineOffsets.at(-1)
    if (last === undefined || y - last > 4) baselineOffsets.push(y)
  }
  return baselineOffsets
}

function findNearestIndex(tops: number[], y: number): number {
  let best = 0
  for (const [at, top] of tops.entries()) {
    if (Math.abs(top - y) < Math.abs((tops[best] ?? 0) - y)) best = at
  }
  return best
}

function findLines(cell: Cell, runs: Run[]): { text: string; middle: number }[] {
  const box = cell.box
  if (!box || cell.text.trim() === '') return []
  const inside = runs.filter((run) => isInside(run, box)).toSorted((a, b) => middle(a) - middle(b))
  const lines: { text: string; middle: number }[] = []
  for (const run of inside) {
    const last = lines.at(-1)
    if (last && Math.abs(middle(run) - last.middle) < run.size * 0.5) last.text += ` ${run.text}`
    else lines.push({ text: run.text, middle: middle(run) })
  }
  return lines.length > 0 ? lines : [{ text: cell.text, middle: middle(box) }]
}

function removeEmptyColumns(rows: string[][]): string[][] {
  const width = Math.max(...rows.map((row) => row.length))
  const used = Array.from({ length: width }, (_, at) => rows.some((row) => (row[at] ?? '').trim() !== ''))
  return rows.map((row) => used.flatMap((isUsed, at) => (isUsed ? [row[at] ?? ''] : [])))
}
