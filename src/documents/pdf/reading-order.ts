import { around, type Box, median, type Piece } from './shapes.ts'

/**
 * Pieces of a page, column by column, in the order in which they are read. Bands from top to bottom; bands that share a gutter are columns,
 * read one after the other, and each column is looked at in the same way again.
 */
export function readingOrder(pieces: Piece[], startsRight: boolean, depth = 0): Piece[][] {
  if (pieces.length < 2 || pieces.length > maxPieces || depth > 8) return [pieces]
  const leaves: Piece[][] = []
  let open: Piece[] | undefined
  for (const { pieces: members, gutter } of groupBands(toBands(pieces))) {
    if (gutter === undefined) {
      if (open) open.push(...members)
      else {
        open = [...members]
        leaves.push(open)
      }
      continue
    }
    open = undefined
    const left = members.filter((piece) => (piece.left + piece.right) / 2 < gutter)
    const right = members.filter((piece) => (piece.left + piece.right) / 2 >= gutter)
    const columns = startsRight ? [right, left] : [left, right]
    leaves.push(...columns.flatMap((column) => readingOrder(column, startsRight, depth + 1)))
  }
  return leaves
}

/** Pieces between two stretches of white that go from one side to the other. */
function toBands(pieces: Piece[]): Piece[][] {
  const sorted = pieces.toSorted((one, other) => one.top - other.top)
  const bands: Piece[][] = []
  let band: Piece[] = []
  let bottom = -Infinity
  for (const piece of sorted) {
    // Boxes of neighbouring lines often touch; their letters do not.
    const slack = (piece.bottom - piece.top) * 0.25
    if (band.length > 0 && piece.top + slack >= bottom) {
      bands.push(band)
      band = []
      bottom = -Infinity
    }
    band.push(piece)
    bottom = Math.max(bottom, piece.bottom - (piece.bottom - piece.top) * 0.1)
  }
  if (band.length > 0) bands.push(band)
  return bands
}

/** A page of a newspaper has some hundred lines; beyond this, only the order from top to bottom is worth its time. */
const maxPieces = 2000

interface Group {
  pieces: Piece[]
  gutter: number | undefined
  /** How many bands it is made of. */
  bands: number
}

/** Bands one below the other, as many together as have a gutter in common. */
function groupBands(bands: Piece[][]): Group[] {
  const page = around(bands.flat())
  const white = bands.map((band) => gapsOf(band))
  const groups: Group[] = []
  let at = 0
  while (at < bands.length) {
    const group = growGroup(bands, white, { start: at, page })
    groups.push(group)
    at += group.bands
  }
  return groups
}

/** As many bands from here on as keep a gutter. The white in common is cheap to follow; columns are looked for at its end. */
function growGroup(bands: Piece[][], white: Gap[][], from: { start: number; page: Box }): Group {
  const { start, page } = from
  const shared = [white[start] ?? []]
  for (let at = start + 1; at < bands.length; at += 1) {
    const next = common(shared.at(-1) ?? [], white[at] ?? [])
    if (!next.some((gap) => gap.to > page.left + 1 && gap.from < page.right - 1)) break
    shared.push(next)
  }
  let count = shared.length
  for (let tries = 0; tries < maxTries && count > 1; tries += 1) {
    const pieces = bands.slice(start, start + count).flat()
    const gutter = gutterIn(shared[count - 1] ?? [], pieces)
    // Rows that run across are not columns in part of them either.
    if (gutter === 'rows') return { pieces, gutter: undefined, bands: count }
    if (gutter !== undefined) return { pieces, gutter, bands: count }
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

/** White between pieces and beside them, from left to right. */
function gapsOf(pieces: Box[]): Gap[] {
  const sorted = pieces.toSorted((one, other) => one.left - other.left)
  const gaps: Gap[] = []
  let right = -Infinity
  for (const piece of sorted) {
    if (piece.left > right) gaps.push({ from: right, to: piece.left })
    right = Math.max(right, piece.right)
  }
  gaps.push({ from: right, to: Infinity })
  return gaps
}

/** White that two bands have in common, as far as a column could begin in it. */
function common(some: Gap[], others: Gap[]): Gap[] {
  const found: Gap[] = []
  let [i, j] = [0, 0]
  while (i < some.length && j < others.length) {
    const one = some[i]
    const other = others[j]
    if (!one || !other) break
    const from = Math.max(one.from, other.from)
    const to = Math.min(one.to, other.to)
    if (to - from >= minGutter) found.push({ from, to })
    if (one.to < other.to) i += 1
    else j += 1
  }
  return found
}

/** The middle of the widest white stripe that has columns of text on both sides. */
function gutterIn(free: Gap[], pieces: Piece[]): number | 'rows' | undefined {
  const size = median(pieces.map((piece) => (piece.kind === 'line' ? piece.size : 10)))
  const page = around(pieces)
  const wide = free
    .filter(
      ({ from, to }) => from > page.left && to < page.right && to - from >= Math.max(minGutter, size * 0.7),
    )
    .toSorted((one, other) => other.to - other.from - (one.to - one.from))
  for (const { from, to } of wide.slice(0, 4)) {
    const left = pieces.filter((piece) => piece.right <= from + 0.01)
    const right = pieces.filter((piece) => piece.left >= to - 0.01)
    if (!isColumn(left, page) || !isColumn(right, page)) continue
    const sides = sidesOf(left, right)
    if (sides === 'rows') return sides
    if (sides === 'columns') return (from + to) / 2
  }
  return undefined
}

/** Some lines, one below the other, and not merely a stripe of numbers or marks. */
function isColumn(pieces: Piece[], page: Box): boolean {
  if (toBands(pieces).length < 2) return false
  const box = around(pieces)
  return box.right - box.left > (page.right - page.left) * 0.12
}

/**
 * Rows that run across both sides: most lines on one side stand beside one on the other, and few fill their side. Where lines
 * of neither side do, as in a form of names and values, some of these may go on for several lines.
 */
function sidesOf(left: Piece[], right: Piece[]): 'columns' | 'rows' | 'unclear' {
  const fewer = left.length < right.length ? left : right
  const more = fewer === left ? right : left
  const tops = more.map((piece) => piece.top).toSorted((one, other) => one - other)
  const beside = fewer.filter((piece) => hasNear(tops, piece.top, (piece.bottom - piece.top) * 0.35)).length
  const aligned = beside / fewer.length
  const [filled, other] = [fills(left), fills(right)]
  if (filled < 0.5 && other < 0.5) return aligned > 0.5 ? 'rows' : 'columns'
  if (aligned <= 0.8 || (filled >= 0.5 && other >= 0.5)) return 'columns'
  // Beside a column of prose stands what only happens to be aligned with it.
  return isProse(filled >= 0.5 ? left : right) ? 'unclear' : 'rows'
}

/** Lines as long as those of a text, and not as cells are. */
const proseLetters = 28

function isProse(pieces: Piece[]): boolean {
  const rows = new Set(pieces.map((piece) => (piece.kind === 'line' ? piece.row : piece)))
  const letters = pieces.reduce((sum, piece) => sum + (piece.kind === 'line' ? lettersIn(piece.text) : 0), 0)
  return letters > rows.size * proseLetters
}

/** Letters of scripts without blanks say as much as two. */
const lettersIn = (text: string) => text.length + (text.match(/[\u3040-\u9fff]/g)?.length ?? 0)

function hasNear(sorted: number[], value: number, within: number): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const half = (low + high) >> 1
    if ((sorted[half] ?? 0) < value - within) low = half + 1
    else high = half
  }
  return low < sorted.length && (sorted[low] ?? 0) <= value + within
}

/** The share of rows that reach almost from one edge of their column to the other, in however many pieces. */
function fills(pieces: Piece[]): number {
  const box = around(pieces)
  const width = box.right - box.left
  const rows = Map.groupBy(pieces, (piece) => (piece.kind === 'line' ? piece.row : piece))
  let full = 0
  for (const row of rows.values()) {
    const { left, right } = around(row)
    if (row[0]?.kind === 'table' || right - left > width * 0.8) full += 1
  }
  return full / Math.max(1, rows.size)
}
