import { type Box, boundingBox, findFirst, median, type Piece } from './shapes.ts'

/** Bands that share a gutter form columns; others are read from top to bottom. Each column is split again. */
export function sortByReadingOrder(pieces: Piece[], isRightToLeft: boolean, depth = 0): Piece[][] {
  if (pieces.length < 2 || pieces.length > maxPieces || depth > 8) return [pieces]
  const leaves: Piece[][] = []
  let openBand: Piece[] | undefined
  for (const { pieces: members, gutter } of groupBands(toBands(pieces))) {
    if (gutter === undefined) {
      if (openBand) openBand.push(...members)
      else {
        openBand = [...members]
        leaves.push(openBand)
      }
      continue
    }
    openBand = undefined
    const left = members.filter((piece) => (piece.left + piece.right) / 2 < gutter)
    const right = members.filter((piece) => (piece.left + piece.right) / 2 >= gutter)
    const columns = isRightToLeft ? [right, left] : [left, right]
    leaves.push(...columns.flatMap((column) => sortByReadingOrder(column, isRightToLeft, depth + 1)))
  }
  return leaves
}

function toBands(pieces: Piece[]): Piece[][] {
  const sorted = pieces.toSorted((a, b) => a.top - b.top)
  const bands: Piece[][] = []
  let bottom = -Infinity
  for (const piece of sorted) {
    const height = piece.bottom - piece.top
    // Boxes of neighbouring lines often touch; their letters do not.
    if (bands.length === 0 || piece.top + height * 0.25 >= bottom) {
      bands.push([])
      bottom = -Infinity
    }
    bands.at(-1)?.push(piece)
    bottom = Math.max(bottom, piece.bottom - height * 0.1)
  }
  return bands
}

/** A newspaper page has a few hundred lines; a page with more pieces keeps the given order. */
const maxPieces = 2000

function groupBands(bands: Piece[][]) {
  const page = boundingBox(bands.flat())
  const gapsByBand = bands.map((band) => findGaps(band))
  const groups: ReturnType<typeof growGroup>[] = []
  for (let start = 0; start < bands.length; start += groups.at(-1)?.bands ?? 1)
    groups.push(growGroup(bands, gapsByBand, { start, page }))
  return groups
}

/** Groups as many bands as share a gutter. Intersecting gaps is cheap, so columns are searched after it. */
function growGroup(bands: Piece[][], gapsByBand: Gap[][], from: { start: number; page: Box }) {
  const { start, page } = from
  const shared = [gapsByBand[start] ?? []]
  for (let at = start + 1; at < bands.length; at += 1) {
    const next = intersectGaps(shared.at(-1) ?? [], gapsByBand[at] ?? [])
    if (!next.some((gap) => gap.to > page.left + 1 && gap.from < page.right - 1)) break
    shared.push(next)
  }
  let count = shared.length
  for (let tries = 0; tries < maxTries && count > 1; tries += 1) {
    const pieces = bands.slice(start, start + count).flat()
    const gutter = findGutter(shared[count - 1] ?? [], pieces)
    // If there are rows across all bands, there are no columns in some of them either.
    if (gutter !== undefined) return { pieces, gutter: gutter === 'rows' ? undefined : gutter, bands: count }
    count -= Math.max(1, Math.floor(count / 4))
  }
  return { pieces: bands[start] ?? [], gutter: undefined, bands: 1 }
}

const maxTries = 10
const minGutter = 5

interface Gap {
  from: number
  to: number
}

function findGaps(pieces: Box[]): Gap[] {
  const sorted = pieces.toSorted((a, b) => a.left - b.left)
  const gaps: Gap[] = []
  let right = -Infinity
  for (const piece of sorted) {
    if (piece.left > right) gaps.push({ from: right, to: piece.left })
    right = Math.max(right, piece.right)
  }
  gaps.push({ from: right, to: Infinity })
  return gaps
}

function intersectGaps(first: Gap[], second: Gap[]): Gap[] {
  const shared: Gap[] = []
  let [i, j] = [0, 0]
  for (;;) {
    const left = first[i]
    const right = second[j]
    if (!left || !right) return shared
    const from = Math.max(left.from, right.from)
    const to = Math.min(left.to, right.to)
    if (to - from >= minGutter) shared.push({ from, to })
    if (left.to < right.to) i += 1
    else j += 1
  }
}

/** Middle of the widest gap that has columns of text on both sides, or 'rows' if rows run across it. */
function findGutter(gaps: Gap[], pieces: Piece[]): number | 'rows' | undefined {
  const size = median(pieces.map((piece) => (piece.kind === 'line' ? piece.size : 10)))
  const page = boundingBox(pieces)
  const wide = gaps
    .filter(
      ({ from, to }) => from > page.left && to < page.right && to - from >= Math.max(minGutter, size * 0.7),
    )
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
  for (const { from, to } of wide.slice(0, 4)) {
    const left = pieces.filter((piece) => piece.right <= from + 0.01)
    const right = pieces.filter((piece) => piece.left >= to - 0.01)
    if (!isColumn(left, page) || !isColumn(right, page)) continue
    const sides = classifySides(left, right)
    if (sides === 'rows') return sides
    if (sides === 'columns') return (from + to) / 2
  }
  return undefined
}

function isColumn(pieces: Piece[], page: Box): boolean {
  if (toBands(pieces).length < 2) return false
  const box = boundingBox(pieces)
  return box.right - box.left > (page.right - page.left) * 0.12
}

/** In rows, most lines of one side are aligned with lines of the other, and few fill their side. */
function classifySides(left: Piece[], right: Piece[]): 'columns' | 'rows' | 'unclear' {
  const fewer = left.length < right.length ? left : right
  const more = fewer === left ? right : left
  const tops = more.map((piece) => piece.top).toSorted((a, b) => a - b)
  const isAligned = ({ top, bottom }: Piece) => hasNear(tops, top, (bottom - top) * 0.35)
  const aligned = fewer.filter(isAligned).length / fewer.length
  const [leftFilled, rightFilled] = [getFullRowShare(left), getFullRowShare(right)]
  if (leftFilled < 0.5 && rightFilled < 0.5) return aligned > 0.5 ? 'rows' : 'columns'
  if (aligned <= 0.8 || (leftFilled >= 0.5 && rightFilled >= 0.5)) return 'columns'
  // Text beside a column of prose may be aligned with it by chance.
  return isProse(leftFilled >= 0.5 ? left : right) ? 'unclear' : 'rows'
}

const minProseLetters = 28

function isProse(pieces: Piece[]): boolean {
  const rows = new Set(pieces.map((piece) => (piece.kind === 'line' ? piece.row : piece)))
  const letterCounts = pieces.map((piece) => (piece.kind === 'line' ? countLetters(piece.text) : 0))
  return letterCounts.reduce((sum, count) => sum + count, 0) > rows.size * minProseLetters
}

const countLetters = (text: string) => text.length + (text.match(/[\u3040-\u9fff]/g)?.length ?? 0)

function hasNear(sorted: number[], value: number, within: number): boolean {
  const at = findFirst(sorted, (other) => other >= value - within)
  return at < sorted.length && (sorted[at] ?? 0) <= value + within
}

/** Share of rows that span almost the whole column, in any number of pieces. */
function getFullRowShare(pieces: Piece[]): number {
  const box = boundingBox(pieces)
  const width = box.right - box.left
  const rows = Map.groupBy(pieces, (piece) => (piece.kind === 'line' ? piece.row : piece))
  let full = 0
  for (const row of rows.values()) {
    const { left, right } = boundingBox(row)
    if (row[0]?.kind === 'table' || right - left > width * 0.8) full += 1
  }
  return full / Math.max(1, rows.size)
}
