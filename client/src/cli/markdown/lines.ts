import type { Span } from './inline.ts'
import { linked, paint, type Style } from './style.ts'
import { pieces, widthOf } from './width.ts'

export interface Line {
  text: string
  width: number
}

export interface LineOptions {
  width: number
  /** The terminal makes links of addresses; in others the address is shown. */
  hasLinks: boolean
}

interface Word {
  text: string
  styles: readonly Style[]
  href: string | undefined
  /** There is a space before it. */
  isApart: boolean
  endsLine: boolean
}

/** Breaks runs of text into lines of a width. */
export function linesOf(spans: readonly Span[], { width, hasLinks }: LineOptions): Line[] {
  const lines: Line[] = []
  let text = ''
  let used = 0
  const end = () => {
    lines.push({ text, width: used })
    text = ''
    used = 0
  }
  for (const word of words(withAddresses(spans, hasLinks))) {
    for (const [index, piece] of pieces(word.text, width).entries()) {
      const wide = widthOf(piece)
      const gap = used > 0 && word.isApart && index === 0 ? 1 : 0
      if (used > 0 && used + gap + wide > width) end()
      else if (gap > 0) text += ' '
      if (used > 0) used += gap
      const painted = paint(piece, word.styles)
      const isLink = hasLinks && word.href !== undefined && isWebAddress(word.href)
      text += isLink ? linked(painted, new URL(word.href ?? '').href) : painted
      used += wide
    }
    if (word.endsLine) end()
  }
  if (used > 0 || lines.length === 0) end()
  return lines
}

const isWebAddress = (url: string) => /^https?:\/\//i.test(url) && URL.canParse(url)

/** Where a terminal shows no links, or the text of a link looks like another address, the address stands behind it. */
function withAddresses(spans: readonly Span[], hasLinks: boolean): Span[] {
  return spans.flatMap((span, index) => {
    const { href } = span
    const next = spans[index + 1]
    if (href === undefined || next?.href === href) return [span]
    const pretends = /^\s*(?:https?:\/\/|www\.)/i.test(span.text) && span.text.trim() !== href
    const isShown = (!hasLinks || pretends) && span.text !== href && href !== '' && !href.startsWith('data:')
    return isShown ? [span, { text: ` <${href}>`, styles: ['dim' as const] }] : [span]
  })
}

function* words(spans: readonly Span[]): Generator<Word> {
  let isApart = false
  for (const { text, styles, href } of spans) {
    for (const part of text.split(/([ \t]+|\n)/)) {
      if (part === '') continue
      if (part === '\n') yield { text: '', styles: [], href: undefined, isApart: false, endsLine: true }
      else if (/^[ \t]+$/.test(part)) isApart = true
      else {
        yield { text: part, styles, href, isApart, endsLine: false }
        isApart = false
      }
    }
  }
}
