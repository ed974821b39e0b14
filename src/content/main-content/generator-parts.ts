import { attr } from '../tree/names.ts'
import { attribute, type Node, type Tree } from '../tree/tree.ts'
import { type Choice, change } from './choice.ts'
import type { Evidence } from './evidence.ts'

/** What the pages of a generator have in common, by a text that stands in all of them. */
interface Generator {
  mark: string
  /** Classes and ids of parts that lead about the site, sell or decorate, and are never what a page is about. */
  parts: ReadonlySet<string>
  /** Of parts that belong to what the page is about, however little they say. */
  content: ReadonlySet<string>
}

const generator = (mark: string, parts: string, content = ''): Generator => ({
  mark,
  parts: new Set(parts.split(' ')),
  content: new Set(content.split(' ')),
})

const generators: readonly Generator[] = [
  generator('tsd-page-toolbar', 'col-sidebar tsd-page-toolbar tsd-generator tsd-sources'),
  generator('content="Doxygen', 'titlearea main-nav nav-path navpath levels'),
  generator(
    '<body id="phpbb"',
    'action-bar back2top headerbar jumpbox jumpbox-return nav-main navbar notice page-footer post-buttons profile-joined profile-posts profile-rank signature stat-block top2',
  ),
  generator(
    'woocommerce',
    'add_to_cart_button cross-sells onsale related single_add_to_cart_button upsells woocommerce-breadcrumb woocommerce-ordering woocommerce-pagination',
    'product_meta',
  ),
  generator(
    'shopify-section',
    'complementary-products facets facets-container facets-vertical-form label-unavailable product-form__quantity product__view-details related-products share-button',
    'product-form__input--pill product__text',
  ),
  generator('pdoc-button', 'view-source-button'),
]

/** A part that is most of the page is what the page is for, whatever it is called. */
const mostOfPage = 0.5

export interface GeneratorParts {
  /** What is left out: parts with lines of their own, and parts of a line. */
  parts: Node[]
  inLines: Node[]
  kept: Node[]
}

export const noParts: GeneratorParts = { parts: [], inLines: [], kept: [] }

export function generatorParts({ tree, blocks, page }: Evidence): GeneratorParts {
  const known = generators.filter(({ mark }) => tree.html.includes(mark))
  if (known.length === 0) return noParts
  const found: GeneratorParts = { parts: [], inLines: [], kept: [] }
  for (let node: Node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0) continue
    if (known.some(({ content }) => isNamed(tree, node, content))) found.kept.push(node)
    if (!known.some(({ parts }) => isNamed(tree, node, parts))) continue
    const end = tree.ends[node] ?? tree.count
    const words =
      (blocks.wordsBefore[blocks.before[end] ?? 0] ?? 0) - (blocks.wordsBefore[blocks.before[node] ?? 0] ?? 0)
    if (words > page.words * mostOfPage) continue
    const first = blocks.before[node] ?? 0
    const last = (blocks.before[end] ?? 0) - 1
    const isOfLine = last < first || (blocks.lasts[last] ?? 0) > end
    if (isOfLine) found.inLines.push(node)
    else found.parts.push(node)
    node = end - 1
  }
  return found
}

export function keepParts(choice: Choice, { tree, blocks }: Evidence, parts: Node[]): void {
  for (const part of parts) {
    const to = blocks.before[tree.ends[part] ?? 0] ?? 0
    for (let block = blocks.before[part] ?? 0; block < to; block += 1)
      change(choice, block, true, 'named as content')
  }
}

function isNamed(tree: Tree, node: Node, parts: ReadonlySet<string>): boolean {
  const id = attribute(tree, node, attr.id)
  if (id !== undefined && parts.has(id)) return true
  const names = attribute(tree, node, attr.class)
  return names?.split(/\s+/).some((name) => parts.has(name)) === true
}
