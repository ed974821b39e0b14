import { tag, tagSet } from '../tree/names.ts'
import { characterCodes } from '../tree/source.ts'
import { classOf, endOf, type Node, none, readTexts, type Tree, textAt } from '../tree/tree.ts'
import { escapeLineStart, escapeText, mayStartBlock } from './escape.ts'
import { blockBit } from './facts.ts'
import {
  getPreviousCharacter,
  type InlineWriter,
  isAtLineStart,
  link as linkMark,
  moveTo,
  put,
  type SurroundingText,
  strikethrough,
} from './inline-writer.ts'
import { collapseSpace, scanText } from './scan.ts'
import type { Writer } from './writer.ts'

export function putText(writer: Writer, node: Node, context: SurroundingText): void {
  const { tree, notes } = writer
  const start = tree.starts[node] ?? 0
  if (notes.dotted.has(node)) putDecoded(writer, textAt(tree, node).replace(/^\s*\S/, ''), context, node)
  else if (start >= 0) {
    scanText(writer.scan, tree.codes, start, tree.stops[node] ?? 0)
    putScanned(writer, tree.html, start, tree.stops[node] ?? 0, context, node)
  } else putDecoded(writer, tree.decoded[-1 - start] ?? '', context, node)
}

export function putWords(writer: Writer, words: string, context: SurroundingText): void {
  putDecoded(writer, words, context, none)
}

function putDecoded(writer: Writer, text: string, context: SurroundingText, node: Node): void {
  scanText(writer.scan, characterCodes(text), 0, text.length)
  putScanned(writer, text, 0, text.length, context, node)
}

function putScanned(
  writer: Writer,
  source: string,
  start: number,
  stop: number,
  context: SurroundingText,
  node: Node,
): void {
  const { inline, scan } = writer
  const { from, to, needsCollapsing, needsEscaping } = scan
  if (from > start) inline.hasSpace = true
  if (from === to) return
  const first = source.charCodeAt(from)
  moveTo(inline, context, first)
  let text = source.slice(from, to)
  if (needsCollapsing) text = collapseSpace(text)
  if (needsEscaping) {
    text = escapeText(text, {
      previous: getPreviousCharacter(inline),
      next: context.marks !== 0 ? '' : to < stop ? ' ' : getNextCharacter(writer, node),
      escapesBrackets: context.escapesBrackets,
      isInLink: (context.marks & linkMark) !== 0,
      isStruck: (context.marks & strikethrough) !== 0,
      openings: inline,
    })
  }
  if (mayStartBlock(first) && isAtLineStart(inline)) text = escapeLineStart(text)
  else if (completesSyntax(inline, first)) text = `\\${text}`
  put(inline, text)
  if (to < stop) inline.hasSpace = true
}

/** Returns a space at the end of the paragraph; empty if unknown, as inside formatting. */
function getNextCharacter({ tree, facts, runEnd }: Writer, node: Node): string {
  if (node === none) return ''
  for (let at = node + 1; at < runEnd; at += 1) {
    const name = tree.tags[at] ?? 0
    if (name === 0) return textAt(tree, at).charAt(0).replace(/\s/, ' ')
    if (((facts[at] ?? 0) & blockBit) !== 0 || name === tag.br) return ' '
    if (name !== tag.span) return ''
  }
  return ' '
}

const closingBracket = 93
const openingParenthesis = 40
const colon = 58

/** Returns true if a character would become syntax together with the preceding text: `[a]` `(b)`, `1` `.` */
function completesSyntax(inline: InlineWriter, first: number): boolean {
  if (first === openingParenthesis) return inline.last === closingBracket
  if (first === colon) return inline.last === closingBracket && inline.line.startsWith('[')
  const isDot = first === 46 || first === 41
  return isDot && inline.style === 'lines' && inline.line.length < 10 && /^\d+$/.test(inline.line)
}

export const separableTags = tagSet('a b small span strong time')
const maxPieceNodes = 12

/** The facts of a tile are phrases. Parts of a highlighted word are not, or their class is the same. */
export function isSeparatedFrom({ tree, inline }: Writer, before: Node, piece: Node): boolean {
  if (inline.hasSpace || inline.breaks > 0 || inline.code !== '') return false
  const last = String.fromCharCode(inline.last)
  const isSentence = /[.!?:]/.test(last)
  const isDigit = /\p{N}/u.test(last)
  if (!isSentence && !isDigit && !/\p{Ll}/u.test(last)) return false
  const text = readPieceText(tree, piece)
  if (!/^\p{Lu}/u.test(text)) return false
  const isPhrase = text.trim().includes(' ')
  const isAfterPhrase = readPieceText(tree, before).trim().includes(' ')
  if (classOf(tree, before) === classOf(tree, piece))
    return isPhrase && isAfterPhrase && (isSentence || isDigit)
  return isPhrase || isAfterPhrase
}

const readPieceText = (tree: Tree, node: Node) =>
  readTexts(tree, node + 1, Math.min(endOf(tree, node), node + maxPieceNodes), 80)
