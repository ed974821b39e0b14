import { tag } from '../../content/tree/names.ts'
import { endOf, type Node, parentOf, root, type Tree, tagOf } from '../../content/tree/tree.ts'
import { isKnownLabel } from '../vocabulary/concepts.ts'
import { wordList } from '../vocabulary/word-lists.ts'
import { phraseOf } from '../vocabulary/words.ts'
import type { Line, Lines } from './lines.ts'

const mostLevels = 6
const mostItems = 500

/** The lines of the section that a heading begins: of its items, where it has any. */
export function sectionAfter({ tree, list, before }: Lines, at: number): Line[] {
  const heading = list[at]
  if (!heading) return []
  let loose: Line[] = []
  let node = heading.holder
  for (let up = 0; up < mostLevels && node > root; up += 1, node = parentOf(tree, node)) {
    const last = before[endOf(tree, node)] ?? list.length
    if (last <= at + 1) continue
    const range = untilNext(tree, list, at, last)
    const items = range.filter((line) => isInItem(tree, line.holder, node))
    if (items.length >= 2) return items
    if (loose.length === 0 && range.length > 0) loose = range
    // What follows another heading is not looked for further out.
    if (at + 1 + range.length < last)
      return items.length > 0 ? items : loose.length > 1 || range.length === 0 ? loose : range
  }
  return loose
}

function untilNext(tree: Tree, list: readonly Line[], at: number, last: number): Line[] {
  const heading = list[at]
  const found: Line[] = []
  for (let next = at + 1; next < last && found.length < mostItems; next += 1) {
    const line = list[next]
    if (!line || !heading || line.weight < heading.weight - 0.3) break
    if (line.level > 0 && heading.level > 0 && line.level <= heading.level) break
    if (heading.level === 0 && line.level > 0 && found.length > 0 && isKnownLabel(phraseOf(line.words))) break
    if (line.words.length <= 3 && line.text.length < 40 && isSectionLabel(line)) break
    if (found.length > 0 && isBesides(tree, heading, line, found[0])) break
    found.push(line)
  }
  return found.filter((line) => line.level === 0)
}

/** Whether a short line is made as the one that began the section, and what stands between is not. */
function isBesides(tree: Tree, heading: Line, line: Line, first: Line | undefined): boolean {
  if (
    heading.level > 0 ||
    line.text.length > 60 ||
    line.words.length > 7 ||
    /^(?:for|für|pour|para|per|to)\b|[.!?;,]$/iu.test(line.text)
  )
    return false
  const isMade = ({ holder }: Line) =>
    tagOf(tree, holder) === tagOf(tree, heading.holder) &&
    parentOf(tree, holder) === parentOf(tree, heading.holder)
  return isMade(line) && first !== undefined && !isMade(first)
}

/** Another section begins, whatever it is made of. */
function isSectionLabel(line: Line): boolean {
  return sectionLabels.has(phraseOf(line.words))
}

const sectionLabels = wordList('sectionLabels')

function isInItem(tree: Tree, holder: Node, within: Node): boolean {
  for (let node = holder; node > within; node = parentOf(tree, node)) {
    const name = tagOf(tree, node)
    if (name === tag.li || name === tag.tr || name === tag.dd) return true
  }
  return false
}
