import { type Node, type Tree, textAt } from '../tree/tree.ts'
import { isSilent } from './facts.ts'

/** The result of scanning a text. */
export interface Scan {
  /** The text without the space at its edges; nothing is left of a blank one. */
  from: number
  to: number
  /** It holds runs of spaces, line breaks, or characters that show nothing. */
  isUneven: boolean
  /** It holds characters that may mean something in Markdown. */
  isSpecial: boolean
}

const space = 1
const special = 2

/** By code, for those of ASCII. */
const kinds = new Uint8Array(128)
for (const character of '\t\n\v\f\r ') kinds[character.charCodeAt(0)] = space
for (const character of '\\`*_~[]<&$') kinds[character.charCodeAt(0)] = special

/** Other spaces, and characters of no width. */
function isStrange(code: number): boolean {
  if (code < 0x2000) return code === 0xa0 || code === 0xad || code === 0x1680
  return code <= 0x206f ? isStrangePunctuation(code) : code === 0x3000 || code === 0xfeff
}

function isStrangePunctuation(code: number): boolean {
  return code <= 0x200b || code === 0x2028 || code === 0x2029 || code === 0x202f || code >= 0x205f
}

function isSpace(code: number): boolean {
  return code < 128 ? kinds[code] === space : isStrange(code)
}

/**
 * Looks at each character once. Most texts need no change but at their edges, and are then written as they
 * stand in the page.
 */
export function scanText(scan: Scan, codes: Uint16Array, start: number, stop: number): void {
  let from = start
  let to = stop
  while (from < to && isSpace(codes[from] ?? 0)) from += 1
  while (to > from && isSpace(codes[to - 1] ?? 0)) to -= 1
  scan.from = from
  scan.to = to
  scan.isUneven = false
  scan.isSpecial = false
  for (let at = from; at < to; at += 1) {
    const code = codes[at] ?? 0
    const kind = code < 128 ? kinds[code] : isStrange(code) ? space : 0
    if (kind === 0) continue
    if (kind === special) scan.isSpecial = true
    else if (code !== 32 || codes[at + 1] === 32) scan.isUneven = true
  }
}

/** Spaces as one space each, and nothing for characters that show nothing. */
export function collapsed(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060\ufeff]+/g, '').replace(/\s+/g, ' ')
}

/** Whether a text shows nothing. */
export function isBlank(tree: Tree, node: Node): boolean {
  const start = tree.starts[node] ?? 0
  if (start < 0) return textAt(tree, node).trim() === ''
  const stop = tree.stops[node] ?? 0
  for (let at = start; at < stop; at += 1) if (!isSpace(tree.html.charCodeAt(at))) return false
  return true
}

/** Whether something between two nodes is written as text. */
export function hasText(tree: Tree, facts: Uint16Array, from: Node, end: Node): boolean {
  for (let at = from; at < end; ) {
    if (((facts[at] ?? 0) & isSilent) !== 0) at = tree.ends[at] ?? end
    else if (tree.tags[at] === 0 && !isBlank(tree, at)) return true
    else at += 1
  }
  return false
}
