import { codesOf } from '../tree/codes.ts'
import { tag } from '../tree/names.ts'
import { type Node, none, textAt } from '../tree/tree.ts'
import { escapeLineStart, escapeText, mayStartBlock } from './escape.ts'
import { isBlock } from './facts.ts'
import { type InlineWriter, isAtLineStart, moveTo, previousCharacter, put } from './inline-writer.ts'
import { link as linkMark, struck } from './marks.ts'
import { collapsed, scanText } from './scan.ts'
import type { Around, Writer } from './writer.ts'

export function putText(writer: Writer, node: Node, around: Around): void {
  const { tree, notes } = writer
  const start = tree.starts[node] ?? 0
  if (notes.dotted.has(node)) putDecoded(writer, textAt(tree, node).replace(/^\s*\S/, ''), around, node)
  else if (start >= 0) {
    scanText(writer.scan, tree.codes, start, tree.stops[node] ?? 0)
    putScanned(writer, tree.html, start, tree.stops[node] ?? 0, around, node)
  } else putDecoded(writer, tree.decoded[-1 - start] ?? '', around, node)
}

/** Words that are no text of the page: a label, a quotation mark. */
export function putWords(writer: Writer, words: string, around: Around): void {
  putDecoded(writer, words, around, none)
}

function putDecoded(writer: Writer, text: string, around: Around, node: Node): void {
  scanText(writer.scan, codesOf(text), 0, text.length)
  putScanned(writer, text, 0, text.length, around, node)
}

function putScanned(
  writer: Writer,
  source: string,
  start: number,
  stop: number,
  around: Around,
  node: Node,
): void {
  const { inline, scan } = writer
  const { from, to, isUneven, isSpecial } = scan
  if (from > start) inline.hasSpace = true
  if (from === to) return
  const first = source.charCodeAt(from)
  moveTo(inline, around.marks, around.link, around.target, first)
  let text = source.slice(from, to)
  if (isUneven) text = collapsed(text)
  if (isSpecial) {
    text = escapeText(text, {
      previous: previousCharacter(inline),
      next: nextCharacter(writer, node, around.marks, to < stop),
      escapesBrackets: around.escapesBrackets,
      isInLink: (around.marks & linkMark) !== 0,
      isStruck: (around.marks & struck) !== 0,
      memory: inline,
    })
  }
  if (mayStartBlock(first) && isAtLineStart(inline)) text = escapeLineStart(text)
  else if (joins(inline, first)) text = `\\${text}`
  put(inline, text)
  if (to < stop) inline.hasSpace = true
}

/**
 * The character behind a text: nothing follows the last of its paragraph that it could join. Nothing is known
 * in a mark, whose end may stand between, before the space.
 */
function nextCharacter(
  { tree, facts, runEnd }: Writer,
  node: Node,
  marks: number,
  hasSpace: boolean,
): string {
  if (marks !== 0) return ''
  if (hasSpace) return ' '
  if (node === none) return ''
  for (let at = node + 1; at < runEnd; at += 1) {
    const name = tree.tags[at] ?? 0
    if (name === 0) return textAt(tree, at).charAt(0).replace(/\s/, ' ')
    if (((facts[at] ?? 0) & isBlock) !== 0 || name === tag.br) return ' '
    if (name !== tag.span) return ''
  }
  return ' '
}

const closingBracket = 93
const openingParenthesis = 40
const colon = 58

/** Whether a character would make something of what stands before it in another text: `[a]` `(b)`, `1` `.` */
function joins(inline: InlineWriter, first: number): boolean {
  if (first === openingParenthesis) return inline.last === closingBracket
  if (first === colon) return inline.last === closingBracket && inline.line.startsWith('[')
  const isDot = first === 46 || first === 41
  return isDot && inline.style === 'lines' && inline.line.length < 10 && /^\d+$/.test(inline.line)
}
