import { type Node, none } from '../tree/tree.ts'
import { cellCode, codeSpan } from './code.ts'
import { levels, link, marked } from './marks.ts'
import { type Sheet, writeBlock } from './sheet.ts'

/**
 * How a line break is written: as lines and paragraphs, as a space, or as a tag where a line ends the block.
 */
export type BreakStyle = 'lines' | 'spaces' | 'tags'

/**
 * Writes inline Markdown. Spaces and breaks wait until text follows, so they never stand inside a mark's
 * edge. Marks wait too: what they lie around is gathered, and at its end it is known whether they can be
 * read there.
 */
export interface Pen {
  sheet: Sheet
  style: BreakStyle
  /** The text inside the innermost open mark. */
  line: string
  /** The character before the next one; zero at the start of a paragraph. */
  last: number
  /** The marks that are open. */
  marks: number
  /** The open link, and where it leads. */
  link: Node
  target: string
  /** By level, what was written before the mark there was opened, and its last character. */
  held: string[]
  before: number[]
  hasSpace: boolean
  breaks: number
  /** Code whose end is not known yet. */
  code: string
  /** An exclamation mark waits: before a bracket it would make an image of a link. */
  hasBang: boolean
  /** The paragraph has a tilde that a second one would make a mark of. */
  hasTilde: boolean
  /** The paragraph has an opening bracket that a target would make a link of. */
  hasBracket: boolean
  /** The last that was put is the bullet of an item in a cell: its text follows on the same line. */
  isAfterBullet: boolean
  /** What was put so far, to tell whether something was. */
  puts: number
}

export function newPen(sheet: Sheet): Pen {
  return {
    sheet,
    style: 'lines',
    line: '',
    last: 0,
    marks: 0,
    link: none,
    target: '',
    held: ['', '', '', ''],
    before: [0, 0, 0, 0],
    hasSpace: false,
    breaks: 0,
    code: '',
    hasBang: false,
    hasTilde: false,
    hasBracket: false,
    isAfterBullet: false,
    puts: 0,
  }
}

export interface Place {
  marks: number
  link: Node
  target: string
}

const bang = 33
const star = 42
const bracket = 91
const parenthesis = 41
const lineBreak = 10
const space = 32

/** Text as it is to stand there. The pen has been moved to its place before. */
export function put(pen: Pen, text: string): void {
  pen.puts += 1
  pen.isAfterBullet = false
  const last = text.charCodeAt(text.length - 1)
  if (last === bang) {
    pen.line += text.slice(0, -1)
    pen.hasBang = true
  } else pen.line += text
  pen.last = last
}

/** Markdown that is finished, such as an image. */
export function putRaw(pen: Pen, text: string, marks: number, place: Node, target: string): void {
  moveTo(pen, marks, place, target, text.charCodeAt(0))
  put(pen, text)
}

/** Code of one place is one span, however many elements it is made of. */
export function putCode(pen: Pen, text: string, marks: number, place: Node, target: string): void {
  const isJoined =
    pen.code !== '' && !pen.hasSpace && pen.breaks === 0 && pen.marks === marks && pen.link === place
  if (!isJoined) moveTo(pen, marks, place, target, 96)
  pen.code += text
  pen.puts += 1
  pen.isAfterBullet = false
}

/** A line break, or a space in a link, which does not survive a line break in every reader. */
export function addBreak(pen: Pen, isInLink: boolean): void {
  if (pen.style === 'spaces' || isInLink || pen.isAfterBullet) pen.hasSpace = true
  else pen.breaks += 1
}

/** Ends marks, writes the space or the break that waits, begins marks. */
export function moveTo(pen: Pen, marks: number, place: Node, target: string, next: number): void {
  const isSame = pen.marks === marks && pen.link === place
  if (isSame && pen.breaks === 0 && pen.code === '' && !pen.hasBang) {
    if (pen.hasSpace) putSpace(pen)
    return
  }
  const isApart = pen.hasSpace || pen.breaks > 0
  const closesNone = (pen.marks & ~marks) === 0 && (pen.link === place || pen.link === none)
  const opensLink = pen.link !== place && (marks & link) !== 0
  flush(pen, !isApart && closesNone && (next === bracket || opensLink))
  if (pen.breaks > 1 && pen.style === 'lines') endParagraph(pen)
  const changed = (pen.marks ^ marks) | (pen.link === place ? 0 : link)
  const level = changed === 0 ? levels : 31 - Math.clz32(changed & -changed)
  const opensMark = level < levels && marks >> level !== 0
  closeMarks(pen, level, isApart ? space : opensMark ? star : next)
  if (pen.breaks > 0) putBreak(pen)
  else if (pen.hasSpace) putSpace(pen)
  openMarks(pen, level, marks, place, target)
}

function putSpace(pen: Pen): void {
  pen.hasSpace = false
  if (pen.last === 0 || pen.last === lineBreak) return
  pen.line += ' '
  pen.last = space
}

function putBreak(pen: Pen): void {
  pen.breaks = 0
  pen.hasSpace = false
  if (pen.last === 0) return
  pen.line += pen.style === 'lines' ? `  \n${pen.sheet.prefix}` : '<br>'
  pen.last = lineBreak
}

/** Writes what waited for what follows it. */
function flush(pen: Pen, isBeforeBracket: boolean): void {
  if (pen.code !== '') {
    pen.line += pen.style === 'tags' ? cellCode(pen.code) : codeSpan(pen.code)
    pen.last = 96
    pen.code = ''
  }
  if (!pen.hasBang) return
  pen.line += isBeforeBracket ? '\\!' : '!'
  pen.hasBang = false
}

function openMarks(pen: Pen, level: number, marks: number, place: Node, target: string): void {
  for (let at = level; at < levels; at += 1) {
    if ((marks & (1 << at)) === 0) continue
    pen.held[at] = pen.line
    pen.before[at] = pen.last
    pen.line = ''
    if (at === 0) pen.last = bracket
  }
  pen.marks = marks
  pen.link = place
  pen.target = target
}

function closeMarks(pen: Pen, level: number, next: number): void {
  for (let at = levels - 1; at >= level; at -= 1) {
    if ((pen.marks & (1 << at)) === 0) continue
    const text = pen.line
    if (at === 0) {
      pen.line = `${pen.held[0]}[${text}](${pen.target})`
      pen.last = parenthesis
      continue
    }
    const whole = marked(text, 1 << at, pen.before[at] ?? 0, next)
    pen.line = (pen.held[at] ?? '') + whole
    pen.last = whole.charCodeAt(whole.length - 1)
  }
}

/** Whether what is put next begins a line, where some characters mean more than elsewhere. */
export function isAtLineStart(pen: Pen): boolean {
  if (pen.style !== 'lines') return false
  return pen.line === '' ? pen.marks === 0 : pen.last === lineBreak
}

/** The character before what is put next, as a reader of Markdown sees it. */
export function previousCharacter(pen: Pen): string {
  if (pen.line === '' && pen.marks > link) return '*'
  return pen.last === 0 || pen.last === lineBreak ? '' : String.fromCharCode(pen.last)
}

function endParagraph(pen: Pen): void {
  const text = finish(pen)
  if (text !== '') writeBlock(pen.sheet, text)
}

/** Ends the line and gives it, and makes the pen ready for another. */
export function finish(pen: Pen): string {
  flush(pen, false)
  closeMarks(pen, 0, 0)
  const text = pen.line
  pen.line = ''
  pen.last = 0
  pen.marks = 0
  pen.link = none
  pen.hasSpace = false
  pen.hasTilde = false
  pen.hasBracket = false
  pen.isAfterBullet = false
  pen.breaks = 0
  return text
}
