import { attr } from '../tree/names.ts'
import { attribute, type Node, type Tree } from '../tree/tree.ts'
import type { Evidence } from './evidence.ts'

/** What the pages of a generator have in common, by a text that stands in all of them. */
interface Generator {
  mark: string
  /** Classes and ids of parts that lead about the site, sell or decorate, and are never what a page is about. */
  parts: ReadonlySet<string>
}

const generator = (mark: string, parts: string): Generator => ({ mark, parts: new Set(parts.split(' ')) })

const generators: readonly Generator[] = [
  generator('tsd-page-toolbar', 'col-sidebar tsd-page-toolbar tsd-generator tsd-sources'),
  generator('content="Doxygen', 'titlearea main-nav nav-path navpath levels'),
  generator(
    '<body id="phpbb"',
    'action-bar back2top headerbar jumpbox jumpbox-return nav-main navbar notice page-footer post-buttons profile-joined profile-posts profile-rank signature stat-block',
  ),
  generator(
    'woocommerce',
    'add_to_cart_button cross-sells onsale related single_add_to_cart_button upsells woocommerce-breadcrumb woocommerce-ordering',
  ),
  generator(
    'shopify-section',
    'complementary-products facets facets-container facets-vertical-form label-unavailable product__view-details related-products share-button',
  ),
  generator('pdoc-button', 'view-source-button'),
]

/** A part that is most of the page is what the page is for, whatever it is called. */
const mostOfPage = 0.5

/** What is left out of a page of a known generator: parts with lines of their own, and parts of a line. */
export function generatorParts({ tree, blocks, page }: Evidence): { parts: Node[]; inLines: Node[] } {
  const known = generators.filter(({ mark }) => tree.html.includes(mark))
  const [parts, inLines]: [Node[], Node[]] = [[], []]
  if (known.length === 0) return { parts, inLines }
  for (let node: Node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0 || !known.some((one) => isNamed(tree, node, one.parts))) continue
    const end = tree.ends[node] ?? tree.count
    const words =
      (blocks.wordsBefore[blocks.before[end] ?? 0] ?? 0) - (blocks.wordsBefore[blocks.before[node] ?? 0] ?? 0)
    if (words > page.words * mostOfPage) continue
    const first = blocks.before[node] ?? 0
    const last = (blocks.before[end] ?? 0) - 1
    const isOfLine = last < first || (blocks.lasts[last] ?? 0) > end
    if (isOfLine) inLines.push(node)
    else parts.push(node)
    node = end - 1
  }
  return { parts, inLines }
}

function isNamed(tree: Tree, node: Node, parts: ReadonlySet<string>): boolean {
  const id = attribute(tree, node, attr.id)
  if (id !== undefined && parts.has(id)) return true
  const names = attribute(tree, node, attr.class)
  return names?.split(/\s+/).some((name) => parts.has(name)) === true
}
