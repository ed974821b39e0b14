import { type Node, none } from '../tree/tree.ts'
import { type BlockWriter, writeBlock } from './block-writer.ts'
import { cellCode, codeSpan } from './code.ts'

/**
 * How a line break is written: as lines and paragraphs, as a space, or as a tag where a line ends the block.
 */
export type BreakStyle = 'lines' | 'spaces' | 'tags'

/**
 * Writes inline Markdown. Spaces and breaks wait until text follows, so they never stand inside a mark's
 * edge. Marks wait too: what they lie around is gathered, and at its end it is known whether they can be
 * read there.
 */
export interface InlineWriter {
  output: BlockWriter
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

export function newInlineWriter(output: BlockWriter): InlineWriter {
  return {
    output,
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

const bang = 33
const star = 42
const bracket = 91
const parenthesis = 41
const lineBreak = 10
const space = 32

/** Text as it is to stand there. The writer has been moved to its place before. */
export function put(inline: InlineWriter, text: string): void {
  inline.puts += 1
  inline.isAfterBullet = false
  const last = text.charCodeAt(text.length - 1)
  if (last === bang) {
    inline.line += text.slice(0, -1)
    inline.hasBang = true
  } else inline.line += text
  inline.last = last
}

/** Markdown that is finished, such as an image. */
export function putRaw(inline: InlineWriter, text: string, marks: number, place: Node, target: string): void {
  moveTo(inline, marks, place, target, text.charCodeAt(0))
  put(inline, text)
}

/** Code of one place is one span, however many elements it is made of. */
export function putCode(
  inline: InlineWriter,
  text: string,
  marks: number,
  place: Node,
  target: string,
): void {
  const isJoined =
    inline.code !== '' &&
    !inline.hasSpace &&
    inline.breaks === 0 &&
    inline.marks === marks &&
    inline.link === place
  if (!isJoined) moveTo(inline, marks, place, target, 96)
  inline.code += text
  inline.puts += 1
  inline.isAfterBullet = false
}

/** A line break, or a space in a link, which does not survive a line break in every reader. */
export function addBreak(inline: InlineWriter, isInLink: boolean): void {
  if (inline.style === 'spaces' || isInLink || inline.isAfterBullet) inline.hasSpace = true
  else inline.breaks += 1
}

/** Ends marks, writes the space or the break that waits, begins marks. */
export function moveTo(inline: InlineWriter, marks: number, place: Node, target: string, next: number): void {
  const isSame = inline.marks === marks && inline.link === place
  if (isSame && inline.breaks === 0 && inline.code === '' && !inline.hasBang) {
    if (inline.hasSpace) putSpace(inline)
    return
  }
  const isApart = inline.hasSpace || inline.breaks > 0
  const closesNone = (inline.marks & ~marks) === 0 && (inline.link === place || inline.link === none)
  const opensLink = inline.link !== place && (marks & link) !== 0
  flush(inline, !isApart && closesNone && (next === bracket || opensLink))
  if (inline.breaks > 1 && inline.style === 'lines') endParagraph(inline)
  const changed = (inline.marks ^ marks) | (inline.link === place ? 0 : link)
  const level = changed === 0 ? levels : 31 - Math.clz32(changed & -changed)
  const opensMark = level < levels && marks >> level !== 0
  closeMarks(inline, level, isApart ? space : opensMark ? star : next)
  if (inline.breaks > 0) putBreak(inline)
  else if (inline.hasSpace) putSpace(inline)
  openMarks(inline, level, marks, place, target)
}

function putSpace(inline: InlineWriter): void {
  inline.hasSpace = false
  if (inline.last === 0 || inline.last === lineBreak) return
  inline.line += ' '
  inline.last = space
}

function putBreak(inline: InlineWriter): void {
  inline.breaks = 0
  inline.hasSpace = false
  if (inline.last === 0) return
  inline.line += inline.style === 'lines' ? `  \n${inline.output.prefix}` : '<br>'
  inline.last = lineBreak
}

/** Writes what waited for what follows it. */
function flush(inline: InlineWriter, isBeforeBracket: boolean): void {
  if (inline.code !== '') {
    inline.line += inline.style === 'tags' ? cellCode(inline.code) : codeSpan(inline.code)
    inline.last = 96
    inline.code = ''
  }
  if (!inline.hasBang) return
  inline.line += isBeforeBracket ? '\\!' : '!'
  inline.hasBang = false
}

function openMarks(inline: InlineWriter, level: number, marks: number, place: Node, target: string): void {
  for (let at = level; at < levels; at += 1) {
    if ((marks & (1 << at)) === 0) continue
    inline.held[at] = inline.line
    inline.before[at] = inline.last
    inline.line = ''
    if (at === 0) inline.last = bracket
  }
  inline.marks = marks
  inline.link = place
  inline.target = target
}

function closeMarks(inline: InlineWriter, level: number, next: number): void {
  for (let at = levels - 1; at >= level; at -= 1) {
    if ((inline.marks & (1 << at)) === 0) continue
    const text = inline.line
    if (at === 0) {
      inline.line = `${inline.held[0]}[${text}](${inline.target})`
      inline.last = parenthesis
      continue
    }
    const whole = marked(text, 1 << at, inline.before[at] ?? 0, next)
    inline.line = (inline.held[at] ?? '') + whole
    inline.last = whole.charCodeAt(whole.length - 1)
  }
}

/** Whether what is put next begins a line, where some characters mean more than elsewhere. */
export function isAtLineStart(inline: InlineWriter): boolean {
  if (inline.style !== 'lines') return false
  return inline.line === '' ? inline.marks === 0 : inline.last === lineBreak
}

/** The character before what is put next, as a reader of Markdown sees it. */
export function previousCharacter(inline: InlineWriter): string {
  if (inline.line === '' && inline.marks > link) return '*'
  return inline.last === 0 || inline.last === lineBreak ? '' : String.fromCharCode(inline.last)
}

function endParagraph(inline: InlineWriter): void {
  const text = finish(inline)
  if (text !== '') writeBlock(inline.output, text)
}

/** Ends the line and gives it, and makes the writer ready for another. */
export function finish(inline: InlineWriter): string {
  flush(inline, false)
  closeMarks(inline, 0, 0)
  const text = inline.line
  inline.line = ''
  inline.last = 0
  inline.marks = 0
  inline.link = none
  inline.hasSpace = false
  inline.hasTilde = false
  inline.hasBracket = false
  inline.isAfterBullet = false
  inline.breaks = 0
  return text
}

/** Marks of inline text as bits, from the outermost to the innermost. */
export const link = 1
export const strong = 2
export const emphasis = 4
export const strikethrough = 8

/** The level of each bit: the order in which marks lie around a text. */
export const levels = 4

const underscore = 95
const tilde = 126

/**
 * A text with a mark around it, if Markdown would read it so between these characters; else the text alone.
 * Punctuation at the edge of a marked word keeps its mark from being read, as in `a**(b)**c`, and is moved
 * out. Zero stands for the edge of the paragraph.
 */
export function marked(text: string, mark: number, before: number, next: number): string {
  const isAfterMark = before === star || before === underscore || before === tilde
  const marksAlike = mark === strikethrough && before === tilde
  const whole = marksAlike ? undefined : wrapped(text, signOf(mark, before), before, next)
  if (whole !== undefined) return whole
  // The mark before this one ends there only because another begins; so a tag stands for it.
  return isAfterMark ? `<${tagNames[mark]}>${text}</${tagNames[mark]}>` : text
}

const tagNames: Record<number, string> = { [strong]: 'strong', [emphasis]: 'em', [strikethrough]: 'del' }

function signOf(mark: number, before: number): string {
  if (mark === strikethrough) return '~~'
  // Right after a star another would be read as part of the same mark.
  const sign = before === star ? '_' : '*'
  return mark === strong ? sign + sign : sign
}

function wrapped(text: string, sign: string, before: number, next: number): string | undefined {
  const from = isWordLike(before) ? headEnd(text) : 0
  // The end of an address is no punctuation of the text.
  const to = isWordLike(next) && !text.includes('](') ? tailStart(text, from) : text.length
  const core = text.slice(from, to)
  // What was harmless before a space or a comma would take part in the mark.
  if (core === '' || (to < text.length && /[\\*_~]$/.test(core)) || (from > 0 && /^[*_~]/.test(core))) {
    return undefined
  }
  const opens = from > 0 || !isWordLike(before) || !isPunctuation(edge(core, sign, 1))
  const closes = to < text.length || !isWordLike(next) || !isPunctuation(edge(core, sign, -1))
  const isInWord = sign.charCodeAt(0) === underscore && to === text.length && isWordLike(next)
  if (!opens || !closes || isInWord) return undefined
  return text.slice(0, from) + sign + core + sign + text.slice(to)
}

function headEnd(text: string): number {
  let at = 0
  while (/[\p{Ps}\p{Pi}"'¿¡]/u.test(text.charAt(at)) && text.charAt(at) !== '[') at += 1
  while (at > 0 && /\s/.test(text.charAt(at))) at += 1
  return at
}

function tailStart(text: string, from: number): number {
  let at = text.length
  while (at > from && /[\p{Pe}\p{Pf}.,:;!?"'…，。：；！？、]/u.test(text.charAt(at - 1))) {
    if (text.charAt(at - 1) === ']' || text.charAt(at - 2) === '\\') break
    at -= 1
  }
  while (at < text.length && /\s/.test(text.charAt(at - 1))) at -= 1
  return at
}

/** The first or last character of a text beside its own marks of the same kind. */
function edge(text: string, sign: string, direction: 1 | -1): string {
  let at = direction === 1 ? 0 : text.length - 1
  while (text.charAt(at) === sign.charAt(0)) at += direction
  return text.charAt(at)
}

/** Halves of characters beyond the first plane count as what is worse for a mark. */
function isPunctuation(character: string): boolean {
  return /[\p{P}\p{S}]/u.test(character) || /[\ud800-\udfff]/.test(character)
}

function isWordLike(code: number): boolean {
  if (code < 128) return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122)
  return !/[\p{P}\p{S}\s]/u.test(String.fromCharCode(code))
}
