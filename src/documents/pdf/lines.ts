import { around, type Line, median, type Piece, type Run } from './shapes.ts'

/** Text further apart than this, in heights of its letters, may belong to another column. */
const columnGap = 0.9
/** Text that proved to be in the same column is one line up to here; beyond, it is the next cell of a table. */
const cellGap = 1.4

/** Runs of a page → lines, cut where a column may begin. */
export function toLines(runs: Run[]): Line[] {
  const rows = toRows(runs)
  return rows.flatMap((row, at) => cutAtGaps(row).map((runs) => toLine(runs, at)))
}

/** Lines of one column that were cut for a gutter that was none. */
export function rejoin(pieces: Piece[]): Piece[] {
  const tables = pieces.filter((piece) => piece.kind === 'table')
  const lines = pieces.filter((piece) => piece.kind === 'line')
  const rows = Map.groupBy(lines, (line) => line.row)
  return [...tables, ...[...rows.values()].flatMap(joinNear)]
}

function joinNear(row: Line[]): Line[] {
  const sorted = row.toSorted((one, other) => one.left - other.left)
  const joinedLines: Line[] = []
  for (const line of sorted) {
    const last = joinedLines.at(-1)
    if (last && line.left - last.right < Math.min(last.size, line.size) * cellGap) {
      joinedLines[joinedLines.length - 1] = toLine(byPlace([...last.runs, ...line.runs]), line.row)
    } else joinedLines.push(line)
  }
  return joinedLines
}

const byPlace = (runs: Run[]) => runs.toSorted((one, other) => one.left - other.left)

/** Runs that share a baseline, whatever column they are in; raised and lowered ones join the row they belong to. */
function toRows(runs: Run[]): Run[][] {
  if (runs.every((run) => run.line !== undefined)) return [...Map.groupBy(runs, (run) => run.line).values()]
  const usual = median(runs.map((run) => run.size))
  const isSmall = (run: Run) => run.size < usual * 0.8
  const rows = byBaseline(runs.filter((run) => !isSmall(run)))
  const alone: Run[] = []
  for (const run of runs.filter(isSmall)) {
    const row = nearestRow(rows, run)
    if (row) row.push(run)
    else alone.push(run)
  }
  return [...rows, ...byBaseline(alone)]
}

function byBaseline(runs: Run[]): Run[][] {
  const rows: Run[][] = []
  let baseline = Number.NaN
  for (const run of runs.toSorted((one, other) => one.bottom - other.bottom)) {
    if (Math.abs(run.bottom - baseline) <= run.size * 0.3) rows.at(-1)?.push(run)
    else rows.push([run])
    baseline = run.bottom
  }
  return rows
}

/** The row of larger letters that a small run touches, as an exponent or the mark of a footnote does. */
function nearestRow(rows: Run[][], run: Run): Run[] | undefined {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const half = (low + high) >> 1
    if ((rows[half]?.[0]?.bottom ?? 0) < run.top) low = half + 1
    else high = half
  }
  for (const row of rows.slice(low, low + 4)) {
    const touches = row.some(
      (one) =>
        one.size > run.size * 1.15 &&
        Math.min(run.bottom, one.bottom) - Math.max(run.top, one.top) > (run.bottom - run.top) * 0.4 &&
        run.left - one.right < one.size * 0.5 &&
        one.left - run.right < one.size * 0.5,
    )
    if (touches) return row
  }
  return undefined
}

function cutAtGaps(row: Run[]): Run[][] {
  const sorted = row.toSorted((one, other) => one.left - other.left)
  const height = median(sorted.map((run) => run.size))
  const parts: Run[][] = []
  let part: Run[] = []
  let right = -Infinity
  for (const run of sorted) {
    if (part.length > 0 && run.left - right > height * columnGap) {
      parts.push(part)
      part = []
    }
    part.push(run)
    right = Math.max(right, run.right)
  }
  if (part.length > 0) parts.push(part)
  return parts
}

function toLine(given: Run[], row: number): Line {
  const runs = isRightToLeft(given) ? given.toReversed() : given
  const letters = (test: (run: Run) => boolean) =>
    runs.reduce((sum, run) => sum + (test(run) ? run.text.trim().length : 0), 0)
  const all = Math.max(
    1,
    letters(() => true),
  )
  return {
    kind: 'line',
    row,
    ...around(runs),
    runs,
    text: joinRuns(runs),
    size: dominantSize(runs),
    isBold: letters((run) => run.isBold) / all > 0.8,
    isItalic: letters((run) => run.isItalic) / all > 0.9,
    isMono: letters((run) => run.isMono) / all > 0.8,
  }
}

/** Letters of Hebrew, Arabic and their relatives. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/g

function isRightToLeft(runs: Run[]): boolean {
  return readsToTheLeft(runs.map((run) => run.text).join(''))
}

export function readsToTheLeft(text: string): boolean {
  return (text.match(rightToLeft)?.length ?? 0) > (text.match(/\p{L}/gu)?.length ?? 0) / 2
}

/** Runs → their text, with spaces where the distance between two of them is one. */
export function joinRuns(runs: Run[], write = (run: Run) => run.text): string {
  let text = ''
  let right = Infinity
  for (const run of runs) {
    if (text !== '' && needsSpace(text, run, right)) text += ' '
    text += write(run)
    right = run.right
  }
  return text.replace(/\s+/g, ' ').trim()
}

/** Letters of scripts that are written without blanks. */
export const isWide = (letter: string | undefined) =>
  letter !== undefined && /[\u3000-\u9fff\uff00-\uffef]/.test(letter)

/** Whether two runs are two words: most files say so only by the distance between them. */
function needsSpace(before: string, run: Run, right: number): boolean {
  if (/\s$/.test(before) || /^\s/.test(run.text)) return false
  // In scripts that run to the left the next run ends before this one begins.
  const gap = run.left >= right ? run.left - right : right - run.right
  return gap > run.size * (isWide(before.at(-1)) && isWide(run.text[0]) ? 0.8 : 0.12)
}

function dominantSize(runs: Run[]): number {
  const letters = new Map<number, number>()
  for (const run of runs) {
    const size = Math.round(run.size * 2) / 2
    letters.set(size, (letters.get(size) ?? 0) + run.text.trim().length + 0.01)
  }
  return [...letters].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0]
}
