import type { BlockType } from '../document.ts'
import { headingLevel, isItalicTitle, isNextHeading, type Typeface } from './headings.ts'
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
