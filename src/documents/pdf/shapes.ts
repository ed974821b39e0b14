/** Position on a page, in points from its top left corner. */
export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

interface StyledText extends Box {
  text: string
  size: number
  isBold: boolean
  isItalic: boolean
  isMono: boolean
}

export interface Run extends StyledText {
  link?: string | undefined
  /** The heading that the text belongs to, in a tagged PDF. */
  tagged?: { level: number; element: number } | undefined
  /** Id of the line, assigned by OCR: more reliable than a line that is found by position. */
  line?: string | undefined
  confidence?: number | undefined
}

/** Runs without a gap in which a column could begin. */
export interface Line extends StyledText {
  kind: 'line'
  /** Lines with the same number are on one baseline. */
  row: number
  runs: Run[]
}

export interface Table extends Box {
  kind: 'table'
  rows: string[][]
}

export type Piece = Line | Table

export interface RawPage {
  pageNumber: number
  width: number
  height: number
  runs: Run[]
  tables: Table[]
  rules: Box[]
  source: 'text' | 'ocr'
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

/** Binary search for the first index from which all items pass. Returns the length if none does. */
export function findFirst<Item>(sorted: Item[], passes: (item: Item) => boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const center = (low + high) >> 1
    const item = sorted[center]
    if (item === undefined || passes(item)) high = center
    else low = center + 1
  }
  return low
}
