import { codeSpan } from './code.ts'
import { escapeLineStart, escapeText, hasEvenBrackets } from './escape.ts'
import { addBreak, type BreakStyle, createPen, finish, isAtLineStart, moveTo, type Pen, put } from './pen.ts'
import type { Link, Piece } from './pieces.ts'

/** Pieces as Markdown, one text per paragraph. Only the style `lines` gives more than one. */
export function writePieces(pieces: readonly Piece[], style: BreakStyle): string[] {
  const pen = createPen(style)
  let link: Link | undefined
  let escapesBrackets = false
  for (const [index, piece] of pieces.entries()) {
    const { marks } = piece
    if (marks.link !== link) {
      link = marks.link
      escapesBrackets = link !== undefined && !hasEvenBrackets(linkText(pieces, index, link))
    }
    const text = collapsed(piece.text)
    const isBlank = text.trim() === ''
    // A link does not survive a line break in every reader.
    if (text.startsWith(' ') || (piece.kind === 'break' && link)) pen.hasSpace = true
    else if (piece.kind === 'break') addBreak(pen)
    if (isBlank) continue

    moveTo(pen, marks)
    if (piece.kind === 'text') {
      const next = text.endsWith(' ') ? ' ' : firstCharacter(pieces[index + 1], link)
      putText(pen, text.trim(), { next, isInLink: link !== undefined, escapesBrackets })
    } else put(pen, piece.kind === 'code' ? codeSpan(text.trim()) : text.trim())
    if (text.endsWith(' ')) pen.hasSpace = true
  }
  return finish(pen)
}

function putText(
  pen: Pen,
  text: string,
  around: { next: string; isInLink: boolean; escapesBrackets: boolean },
): void {
  const previous = pen.last === '\n' ? '' : pen.last
  const escaped = escapeText(text, { ...around, previous })
  put(pen, isAtLineStart(pen) ? escapeLineStart(escaped, around.next) : escaped)
}

function linkText(pieces: readonly Piece[], start: number, link: Link): string {
  let text = ''
  for (let index = start; pieces[index]?.marks.link === link; index += 1) {
    // An image's brackets are even by themselves, and code hides its own.
    if (pieces[index]?.kind === 'text') text += pieces[index]?.text
  }
  return text
}

/** What a reader of Markdown sees right after a text: the start of the next piece, or of its link. */
function firstCharacter(next: Piece | undefined, link: Link | undefined): string {
  if (!next || next.kind === 'break') return ''
  if (next.marks.link !== link) return link ? ']' : '['
  return next.kind === 'code' ? '`' : collapsed(next.text).charAt(0)
}

function collapsed(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060\ufeff]/g, '').replace(/\s+/g, ' ')
}
