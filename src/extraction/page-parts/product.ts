import { tag } from '../../content/tree/names.ts'
import { type Tree, textOf } from '../../content/tree/tree.ts'
import { type StructuredData, structuredData } from '../structured-data.ts'
import { productFromState } from './product/from-fields.ts'
import { productFromItems } from './product/from-items.ts'
import { productFromDataLayer, productFromOpenGraph } from './product/from-metadata.ts'
import { type Availability, type Draft, type DraftVariant, isNamed, words } from './product/values.ts'

/** The product a page is about. */
export interface Product extends Omit<Draft, 'variants'> {
  url: string
  variants: ProductVariant[]
}

interface ProductVariant extends DraftVariant {
  availability: Availability
}

export type ProductResult = { ok: true; product: Product } | { ok: false; reason: string }

/**
 * The sources in order of reliability: machine-readable data comes first, and the others fill in
 * missing values.
 */
export function productOf(tree: Tree, page: { url: string; base: string }): ProductResult {
  const stated = structuredData(tree, page.base)
  const subject = { ...page, titles: titlesOf(tree, stated) }
  const described = [stated.jsonLd, stated.microdata, stated.rdfa].map((things) =>
    productFromItems(things, subject),
  )
  const told = [
    productFromState(
      stated.states.map(({ value }) => value),
      subject,
    ),
    productFromDataLayer(stated.dataLayer, subject),
    productFromOpenGraph(stated.openGraph, subject),
  ]
  const drafts = [...described, ...told].filter((draft) => typeof draft === 'object')
  const [first, ...others] = drafts
  if (first) return { ok: true, product: finished(others.reduce(filled, first), page.url) }
  const isList = described.includes('several')
  return {
    ok: false,
    reason: isList
      ? 'the page describes several products, and none of them is its subject'
      : 'the page states no product in JSON-LD, microdata, RDFa, embedded state or Open Graph',
  }
}

function titlesOf(tree: Tree, { openGraph }: StructuredData): string[] {
  const titles = [...(openGraph.get('og:title') ?? [])]
  for (let node = 1; node < tree.count && titles.length <= 10; node += 1) {
    if (tree.tags[node] === tag.h1 || tree.tags[node] === tag.title) titles.push(textOf(tree, node))
  }
  return titles.map(words)
}

/** A draft with the missing values of another, if both describe one product. */
function filled(draft: Draft, other: Draft): Draft {
  const isSame = isNamed(other.title, [words(draft.title)]) || isNamed(draft.title, [words(other.title)])
  if (!isSame) return draft
  const { brand, category, description } = { ...other, ...draft }
  const [own, theirs] = [draft.variants[0], other.variants[0]]
  const areSingle = draft.variants.length === 1 && other.variants.length === 1
  return {
    ...draft,
    ...(brand === undefined ? {} : { brand }),
    ...(category === undefined ? {} : { category }),
    ...(description === undefined ? {} : { description }),
    variants: areSingle && own && theirs ? [filledVariant(own, theirs)] : draft.variants,
  }
}

function filledVariant(own: DraftVariant, theirs: DraftVariant): DraftVariant {
  const { sale, price, ...rest } = theirs
  const isSamePrice = own.price !== undefined && own.price.amount === price?.amount
  return {
    ...rest,
    // A sale belongs to the price it was read with.
    ...(own.price === undefined || isSamePrice ? { ...(sale && { sale }) } : {}),
    ...(own.price === undefined ? { ...(price && { price }) } : {}),
    ...own,
    ...(isSamePrice && own.price ? { price: { ...price, ...own.price } } : {}),
  }
}

/** A product with a price counts as available unless the page says otherwise; one without a price does not. */
function finished(draft: Draft, pageUrl: string): Product {
  return {
    ...draft,
    url: draft.url ?? pageUrl,
    variants: draft.variants.map((variant) => ({
      ...variant,
      availability: variant.availability ?? { inStock: variant.price !== undefined },
    })),
  }
}
