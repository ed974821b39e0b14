import { tag } from '../tree/names.ts'
import { endOf, type Node, textAt } from '../tree/tree.ts'
import { beginningOf } from './code.ts'
import type { InlineWriter } from './inline-writer.ts'
import { targetOfLink } from './link.ts'
import type { SurroundingText, Writer } from './writer.ts'

/** The context of a superscript or subscript. */
interface ScriptMarks {
  open: string
  close: string
}

const noMarks: ScriptMarks = { open: '', close: '' }

/** Longer than an exponent or the mark of a note: small print, which is raised for its looks. */
const longestScript = 12

/**
 * "10" and a raised "6" must not read as 106, nor "precedence" and the mark of a note as a word. A caret and an
 * underscore are what plain texts and TeX use for them: every reader of Markdown shows them as they are, none
 * drops them as it may drop a tag, and no mark begins with them inside a word.
 */
export function superscriptMarkers(writer: Writer, node: Node, { marks }: SurroundingText): ScriptMarks {
  const { tree, inline } = writer
  const text = beginningOf(tree, node, longestScript + 1).trim()
  if (text === '' || text.length > longestScript || inline.last === 0 || inline.breaks > 0) return noMarks
  const end = endOf(tree, node)
  const next = tree.tags[end] === 0 && end < tree.count ? textAt(tree, end).charAt(0) : ''
  const isRaised = tree.tags[node] === tag.sup
  // The halves of a fraction.
  if (/[⁄/]/.test(next) || inline.last === 0x2044 || inline.last === 47 || holdsLink(writer, node))
    return noMarks
  const isMarked = isRaised ? isRaisedApart(inline, text) : isLoweredApart(writer, node, text)
  if (!isMarked) return noMarks
  const isPlain = /^[-+−]?[\p{L}\p{N}]+$|^\d+(?:, ?\d+)+$/u.test(text) && !/[\p{L}\p{N}]/u.test(next)
  // Behind a mark that ends there an underscore might begin another.
  const sign = isRaised ? '^' : inline.marks === marks ? '_' : '\\_'
  return isPlain ? { open: sign, close: '' } : { open: `${sign}{`, close: '}' }
}

/** Numbers, one letter, an expression; but not the end of an ordinal or the sign of a trade mark. */
function isRaisedApart(inline: InlineWriter, text: string): boolean {
  if (inline.hasSpace) return /^\d+$/.test(text)
  if (/^[-+−]?\d/.test(text) || /^[-+−]\p{L}/u.test(text)) return true
  if (inline.last < 128 && !/[\w)]/.test(String.fromCharCode(inline.last))) return false
  return /^(?:[bcf-npqs-zNT]$|\p{L}[-+−]\S)/u.test(text)
}

/** In a chemical formula a number is lowered for its looks: it is read as one without. */
function isLoweredApart({ tree, inline }: Writer, node: Node, text: string): boolean {
  // Elsewhere an underscore may begin a mark.
  const isInWord =
    isWord(inline.last) && !inline.hasSpace && inline.code === '' && /^[\p{L}\p{N}]/u.test(text)
  if (!isInWord) return false
  // Not from the output: reading its end would join its parts again each time.
  const before =
    tree.tags[node - 1] === 0 ? textAt(tree, node - 1).slice(-2) : String.fromCharCode(inline.last)
  return !(/[A-Z][a-z]?$/.test(before) && /^\d+$/.test(text))
}

const isWord = (code: number) => /[\p{L}\p{N}]/u.test(String.fromCharCode(code))

const nodesOfScript = 40

function holdsLink(writer: Writer, node: Node): boolean {
  const { tree } = writer
  const end = Math.min(endOf(tree, node), node + nodesOfScript)
  for (let at = node + 1; at < end; at += 1) {
    if (tree.tags[at] === tag.a && targetOfLink(writer, at) !== '') return true
  }
  return false
}
