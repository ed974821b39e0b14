import { attr } from '../tree/names.ts'
import { attribute, type Node } from '../tree/tree.ts'
import type { Evidence } from './evidence.ts'

const navigation = /^https?:\/\/schema\.org\/SiteNavigationElement\/?$/i
/** If links make up this share of the page, they are its content, as on a site map. */
const mostOfPage = 0.5

/** Parts that the page itself, in its data for machines, calls elements of the navigation: each goes whole. */
export function markedNavigation({ tree, blocks, page }: Evidence): Node[] {
  const found: Node[] = []
  let words = 0
  for (let node: Node = 1; node < tree.count; node += 1) {
    if (!navigation.test(attribute(tree, node, attr.itemtype) ?? '')) continue
    const end = tree.ends[node] ?? tree.count
    const from = blocks.before[node] ?? 0
    const to = blocks.before[end] ?? 0
    words += (blocks.wordsBefore[to] ?? 0) - (blocks.wordsBefore[from] ?? 0)
    found.push(node)
    node = end - 1
  }
  return words > page.words * mostOfPage ? [] : found
}
