import { tagSet } from '../tree/names.ts'
import { classOf, endOf, type Node, type Tree, textAt } from '../tree/tree.ts'
import type { Writer } from './writer.ts'

/** Inline elements that a style sheet may put apart. */
export const pieces = tagSet('a b small span strong time')

/** Number of nodes that are enough to classify a piece. */
const nodesOfPiece = 12

/**
 * Whether two pieces without a space between them are shown apart, as the facts of a tile are. A word whose parts
 * are coloured is not: there no piece is a phrase, or nothing parts the two.
 */
export function isApartFrom({ tree, inline }: Writer, before: Node, piece: Node): boolean {
  if (inline.hasSpace || inline.breaks > 0 || inline.code !== '') return false
  const last = String.fromCharCode(inline.last)
  const isSentence = /[.!?:]/.test(last)
  const isDigit = /\p{N}/u.test(last)
  if (!isSentence && !isDigit && !/\p{Ll}/u.test(last)) return false
  const text = textOfPiece(tree, piece)
  if (!/^\p{Lu}/u.test(text)) return false
  const isPhrase = text.trim().includes(' ')
  const isAfterPhrase = textOfPiece(tree, before).trim().includes(' ')
  if (classOf(tree, before) === classOf(tree, piece))
    return isPhrase && isAfterPhrase && (isSentence || isDigit)
  return isPhrase || isAfterPhrase
}

function textOfPiece(tree: Tree, node: Node): string {
  const end = Math.min(endOf(tree, node), node + nodesOfPiece)
  let text = ''
  for (let at = node + 1; at < end && text.length < 80; at += 1) {
    if (tree.tags[at] === 0) text += textAt(tree, at)
  }
  return text
}
