/** Position on a page, in points from its top left corner. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** Text in one font. */
export interface Run extends Box {
  text: string
  size: number
  isBold: boolean
  isItalic: boolean
  isMono: boolean
  link?: string | undefined
  /** Heading that the text belongs to, with its level, if the file is tagged. */
  tagged?: { level: number; element: number } | undefined
  /** Id of the line that OCR assigned, which is more reliable than the position. */
  line?: string | undefined
  /** Confidence of the OCR; undefined for text of the file. */
  confidence?: number | undefined
}

/** Runs next to each other, without a gap in which a column could begin. */
export interface Line extends Box {
  kind: 'line'
  /** Number of the baseline. Lines with the same number are on one baseline. */
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

/** Page before layout. */
export interface RawPage {
  pageNumber: number
  width: number
  height: number
  runs: Run[]
  tables: Table[]
  /** Lines that are drawn on the page. */
  rules: Box[]
  source: 'text' | 'ocr'
  /** Names and values of the filled form fields. */
  fields?: { name: string; value: string }[]
}

export function boundingBox(boxes: Box[]): Box {
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
