import { boundingBox, findFirst, type Line, median, type Piece, type Run } from './shapes.ts'

/** In font sizes; wider gaps may separate columns. */
const columnGap = 0.9
/** In font sizes; a wider gap begins the next cell of a table. */
const cellGap = 1.4

export function toLines(runs: Run[]): Line[] {
  const rows = toRows(runs)
  return rows.flatMap((row, at) => splitAtGaps(row).map((runs) => toLine(runs, at)))
}

/** Rejoins lines of one column that were split at a gap that is not a gutter. */
export function rejoin(pieces: Piece[]): Piece[] {
  const tables = pieces.filter((piece) => piece.kind === 'table')
  const lines = pieces.filter((piece) => piece.kind === 'line')
  const rows = Map.groupBy(lines, (line) => line.row)
  return [...tables, ...[...rows.values()].flatMap(joinNear)]
}

function joinNear(row: Line[]): Line[] {
  const sorted = row.toSorted((a, b) => a.left - b.left)
  const joinedLines: Line[] = []
  for (const line of sorted) {
    const last = joinedLines.at(-1)
    if (last && line.left - last.right < Math.min(last.size, line.size) * cellGap) {
      joinedLines[joinedLines.length - 1] = toLine(sortByLeft([...last.runs, ...line.runs]), line.row)
    } else joinedLines.push(line)
  }
  return joinedLines
}

const sortByLeft = (runs: Run[]) => runs.toSorted((a, b) => a.left - b.left)

/** Returns rows across all columns. Superscripts and subscripts join the row that they belong to. */
function toRows(runs: Run[]): Run[][] {
  if (runs.every((run) => run.line !== undefined)) return [...Map.groupBy(runs, (run) => run.line).values()]
  const typicalSize = median(runs.map((run) => run.size))
  const isSmall = (run: Run) => run.size < typicalSize * 0.8
  const rows = groupByBaseline(runs.filter((run) => !isSmall(run)))
  const unattached: Run[] = []
  for (const run of runs.filter(isSmall)) {
    const row = findNearestRow(rows, run)
    if (row) row.push(run)
    else unattached.push(run)
  }
  return [...rows, ...groupByBaseline(unattached)]
}

function groupByBaseline(runs: Run[]): Run[][] {
  const rows: Run[][] = []
  let baseline = Number.NaN
  for (const run of runs.toSorted((a, b) => a.bottom - b.bottom)) {
    if (Math.abs(run.bottom - baseline) <= run.size * 0.3) rows.at(-1)?.push(run)
    else rows.push([run])
    baseline = run.bottom
  }
  return rows
}

function findNearestRow(rows: Run[][], run: Run): Run[] | undefined {
  const at = findFirst(rows, ([first]) => (first?.bottom ?? 0) >= run.top)
  return rows
    .slice(at, at + 4)
    .find((row) =>
      row.some(
        (larger) =>
          larger.size > run.size * 1.15 &&
          Math.min(run.bottom, larger.bottom) - Math.max(run.top, larger.top) >
            (run.bottom - run.top) * 0.4 &&
          run.left - larger.right < larger.size * 0.5 &&
          larger.left - run.right < larger.size * 0.5,
      ),
    )
}

function splitAtGaps(row: Run[]): Run[][] {
  const sorted = row.toSorted((a, b) => a.left - b.left)
  const height = median(sorted.map((run) => run.size))
  const parts: Run[][] = []
  let right = -Infinity
  for (const run of sorted) {
    if (parts.length === 0 || run.left - right > height * columnGap) parts.push([])
    parts.at(-1)?.push(run)
    right = Math.max(right, run.right)
  }
  return parts
}

function toLine(sortedRuns: Run[], row: number): Line {
  const runs = isRightToLeftText(sortedRuns.map((run) => run.text).join(''))
    ? sortedRuns.toReversed()
    : sortedRuns
  const letters = Math.max(
    1,
    runs.reduce((sum, run) => sum + run.text.trim().length, 0),
  )
  const getShare = (name: 'isBold' | 'isItalic' | 'isMono') =>
    runs.reduce((sum, run) => sum + (run[name] ? run.text.trim().length : 0), 0) / letters
  return {
    kind: 'line',
    row,
    ...boundingBox(runs),
    runs,
    text: joinRuns(runs),
    size: getDominantSize(runs),
    isBold: getShare('isBold') > 0.8,
    isItalic: getShare('isItalic') > 0.9,
    isMono: getShare('isMono') > 0.8,
  }
}

const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/g

export function isRightToLeftText(text: string): boolean {
  return (text.match(rightToLeft)?.length ?? 0) > (text.match(/\p{L}/gu)?.length ?? 0) / 2
}

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

/** True for characters of scripts that are written without spaces. */
export const isWide = (letter: string | undefined) =>
  letter !== undefined && /[\u3000-\u9fff\uff00-\uffef]/.test(letter)

function needsSpace(textBefore: string, run: Run, right: number): boolean {
  if (/\s$/.test(textBefore) || /^\s/.test(run.text)) return false
  // In right-to-left scripts, the next run ends before this run begins.
  const gap = run.left >= right ? run.left - right : right - run.right
  return gap > run.size * (isWide(textBefore.at(-1)) && isWide(run.text[0]) ? 0.8 : 0.12)
}

function getDominantSize(runs: Run[]): number {
  const letters = new Map<number, number>()
  for (const run of runs) {
    const size = Math.round(run.size * 2) / 2
    letters.set(size, (letters.get(size) ?? 0) + run.text.trim().length + 0.01)
  }
  return [...letters].reduce((best, next) => (next[1] > best[1] ? next : best), [0, 0])[0]
}
