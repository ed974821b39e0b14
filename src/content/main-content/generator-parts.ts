import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, type Tree } from '../tree/tree.ts'
import type { Evidence } from './evidence.ts'

/** A program that makes pages, and what it calls their parts: classes and ids. */
export interface Generator {
  /** It shows documentation and does not say so in the head of its pages. */
  isReference: boolean
  /** Parts that lead about the site, sell or decorate, and are never what a page is about. */
  furniture: ReadonlySet<string>
  /** Parts that belong to what the page is about, however little they say. */
  content: ReadonlySet<string>
}

interface Names {
  /** A name that stands near the beginning of all its pages. */
  mark: string
  furniture?: string
  content?: string
  isReference?: boolean
}

const names: Names[] = [
  { mark: 'tsd-page-toolbar', furniture: 'col-sidebar tsd-page-toolbar tsd-generator tsd-sources' },
  { mark: 'titlearea', furniture: 'titlearea main-nav nav-path navpath levels' },
  {
    mark: 'phpbb',
    furniture: `action-bar back2top headerbar jumpbox jumpbox-return nav-main navbar notice page-footer post-buttons
      profile-joined profile-posts profile-rank signature stat-block top2`,
  },
  {
    mark: 'woocommerce-page',
    furniture: `add_to_cart_button cross-sells onsale related single_add_to_cart_button upsells woocommerce-breadcrumb
      woocommerce-ordering woocommerce-pagination`,
    content: 'product_meta',
  },
  {
    mark: 'shopify-section',
    furniture: `complementary-products facets facets-container facets-vertical-form label-unavailable
      product-form__quantity product__view-details related-products share-button`,
    content: 'product-form__input--pill product__text',
  },
  { mark: 'pdoc-button', furniture: 'view-source-button' },
  { mark: 'module-header', content: 'module-header description', isReference: true },
  { mark: 'redoc-wrap', isReference: true },
  { mark: 'scalar-app', furniture: 'download-container client-libraries-text-more', isReference: true },
  { mark: 'swagger-ui', isReference: true },
]

const nameSet = (list = '') => new Set(list.split(/\s+/).filter(Boolean))

const generators = new Map<string, Generator>(
  names.map(({ mark, furniture, content, isReference = false }) => [
    mark,
    { furniture: nameSet(furniture), content: nameSet(content), isReference },
  ]),
)

const mostLooked = 600

/** The generators that the first elements of a body are named by. */
export function generatorsOf(tree: Tree): Generator[] {
  const found = new Set<Generator>()
  const body = Math.max(1, tree.tags.indexOf(tag.body))
  const end = Math.min(tree.count, body + mostLooked)
  for (let node: Node = body; node < end; node += 1) {
    if (tree.tags[node] === 0) continue
    for (const name of [attr.id, attr.class]) {
      const known = generators.get(marks.exec(attribute(tree, node, name) ?? '')?.[1] ?? '')
      if (known) found.add(known)
    }
  }
  return [...found]
}

const marks = new RegExp(`(?:^|\\s)(${[...generators.keys()].join('|')})(?:\\s|$)`)

function namesOf(tree: Tree, node: Node): string[] {
  const id = attribute(tree, node, attr.id)
  const classes = attribute(tree, node, attr.class)
  const found = classes === undefined ? [] : classes.split(/\s+/)
  return id === undefined ? found : [id, ...found]
}

/** A part that is most of the page is what the page is for, whatever it is called. */
const mostOfPage = 0.5

export interface GeneratorParts {
  /** What is left out: parts with lines of their own, and parts of a line. */
  parts: Node[]
  inLines: Node[]
  kept: Node[]
}

export const noParts: GeneratorParts = { parts: [], inLines: [], kept: [] }

export function generatorParts({ tree, blocks, page }: Evidence, known: Generator[]): GeneratorParts {
  if (known.length === 0) return noParts
  const found: GeneratorParts = { parts: [], inLines: [], kept: [] }
  for (let node: Node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0) continue
    const own = namesOf(tree, node)
    if (known.some(({ content }) => own.some((name) => content.has(name)))) found.kept.push(node)
    if (!known.some(({ furniture }) => own.some((name) => furniture.has(name)))) continue
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
