import { tag } from '../../content/tree/names.ts'
import { type Tree, textOf } from '../../content/tree/tree.ts'
import { type StructuredData, structuredData } from '../structured-data.ts'
import { productFromState } from './product/from-fields.ts'
import { productFromItems } from './product/from-items.ts'
import { productFromDataLayer, productFromOpenGraph } from './product/from-metadata.ts'
import {
  type Availability,
  type Draft,
  type DraftVariant,
  isNamed,
  normalizeText,
  withoutUndefined,
} from './product/values.ts'

export interface Product extends Omit<Draft, 'variants'> {
  url: string
  variants: (DraftVariant & { availability: Availability })[]
}

export type ProductResult = { ok: true; product: Product } | { ok: false; reason: string }

/** Structured data comes first, and the other sources fill in missing values. */
export function productOf(tree: Tree, page: { url: string; base: string }): ProductResult {
  const pageData = structuredData(tree, page.base)
  const subject = { ...page, titles: titlesOf(tree, pageData) }
  const itemDrafts = [pageData.jsonLd, pageData.microdata, pageData.rdfa].map((items) =>
    productFromItems(items, subject),
  )
  const states = pageData.states.map(({ value }) => value)
  const otherDrafts = [
    productFromState(states, subject),
    productFromDataLayer(pageData.dataLayer, subject),
    productFromOpenGraph(pageData.openGraph, subject),
  ]
  const drafts = [...itemDrafts, ...otherDrafts].filter((draft) => typeof draft === 'object')
  const [first, ...others] = drafts
  if (first) return { ok: true, product: toProduct(others.reduce(fillFrom, first), page.url) }
  const reason = itemDrafts.includes('several')
    ? 'the page describes several products, and none of them is its subject'
    : 'the page states no product in JSON-LD, microdata, RDFa, embedded state or Open Graph'
  return { ok: false, reason }
}

function titlesOf(tree: Tree, { openGraph }: StructuredData): string[] {
  const titles = [...(openGraph.get('og:title') ?? [])]
  for (let node = 1; node < tree.count && titles.length <= 10; node += 1) {
    if (tree.tags[node] === tag.h1 || tree.tags[node] === tag.title) titles.push(textOf(tree, node))
  }
  return titles.map(normalizeText)
}

function fillFrom(draft: Draft, other: Draft): Draft {
  const isSameProduct =
    isNamed(other.title, [normalizeText(draft.title)]) || isNamed(draft.title, [normalizeText(other.title)])
  if (!isSameProduct) return draft
  const { brand, category, description } = { ...other, ...draft }
  const [own, otherVariant] = [draft.variants[0], other.variants[0]]
  const areSingle = draft.variants.length === 1 && other.variants.length === 1
  const variants = areSingle && own && otherVariant ? [fillVariant(own, otherVariant)] : draft.variants
  return { ...draft, ...withoutUndefined({ brand, category, description }), variants }
}

function fillVariant(own: DraftVariant, other: DraftVariant): DraftVariant {
  const { sale, price, ...rest } = other
  const isSamePrice = own.price !== undefined && own.price.amount === price?.amount
  return {
    ...rest,
    // A sale belongs to the price that it was read with.
    ...(own.price === undefined || isSamePrice ? { ...(sale && { sale }) } : {}),
    ...(own.price === undefined ? { ...(price && { price }) } : {}),
    ...own,
    ...(isSamePrice && own.price ? { price: { ...price, ...own.price } } : {}),
  }
}

/** A variant with a price counts as in stock unless the page states otherwise. */
function toProduct(draft: Draft, pageUrl: string): Product {
  return {
    ...draft,
    url: draft.url ?? pageUrl,
    variants: draft.variants.map((variant) => ({
      ...variant,
      availability: variant.availability ?? { inStock: variant.price !== undefined },
    })),
  }
}
