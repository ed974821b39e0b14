import { tag } from '../../content/tree/names.ts'
import { endOf, isText, type Node, parentOf, type Tree, tagOf, textAt } from '../../content/tree/tree.ts'

const mostNodes = 200
const longest = 2000
const inline = new Set<number>([
  ...[tag.span, tag.b, tag.i, tag.em, tag.strong, tag.a, tag.small, tag.sup, tag.sub, tag.time, tag.abbr],
])

/** What an element shows, in one line. */
export function shownText(tree: Tree, node: Node): string {
  const end = Math.min(endOf(tree, node), node + mostNodes)
  let text = ''
  for (let at = node + 1; at < end && text.length < longest; at += 1) {
    if (!isText(tree, at)) {
      text += inline.has(tagOf(tree, at)) ? '' : ' '
      continue
    }
    const around = tagOf(tree, parentOf(tree, at))
    if (around !== tag.script && around !== tag.style) text += textAt(tree, at)
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, longest)
}
