/** Places on a page, in points from its top left corner. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** A piece of text in one font. */
export interface Run extends Box {
  text: string
  size: number
  isBold: boolean
  isItalic: boolean
  isMono: boolean
  link?: string | undefined
  /** The heading it belongs to and its level, where the file is tagged and says so. */
  tagged?: { level: number; element: number } | undefined
  /** The line it was recognised in, which is surer than what its place says. */
  line?: string | undefined
  /** How sure the recognition was; undefined for text of the file. */
  confidence?: number | undefined
}

/** Runs that stand beside each other without a gap that a column could begin at. */
export interface Line extends Box {
  kind: 'line'
  /** Lines with the same number stand on one baseline. */
  row: number
  runs: Run[]
  text: string
  size: number
  isBold: boolean
  isItalic: boolean
  isMono: boolean
}

export interface Table extends Box {
  kind: 'table'
  rows: string[][]
}

export type Piece = Line | Table

/** One page before it is laid out. */
export interface RawPage {
  pageNumber: number
  width: number
  height: number
  runs: Run[]
  tables: Table[]
  /** Lines that are drawn on the page. */
  rules: Box[]
  source: 'text' | 'ocr'
  /** Fields of a form that were filled in, by their names. */
  fields?: { name: string; value: string }[]
}

export function around(boxes: Box[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const { left, top, right, bottom } of boxes) {
    box.left = Math.min(box.left, left)
    box.top = Math.min(box.top, top)
    box.right = Math.max(box.right, right)
    box.bottom = Math.max(box.bottom, bottom)
  }
  return box
}

export const middle = (box: Box) => (box.top + box.bottom) / 2

export function isInside(inner: Box, outer: Box): boolean {
  const x = (inner.left + inner.right) / 2
  const y = middle(inner)
  return x >= outer.left && x <= outer.right && y >= outer.top && y <= outer.bottom
}

export function median(values: number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
