import { type Node, none } from '../tree/tree.ts'
import { type BlockWriter, writeBlock } from './block-writer.ts'
import { codeSpan, toCellCode } from './code.ts'

/** Output of a line break: lines and paragraphs, a space, or a tag if a line break would end the block. */
export type BreakStyle = 'lines' | 'spaces' | 'tags'

export interface SurroundingText {
  marks: number
  link: Node
  target: string
  escapesBrackets: boolean
}

export type InlineWriter = ReturnType<typeof createInlineWriter>

/** Spaces, breaks and formatting are deferred, because only the following text shows whether delimiters are valid. */
export function createInlineWriter(output: BlockWriter, style: BreakStyle = 'lines') {
  return {
    output,
    style,
    line: '',
    last: 0,
    marks: 0,
    link: none,
    target: '',
    textBefore: ['', '', '', ''],
    lastBefore: [0, 0, 0, 0],
    hasSpace: false,
    breaks: 0,
    code: '',
    /** True if an exclamation mark is deferred: before a bracket it would turn a link into an image. */
    hasExclamationMark: false,
    /** True if the paragraph has a tilde that a second tilde would complete to a delimiter. */
    hasTilde: false,
    /** True if the paragraph has an opening bracket that a target would complete to a link. */
    hasBracket: false,
    /** True if the last output is the bullet of an item in a cell: its text follows on the same line. */
    isAfterBullet: false,
    writeCount: 0,
  }
}

const exclamationMark = 33
const star = 42
const bracket = 91
const parenthesis = 41
const lineBreak = 10
const space = 32

export function put(inline: InlineWriter, text: string): void {
  inline.writeCount += 1
  inline.isAfterBullet = false
  const last = text.charCodeAt(text.length - 1)
  if (last === exclamationMark) {
    inline.line += text.slice(0, -1)
    inline.hasExclamationMark = true
  } else inline.line += text
  inline.last = last
}

export function putRaw(inline: InlineWriter, text: string, context: SurroundingText): void {
  moveTo(inline, context, text.charCodeAt(0))
  put(inline, text)
}

/** Writes code. Adjacent code with the same formatting becomes one span, however many elements it comes from. */
export function putCode(inline: InlineWriter, text: string, context: SurroundingText): void {
  const isSame = inline.marks === context.marks && inline.link === context.link
  const isJoined = inline.code !== '' && !inline.hasSpace && inline.breaks === 0 && isSame
  if (!isJoined) moveTo(inline, context, 96)
  inline.code += text
  inline.writeCount += 1
  inline.isAfterBullet = false
}

/** Adds a line break. In a link it becomes a space, because some parsers do not support line breaks in links. */
export function addBreak(inline: InlineWriter, isInLink: boolean): void {
  if (inline.style === 'spaces' || isInLink || inline.isAfterBullet) inline.hasSpace = true
  else inline.breaks += 1
}

export function moveTo(inline: InlineWriter, context: SurroundingText, next: number): void {
  const { marks, link: linkNode } = context
  const isSame = inline.marks === marks && inline.link === linkNode
  if (isSame && inline.breaks === 0 && inline.code === '' && !inline.hasExclamationMark) {
    if (inline.hasSpace) putSpace(inline)
    return
  }
  const isSeparated = inline.hasSpace || inline.breaks > 0
  const closesNothing = (inline.marks & ~marks) === 0 && (inline.link === linkNode || inline.link === none)
  const opensLink = inline.link !== linkNode && (marks & link) !== 0
  flush(inline, !isSeparated && closesNothing && (next === bracket || opensLink))
  if (inline.breaks > 1 && inline.style === 'lines') {
    const text = finish(inline)
    if (text !== '') writeBlock(inline.output, text)
  }
  const changed = (inline.marks ^ marks) | (inline.link === linkNode ? 0 : link)
  const level = changed === 0 ? levels : 31 - Math.clz32(changed & -changed)
  const opensMark = level < levels && marks >> level !== 0
  closeMarks(inline, level, isSeparated ? space : opensMark ? star : next)
  if (inline.breaks > 0) putBreak(inline)
  else if (inline.hasSpace) putSpace(inline)
  openMarks(inline, level, context)
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

function flush(inline: InlineWriter, isBeforeBracket: boolean): void {
  if (inline.code !== '') {
    inline.line += inline.style === 'tags' ? toCellCode(inline.code) : codeSpan(inline.code)
    inline.last = 96
    inline.code = ''
  }
  if (!inline.hasExclamationMark) return
  inline.line += isBeforeBracket ? '\\!' : '!'
  inline.hasExclamationMark = false
}

function openMarks(inline: InlineWriter, level: number, context: SurroundingText): void {
  for (let at = level; at < levels; at += 1) {
    if ((context.marks & (1 << at)) === 0) continue
    inline.textBefore[at] = inline.line
    inline.lastBefore[at] = inline.last
    inline.line = ''
    if (at === 0) inline.last = bracket
  }
  inline.marks = context.marks
  inline.link = context.link
  inline.target = context.target
}
function closeMarks(inline: InlineWriter, level: number, next: number): void {
  for (let at = levels - 1; at >= level; at -= 1) {
    if ((inline.marks & (1 << at)) === 0) continue
    const text = inline.line
    if (at === 0) {
      inline.line = `${inline.textBefore[0]}[${text}](${inline.target})`
      inline.last = parenthesis
      continue
    }
    const formatted = marked(text, 1 << at, inline.lastBefore[at] ?? 0, next)
    inline.line = (inline.textBefore[at] ?? '') + formatted
    inline.last = formatted.charCodeAt(formatted.length - 1)
  }
}

export function isAtLineStart(inline: InlineWriter): boolean {
  if (inline.style !== 'lines') return false
  return inline.line === '' ? inline.marks === 0 : inline.last === lineBreak
}

export function getPreviousCharacter(inline: InlineWriter): string {
  if (inline.line === '' && inline.marks > link) return '*'
  return inline.last === 0 || inline.last === lineBreak ? '' : String.fromCharCode(inline.last)
}

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

export const link = 1
export const strong = 2
export const emphasis = 4
export const strikethrough = 8
export const levels = 4
const underscore = 95
const tilde = 126

/** Returns the text if delimiters would not be parsed. Zero means the edge of the paragraph. */
export function marked(text: string, mark: number, before: number, next: number): string {
  const isAfterDelimiter = before === star || before === underscore || before === tilde
  const isSameDelimiter = mark === strikethrough && before === tilde
  const formatted = isSameDelimiter ? undefined : wrap(text, getDelimiter(mark, before), before, next)
  if (formatted !== undefined) return formatted
  // A preceding delimiter closes only if another delimiter follows, so a tag is needed instead.
  return isAfterDelimiter ? `<${tagNames[mark]}>${text}</${tagNames[mark]}>` : text
}

const tagNames: Record<number, string> = { [strong]: 'strong', [emphasis]: 'em', [strikethrough]: 'del' }

function getDelimiter(mark: number, before: number): string {
  if (mark === strikethrough) return '~~'
  // Directly after a star, another star would be parsed as part of the same delimiter.
  const character = before === star ? '_' : '*'
  return mark === strong ? character + character : character
}

/** Punctuation at the edge of a word prevents parsing, as in `a**(b)**c`, so it is moved outside the delimiters. */
function wrap(text: string, delimiter: string, before: number, next: number): string | undefined {
  const from = isWordLike(before) ? findHeadEnd(text) : 0
  // The end of a URL is not punctuation of the text.
  const to = isWordLike(next) && !text.includes('](') ? findTailStart(text, from) : text.length
  const core = text.slice(from, to)
  // Characters that were harmless before a space or a comma would become part of the delimiter.
  if (core === '' || (to < text.length && /[\\*_~]$/.test(core)) || (from > 0 && /^[*_~]/.test(core))) {
    return undefined
  }
  const opens = from > 0 || !isWordLike(before) || !isPunctuation(getEdge(core, delimiter, 1))
  const closes = to < text.length || !isWordLike(next) || !isPunctuation(getEdge(core, delimiter, -1))
  const isInWord = delimiter.charCodeAt(0) === underscore && to === text.length && isWordLike(next)
  if (!opens || !closes || isInWord) return undefined
  return text.slice(0, from) + delimiter + core + delimiter + text.slice(to)
}

function findHeadEnd(text: string): number {
  let at = 0
  while (/[\p{Ps}\p{Pi}"'¿¡]/u.test(text.charAt(at)) && text.charAt(at) !== '[') at += 1
  while (at > 0 && /\s/.test(text.charAt(at))) at += 1
  return at
}

function findTailStart(text: string, from: number): number {
  let at = text.length
  while (at > from && /[\p{Pe}\p{Pf}.,:;!?"'…，。：；！？、]/u.test(text.charAt(at - 1))) {
    if (text.charAt(at - 1) === ']' || text.charAt(at - 2) === '\\') break
    at -= 1
  }
  while (at < text.length && /\s/.test(text.charAt(at - 1))) at -= 1
  return at
}

function getEdge(text: string, delimiter: string, direction: 1 | -1): string {
  let at = direction === 1 ? 0 : text.length - 1
  while (text.charAt(at) === delimiter.charAt(0)) at += direction
  return text.charAt(at)
}

/** Surrogate halves count as punctuation, which is the stricter case for delimiters. */
function isPunctuation(character: string): boolean {
  return /[\p{P}\p{S}]/u.test(character) || /[\ud800-\udfff]/.test(character)
}

function isWordLike(code: number): boolean {
  if (code < 128) return (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122)
  return !/[\p{P}\p{S}\s]/u.test(String.fromCharCode(code))
}
