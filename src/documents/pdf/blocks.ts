import type { BlockType } from '../document.ts'
import { around, type Box, type Line, median, type Piece } from './shapes.ts'

/** What a reader sees as one thing. */
export interface Block extends Box {
  type: BlockType
  level?: number
  lines: Line[]
  rows?: string[][]
  /** The mark that a list entry begins with, taken off its text. */
  marker?: string
}

/** Pieces in reading order → blocks. */
export function toBlocks(pieces: Piece[], face: Typeface): Block[] {
  const pitch = typicalPitch(pieces)
  const edgeOf = rightEdges(pieces)
  const blocks: Block[] = []
  let lines: Line[] = []
  const close = () => {
    if (lines.length > 0) blocks.push(blockOf(lines, face))
    lines = []
  }
  for (const piece of pieces) {
    if (piece.kind === 'table') {
      close()
      blocks.push({ type: 'table', lines: [], ...around([piece]), rows: piece.rows })
      continue
    }
    const last = lines.at(-1)
    const isNext = last && startsBlock(lines, last, piece, { pitch, tolerance: face.tolerance })
    if (isNext || (last && isNextHeading(lines, piece, face, edgeOf(last)))) close()
    lines.push(piece)
  }
  close()
  return blocks
}

/** How far lines reach that begin about where a line begins: the edge at which it would have been broken. */
function rightEdges(pieces: Piece[]): (line: Line) => number {
  const stripe = 20
  const edges = new Map<number, number>()
  for (const piece of pieces) {
    const at = Math.round(piece.left / stripe)
    for (const near of [at - 1, at, at + 1]) edges.set(near, Math.max(edges.get(near) ?? 0, piece.right))
  }
  return (line) => edges.get(Math.round(line.left / stripe)) ?? line.right
}

/** The usual distance from one line to the next, by what is written most. */
function typicalPitch(pieces: Piece[]): number {
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

interface Usual {
  pitch: number
  tolerance: number
}

function startsBlock(lines: Line[], last: Line, next: Line, usual: Usual): boolean {
  const { pitch, tolerance } = usual
  if (Math.abs(next.size - last.size) > Math.max(0.8, last.size * tolerance)) return true
  if (next.isBold && !last.isBold) return true
  // The library knows the font of the first letters only: a sentence that begins in bold is bold to its line's end.
  if (last.isBold && !next.isBold && lines.every((line) => line.isBold) && !/^\p{Ll}/u.test(next.text))
    return true
  if (isItalicTitle([next]) && !last.isItalic && endsSentence(last.text)) return true
  if (isItalicTitle(lines) && !next.isItalic && /^\p{Lu}/u.test(next.text)) return true
  if (bullet.test(next.text)) return true
  if (numbered.test(next.text) && (numbered.test(lines[0]?.text ?? '') || endsSentence(last.text)))
    return true
  const step = next.top - last.top
  if (step < -last.size) return !isContinued(last, next)
  const isSameRow = Math.abs(next.top - last.top) < last.size * 0.4
  if (isSameRow) return false
  if (step > last.size * pitch * 1.35 + 0.5) return true
  const box = around(lines)
  const isIndented = next.left > box.left + next.size * 0.8 && next.left < box.left + next.size * 6
  const isShort = last.right < box.right - last.size * 2 || lines.length === 1
  return (
    isIndented &&
    (endsSentence(last.text) || isShort) &&
    lines.length > 1 &&
    next.left > (lines.at(-1)?.left ?? 0) + 4
  )
}

const endsSentence = (text: string) => /[.!?:"”’)]\s*$/.test(text)

/** A paragraph that goes on at the top of the next column. */
function isContinued(last: Line, next: Line): boolean {
  return !endsSentence(last.text) && /^[\p{Ll}(]/u.test(next.text)
}

function blockOf(lines: Line[], face: Typeface): Block {
  const box = around(lines)
  const text = lines[0]?.text ?? ''
  const mark = bullet.exec(text)
  if (mark) return { type: 'list', lines, ...box, marker: '-' }
  const level = headingLevel(lines, face)
  if (level !== undefined) return { type: 'heading', level, lines, ...box }
  if (lines.length > 1 && lines.every((line) => line.isMono)) return { type: 'code', lines, ...box }
  const number = numbered.exec(text)
  if (number && /^\d/.test(text)) return { type: 'list', lines, ...box, marker: number[1] ?? '1.' }
  return { type: 'paragraph', lines, ...box }
}

/** What the letters of a whole document look like. */
interface Typeface {
  bodySize: number
  isBodyBold: boolean
  /** Sizes above the body's that headings have, largest first. */
  headingSizes: number[]
  /** How far a size may be from another and still be the same: recognition measures letters, it does not know them. */
  tolerance: number
}

export function fontFamilyOf(pages: Piece[][], isRecognised: boolean): Typeface {
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
function headingLevel(lines: Line[], face: Typeface): number | undefined {
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
function isNextHeading(lines: Line[], next: Line, face: Typeface, edge: number): boolean {
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
function isItalicTitle(lines: Line[]): boolean {
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
