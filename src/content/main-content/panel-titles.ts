import { attr } from '../tree/names.ts'
import { attribute, hasAttribute, type Node, type Tree } from '../tree/tree.ts'
import { type Choice, change } from './choice.ts'
import type { Evidence } from './evidence.ts'

/** A title is one line, and what it opens follows it. */
const mostWords = 30
const mostBetween = 2
const mostOfPanel = 0.5

/** The question above an answer, the name above a panel: a button opens it, and a button is seldom content by itself. */
export function keepPanelTitles(choice: Choice, { tree, blocks }: Evidence): void {
  const titles = titlesOfPanels(tree)
  if (titles.size === 0) return
  for (let panel = 1; panel < tree.count; panel += 1) {
    if (tree.tags[panel] === 0) continue
    const id = attribute(tree, panel, attr.id)
    const title = id === undefined ? undefined : titles.get(id)
    if (title === undefined) continue
    const block = blocks.before[title] ?? 0
    const isOneLine = (blocks.before[tree.ends[title] ?? 0] ?? 0) - block === 1
    const from = blocks.before[panel] ?? 0
    const to = blocks.before[tree.ends[panel] ?? 0] ?? 0
    const isBefore = block < from && from - block - 1 <= mostBetween
    if (!isOneLine || !isBefore || (blocks.words[block] ?? 0) > mostWords) continue
    let kept = 0
    for (let at = from; at < to; at += 1) kept += (choice.kept[at] ?? 0) * (blocks.words[at] ?? 0)
    const all = (blocks.wordsBefore[to] ?? 0) - (blocks.wordsBefore[from] ?? 0)
    if (kept > 0 && kept >= all * mostOfPanel) change(choice, block, true, 'heading of a kept part')
  }
}

/** The elements that open a part of the page, by the id of that part. */
function titlesOfPanels(tree: Tree): Map<string, Node> {
  const titles = new Map<string, Node>()
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0 || !hasAttribute(tree, node, attr['aria-expanded'])) continue
    const id = attribute(tree, node, attr['aria-controls']) ?? fragmentOf(tree, node)
    if (id) titles.set(id, node)
  }
  return titles
}

function fragmentOf(tree: Tree, node: Node): string | undefined {
  const href = attribute(tree, node, attr.href)
  return href?.startsWith('#') ? href.slice(1) : undefined
}
