import { tag, tagSet } from '../../content/tree/names.ts'
import { endOf, isText, type Node, parentOf, type Tree, tagOf, textAt } from '../../content/tree/tree.ts'

const mostNodes = 200
const longest = 2000
const inline = new Set<number>([
  ...[tag.span, tag.b, tag.i, tag.em, tag.strong, tag.a, tag.small, tag.sup, tag.sub, tag.time, tag.abbr],
])

const struck = tagSet('del s strike')

/** What an element shows, in one line. */
export function shownText(tree: Tree, node: Node): string {
  const end = Math.min(endOf(tree, node), node + mostNodes)
  let text = ''
  for (let at = node + 1; at < end && text.length < longest; at += 1) {
    if (!isText(tree, at)) {
      // What is crossed out is no more.
      if (struck[tagOf(tree, at)] === 1) {
        at = endOf(tree, at) - 1
        continue
      }
      text += inline.has(tagOf(tree, at)) ? '' : ' '
      continue
    }
    const around = tagOf(tree, parentOf(tree, at))
    if (around !== tag.script && around !== tag.style) text += textAt(tree, at)
  }
  return text.replace(/\s+/g, ' ').trim().slice(0, longest)
}
