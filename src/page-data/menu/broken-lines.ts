import { tag, tagSet } from '../../content/tree/names.ts'
import { endOf, isText, parentOf, type Tree, tagOf, textAt } from '../../content/tree/tree.ts'
import type { Line, Lines } from '../../reading/fields/lines.ts'

/** The lines of a page, parted where it breaks them: many menus are one paragraph. */
export function brokenLines(lines: Lines): Lines {
  const { tree } = lines
  const list = lines.list.flatMap((line, index) => {
    const end = Math.min(endOf(tree, line.holder), lines.list[index + 1]?.first ?? tree.count)
    return hasBreak(tree, line.first, end) ? parts(lines, line, end) : [line]
  })
  return list.length === lines.list.length ? lines : { ...lines, list, before: countsBefore(tree, list) }
}

function hasBreak(tree: Tree, from: number, end: number): boolean {
  for (let node = from; node < end; node += 1) if (tagOf(tree, node) === tag.br) return true
  return false
}

const unread = tagSet('script style template noscript')
const longestPiece = 20_000

function parts({ tree, weights }: Lines, line: Line, end: number): Line[] {
  const found: Line[] = []
  let pieces: string[] = []
  let first = line.first
  const close = (next: number) => {
    const text = pieces.join('').replace(/\s+/g, ' ').trim()
    const kept = pieces.map((piece) => piece.replace(/\s+/g, ' ').trim()).filter(Boolean)
    if (text !== '') found.push({ ...line, text, pieces: kept, words: [], first })
    pieces = []
    first = next
  }
  for (let node = line.first; node < end; node += 1) {
    if (tagOf(tree, node) === tag.br) close(node + 1)
    const isShown = isText(tree, node) && (weights[node] ?? 1) > 0
    if (isShown && unread[tagOf(tree, parentOf(tree, node))] !== 1)
      pieces.push(textAt(tree, node).slice(0, longestPiece))
  }
  close(end)
  return found
}

/** For each node the number of lines before it. */
function countsBefore(tree: Tree, list: readonly Line[]): Int32Array {
  const before = new Int32Array(tree.count + 1)
  let count = 0
  for (let node = 0; node <= tree.count; node += 1) {
    before[node] = count
    while (count < list.length && (list[count]?.first ?? 0) <= node) count += 1
  }
  return before
}
