import type { Line, Piece } from './shapes.ts'

/** What the letters of a whole document look like. */
export interface Typeface {
  bodySize: number
  isBodyBold: boolean
  /** Sizes above the body's that headings have, largest first. */
  headingSizes: number[]
  /** How far a size may be from another and still be the same: recognition measures letters, it does not know them. */
  tolerance: number
}

export function typefaceOf(pages: Piece[][], isRecognised: boolean): Typeface {
  const tolerance = isRecognised ? 0.35 : 0.12
  const letters = new Map<number, number>()
  let bold = 0
  let all = 0
  for (const line of linesOf(pages)) {
    const size = Math.round(line.size * 2) / 2
    letters.set(size, (letters.get(size) ?? 0) + line.text.length)
    all += line.text.length
    if (line.isBold) bold += line.text.length
  }
  const bodySize = [...letters].reduce((best, next) => (next[1] > best[1] ? next : best), [10, 0])[0]
  const sizes = new Set<number>()
  for (const line of linesOf(pages))
    if (line.size > bodySize * (1 + tolerance)) sizes.add(Math.round(line.size * 2) / 2)
  return {
    tolerance,
    bodySize,
    isBodyBold: bold > all / 2,
    headingSizes: [...sizes].toSorted((one, other) => other - one),
  }
}

function* linesOf(pages: Piece[][]): Generator<Line> {
  for (const pieces of pages) for (const piece of pieces) if (piece.kind === 'line') yield piece
}

/** The level of a heading that a block of lines is, or undefined when it is none. */
export function headingLevel(lines: Line[], face: Typeface): number | undefined {
  const [first] = lines
  if (!first) return undefined
  const tagged = first.runs[0]?.tagged
  if (tagged !== undefined) return tagged.level
  const text = lines.map((line) => line.text).join(' ')
  if (!couldBeHeading(text, lines)) return undefined
  if (first.size > face.bodySize * (1 + face.tolerance)) return levelOfSize(first.size, face)
  if (isItalicTitle(lines)) return Math.min(6, Math.min(3, face.headingSizes.length) + 2)
  const isBold = lines.every((line) => line.isBold) && !face.isBodyBold
  if (!isBold || first.size < face.bodySize * 0.92) return undefined
  return Math.min(6, Math.min(3, face.headingSizes.length) + 1 + depthOfNumber(text))
}

const sectionNumber = /^(?:\d{1,3}(?:\.\d{1,3})*|[A-Z]|[IVX]{1,5})[.)]?\s+\p{Lu}/u

/** Whether a line after those of a heading is a heading of its own, and not the rest of one that was too long. */
export function isNextHeading(lines: Line[], next: Line, face: Typeface, edge: number): boolean {
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last || lines.length > 3 || headingLevel(lines, face) === undefined) return false
  const [before, after] = [last.runs[0]?.tagged, next.runs[0]?.tagged]
  if (before || after) return before?.element !== after?.element
  if (headingLevel([next], face) === undefined) return false
  if (sectionNumber.test(next.text)) return sectionNumber.test(first.text)
  // It was not broken for want of room: its next word would have fitted.
  const word = next.text.split(' ', 1)[0] ?? ''
  const width = ((next.right - next.left) / Math.max(1, next.text.length)) * (word.length + 1)
  const isBesideEdge = last.right + width > edge - last.size
  return !isBesideEdge && Math.abs(next.left - first.left) < 2 && /^\p{Lu}/u.test(next.text)
}

function couldBeHeading(text: string, lines: Line[]): boolean {
  if (lines.length > 3 || text.length > 200 || text.length < 2) return false
  if (!/\p{L}{2}/u.test(text)) return false
  return !/[,;:]$/.test(text) && !(/[.]$/.test(text) && text.length > 60)
}

/** A short line of italics in which the words begin large, as subheadings of handbooks do. */
export function isItalicTitle(lines: Line[]): boolean {
  const [line] = lines
  if (!line?.isItalic || lines.length > 1) return false
  const words = line.text.split(' ').filter((word) => /^\p{L}{4,}/u.test(word))
  if (words.length < 1 || line.text.split(' ').length > 8 || line.text.length < 6) return false
  return words.every((word) => /^\p{Lu}/u.test(word)) && !/[.,;:!?)\d]$/.test(line.text)
}

function levelOfSize(size: number, face: Typeface): number {
  const at = face.headingSizes.findIndex((one) => one <= size + 0.6)
  return Math.min(6, (at < 0 ? face.headingSizes.length : at) + 1)
}

/** "2.1.3 Method" is two levels deeper than "2 Methods". */
function depthOfNumber(text: string): number {
  const number = /^(\d+(?:\.\d+)*)\.?\s/.exec(text)?.[1]
  return number === undefined ? 0 : Math.min(2, number.split('.').length - 1)
}
