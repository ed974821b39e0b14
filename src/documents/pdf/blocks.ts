import type { BlockType } from '../document.ts'
import { type Box, boundingBox, type Line, median, type Piece } from './shapes.ts'

export interface Block extends Box {
  type: BlockType
  level?: number
  lines: Line[]
  rows?: string[][]
  marker?: string
}

export function toBlocks(pieces: Piece[], fonts: FontStatistics): Block[] {
  const pitch = getTypicalPitch(pieces)
  const getRightEdge = findRightEdges(pieces)
  const blocks: Block[] = []
  let lines: Line[] = []
  const close = () => {
    if (lines.length > 0) blocks.push(toBlock(lines, fonts))
    lines = []
  }
  for (const piece of pieces) {
    if (piece.kind === 'table') {
      close()
      blocks.push({ type: 'table', lines: [], ...boundingBox([piece]), rows: piece.rows })
      continue
    }
    const last = lines.at(-1)
    const isNext = last && startsBlock(lines, last, piece, { pitch, tolerance: fonts.tolerance })
    if (isNext || (last && isNextHeading(lines, piece, fonts, getRightEdge(last)))) close()
    lines.push(piece)
  }
  close()
  return blocks
}

/** Right edge of lines with about the same left edge: the edge at which a line would wrap. */
function findRightEdges(pieces: Piece[]): (line: Line) => number {
  const stripeWidth = 20
  const edges = new Map<number, number>()
  for (const piece of pieces) {
    const at = Math.round(piece.left / stripeWidth)
    for (const neighbour of [at - 1, at, at + 1])
      edges.set(neighbour, Math.max(edges.get(neighbour) ?? 0, piece.right))
  }
  return (line) => edges.get(Math.round(line.left / stripeWidth)) ?? line.right
}

function getTypicalPitch(pieces: Piece[]): number {
  const steps: number[] = []
  for (const [at, after] of pieces.entries()) {
    const before = pieces[at - 1]
    if (before?.kind !== 'line' || after.kind !== 'line' || Math.abs(before.left - after.left) > 20) continue
    const step = (after.top - before.top) / Math.max(before.size, 1)
    if (step > 0.8 && step < 2.2) steps.push(step)
  }
  return steps.length > 0 ? median(steps) : 1.2
}

const bullet = /^([•‣◦▪■●○–—*·-]|[-])\s+/
const numbered = /^(\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])\s+/i

function startsBlock(
  lines: Line[],
  last: Line,
  next: Line,
  { pitch, tolerance }: { pitch: number; tolerance: number },
): boolean {
  if (Math.abs(next.size - last.size) > Math.max(0.8, last.size * tolerance)) return true
  if (next.isBold && !last.isBold) return true
  // The library reports the font of the first letters only: a line with a bold sentence start appears bold to its end.
  if (last.isBold && !next.isBold && lines.every((line) => line.isBold) && !/^\p{Ll}/u.test(next.text))
    return true
  if (isItalicTitle([next]) && !last.isItalic && endsSentence(last.text)) return true
  if (isItalicTitle(lines) && !next.isItalic && /^\p{Lu}/u.test(next.text)) return true
  if (bullet.test(next.text)) return true
  if (numbered.test(next.text) && (numbered.test(lines[0]?.text ?? '') || endsSentence(last.text)))
    return true
  const step = next.top - last.top
  if (step < -last.size) return endsSentence(last.text) || !/^[\p{Ll}(]/u.test(next.text)
  const isSameRow = Math.abs(step) < last.size * 0.4
  if (isSameRow) return false
  if (step > last.size * pitch * 1.35 + 0.5) return true
  const box = boundingBox(lines)
  const isIndented = next.left > box.left + next.size * 0.8 && next.left < box.left + next.size * 6
  const isShort = last.right < box.right - last.size * 2
  return isIndented && (endsSentence(last.text) || isShort) && lines.length > 1 && next.left > last.left + 4
}

const endsSentence = (text: string) => /[.!?:"”’)]\s*$/.test(text)

function toBlock(lines: Line[], fonts: FontStatistics): Block {
  const box = boundingBox(lines)
  const text = lines[0]?.text ?? ''
  if (bullet.test(text)) return { type: 'list', lines, ...box, marker: '-' }
  const level = headingLevel(lines, fonts)
  if (level !== undefined) return { type: 'heading', level, lines, ...box }
  if (lines.length > 1 && lines.every((line) => line.isMono)) return { type: 'code', lines, ...box }
  const number = numbered.exec(text)
  if (number && /^\d/.test(text)) return { type: 'list', lines, ...box, marker: number[1] ?? '1.' }
  return { type: 'paragraph', lines, ...box }
}

type FontStatistics = ReturnType<typeof getFontStatistics>

export function getFontStatistics(pages: Piece[][], isRecognised: boolean) {
  /** Relative difference of equal sizes. OCR measures letters, so its sizes are less exact. */
  const tolerance = isRecognised ? 0.35 : 0.12
  const lines = pages.flat().filter((piece) => piece.kind === 'line')
  const letters = new Map<number, number>()
  let bold = 0
  let total = 0
  for (const line of lines) {
    const size = Math.round(line.size * 2) / 2
    letters.set(size, (letters.get(size) ?? 0) + line.text.length)
    total += line.text.length
    if (line.isBold) bold += line.text.length
  }
  const bodySize = [...letters].reduce((best, next) => (next[1] > best[1] ? next : best), [10, 0])[0]
  const largerLines = lines.filter((line) => line.size > bodySize * (1 + tolerance))
  const sizes = new Set(largerLines.map((line) => Math.round(line.size * 2) / 2))
  const headingSizes = [...sizes].toSorted((a, b) => b - a)
  return { tolerance, bodySize, isBodyBold: bold > total / 2, headingSizes }
}

function headingLevel(lines: Line[], fonts: FontStatistics): number | undefined {
  const [first] = lines
  if (!first) return undefined
  const tagged = first.runs[0]?.tagged
  if (tagged !== undefined) return tagged.level
  const text = lines.map((line) => line.text).join(' ')
  if (!couldBeHeading(text, lines)) return undefined
  if (first.size > fonts.bodySize * (1 + fonts.tolerance)) return levelOfSize(first.size, fonts)
  if (isItalicTitle(lines)) return Math.min(6, Math.min(3, fonts.headingSizes.length) + 2)
  const isBold = lines.every((line) => line.isBold) && !fonts.isBodyBold
  if (!isBold || first.size < fonts.bodySize * 0.92) return undefined
  return Math.min(6, Math.min(3, fonts.headingSizes.length) + 1 + depthOfNumber(text))
}

const sectionNumber = /^(?:\d{1,3}(?:\.\d{1,3})*|[A-Z]|[IVX]{1,5})[.)]?\s+\p{Lu}/u

/** False for the rest of a heading that was too long for one line. */
function isNextHeading(lines: Line[], next: Line, fonts: FontStatistics, edge: number): boolean {
  const [first, last] = [lines[0], lines.at(-1)]
  if (!first || !last || lines.length > 3 || headingLevel(lines, fonts) === undefined) return false
  const [before, after] = [last.runs[0]?.tagged, next.runs[0]?.tagged]
  if (before || after) return before?.element !== after?.element
  if (headingLevel([next], fonts) === undefined) return false
  if (sectionNumber.test(next.text)) return sectionNumber.test(first.text)
  // The line was not wrapped for lack of space: its next word would have fitted.
  const word = next.text.split(' ', 1)[0] ?? ''
  const width = ((next.right - next.left) / Math.max(1, next.text.length)) * (word.length + 1)
  const isNearEdge = last.right + width > edge - last.size
  return !isNearEdge && Math.abs(next.left - first.left) < 2 && /^\p{Lu}/u.test(next.text)
}

function couldBeHeading(text: string, lines: Line[]): boolean {
  if (lines.length > 3 || text.length > 200 || text.length < 2) return false
  if (!/\p{L}{2}/u.test(text)) return false
  return !/[,;:]$/.test(text) && !(/[.]$/.test(text) && text.length > 60)
}

function isItalicTitle(lines: Line[]): boolean {
  const [line] = lines
  if (!line?.isItalic || lines.length > 1) return false
  const words = line.text.split(' ').filter((word) => /^\p{L}{4,}/u.test(word))
  if (words.length < 1 || line.text.split(' ').length > 8 || line.text.length < 6) return false
  return words.every((word) => /^\p{Lu}/u.test(word)) && !/[.,;:!?)\d]$/.test(line.text)
}

function levelOfSize(size: number, fonts: FontStatistics): number {
  const at = fonts.headingSizes.findIndex((headingSize) => headingSize <= size + 0.6)
  return Math.min(6, (at < 0 ? fonts.headingSizes.length : at) + 1)
}

/** "2.1.3 Method" is two levels below "2 Methods". */
function depthOfNumber(text: string): number {
  const number = /^(\d+(?:\.\d+)*)\.?\s/.exec(text)?.[1]
  return number === undefined ? 0 : Math.min(2, number.split('.').length - 1)
}
