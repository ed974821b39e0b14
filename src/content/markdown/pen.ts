import { destination } from './escape.ts'
import { type Marks, noMarks } from './pieces.ts'

/**
 * How a line break is written: as lines and paragraphs, as a space, or as a tag where a line ends the block.
 */
export type BreakStyle = 'lines' | 'spaces' | 'tags'

/**
 * Writes inline Markdown. Spaces and breaks wait until text follows, so they never stand inside a mark's
 * edge.
 */
export interface Pen {
  style: BreakStyle
  paragraphs: string[]
  /** The paragraph being written. */
  parts: string[]
  last: string
  open: Marks
  /** What will close each level of marks; nothing for a level that is not open. */
  closers: string[]
  hasSpace: boolean
  breaks: number
}

export function createPen(style: BreakStyle): Pen {
  const closers = ['', '', '', '']
  return { style, paragraphs: [], parts: [], last: '', open: noMarks, closers, hasSpace: false, breaks: 0 }
}

export function put(pen: Pen, text: string): void {
  if (text === '') return
  pen.parts.push(text)
  pen.last = text.charAt(text.length - 1)
}

export function addBreak(pen: Pen): void {
  if (pen.style === 'spaces') pen.hasSpace = true
  else pen.breaks += 1
}

/** Ends marks, writes the space or the break that waits, begins marks. */
export function moveTo(pen: Pen, marks: Marks): void {
  if (pen.breaks > 1 && pen.style === 'lines') endParagraph(pen)
  const level = pen.open === marks ? pen.closers.length : sharedLevels(pen.open, marks)
  closeMarks(pen, level)
  if (pen.parts.length > 0 && pen.breaks > 0) put(pen, pen.style === 'lines' ? '  \n' : '<br>')
  else if (pen.parts.length > 0 && pen.hasSpace) put(pen, ' ')
  openMarks(pen, level, marks)
  pen.open = marks
  pen.breaks = 0
  pen.hasSpace = false
}

export function isAtLineStart(pen: Pen): boolean {
  return pen.style === 'lines' && (pen.parts.length === 0 || pen.last === '\n')
}

/** All that was written, one text per paragraph. */
export function finish(pen: Pen): string[] {
  endParagraph(pen)
  return pen.paragraphs
}

function endParagraph(pen: Pen): void {
  closeMarks(pen, 0)
  if (pen.parts.length > 0) pen.paragraphs.push(pen.parts.join(''))
  pen.parts = []
  pen.last = ''
  pen.open = noMarks
}

function closeMarks(pen: Pen, level: number): void {
  for (let index = pen.closers.length - 1; index >= level; index -= 1) {
    put(pen, pen.closers[index] ?? '')
    pen.closers[index] = ''
  }
}

function openMarks(pen: Pen, level: number, marks: Marks): void {
  for (const [index, mark] of levels(marks).entries()) {
    if (index < level || !mark) continue
    const sign = typeof mark === 'object' ? '[' : signFor(index, pen.last)
    pen.closers[index] = typeof mark === 'object' ? `](${destination(mark.href)})` : sign
    put(pen, sign)
  }
}

/** Marks from the outermost to the innermost. */
const levels = (marks: Marks) => [marks.link, marks.isStrong, marks.isEmphasis, marks.isStruck]

function sharedLevels(from: Marks, to: Marks): number {
  const target = levels(to)
  const index = levels(from).findIndex((level, place) => level !== target[place])
  return index === -1 ? target.length : index
}

/** Right after a star another would be read as part of the same mark. */
function signFor(level: number, last: string): string {
  const star = last === '*' ? '_' : '*'
  return ['', star + star, star, '~~'][level] ?? ''
}
