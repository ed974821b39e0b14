import { type Node, type Tree, textAt } from '../tree/tree.ts'
import { silentBit } from './facts.ts'

export interface Scan {
  from: number
  to: number
  needsCollapsing: boolean
  needsEscaping: boolean
}

const space = 1
const special = 2
const kinds = new Uint8Array(128)
for (const character of '\t\n\v\f\r ') kinds[character.charCodeAt(0)] = space
for (const character of '\\`*_~[]<&$') kinds[character.charCodeAt(0)] = special

function isInvisible(code: number): boolean {
  if (code < 0x2000) return code === 0xa0 || code === 0xad || code === 0x1680
  return code <= 0x206f ? isInvisiblePunctuation(code) : code === 0x3000 || code === 0xfeff
}

function isInvisiblePunctuation(code: number): boolean {
  return code <= 0x200b || code === 0x2028 || code === 0x2029 || code === 0x202f || code >= 0x205f
}

function isSpace(code: number): boolean {
  return code < 128 ? kinds[code] === space : isInvisible(code)
}

/** Scans each character once. Most texts need changes only at their edges, and are then copied from the source. */
export function scanText(scan: Scan, codes: Uint16Array, start: number, stop: number): void {
  let from = start
  let to = stop
  while (from < to && isSpace(codes[from] ?? 0)) from += 1
  while (to > from && isSpace(codes[to - 1] ?? 0)) to -= 1
  scan.from = from
  scan.to = to
  scan.needsCollapsing = false
  scan.needsEscaping = false
  for (let at = from; at < to; at += 1) {
    const code = codes[at] ?? 0
    const kind = code < 128 ? kinds[code] : isInvisible(code) ? space : 0
    if (kind === 0) continue
    if (kind === special) scan.needsEscaping = true
    else if (code !== 32 || codes[at + 1] === 32) scan.needsCollapsing = true
  }
}

export function collapseSpace(text: string): string {
  return text.replace(/[\u00ad\u200b\u2060\ufeff]+/g, '').replace(/\s+/g, ' ')
}

export function isBlank(tree: Tree, node: Node): boolean {
  const start = tree.starts[node] ?? 0
  if (start < 0) return textAt(tree, node).trim() === ''
  const stop = tree.stops[node] ?? 0
  for (let at = start; at < stop; at += 1) if (!isSpace(tree.html.charCodeAt(at))) return false
  return true
}

export function hasText(tree: Tree, facts: Uint16Array, from: Node, end: Node): boolean {
  for (let at = from; at < end; ) {
    if (((facts[at] ?? 0) & silentBit) !== 0) at = tree.ends[at] ?? end
    else if (tree.tags[at] === 0 && !isBlank(tree, at)) return true
    else at += 1
  }
  return false
}
