import type { Draft, Subject } from './draft.ts'
import { type Fields, fieldOf, isFields } from './fields.ts'
import { names, priceOf, productFromFields, titleOf, variantFields } from './from-fields.ts'
import { isNamed } from './text.ts'

/** A state may hold a whole shop. */
const maxVisited = 50_000
const maxDepth = 14

/**
 * The product in the state that a page hands to its scripts. Such states hold whatever the scripts need, so
 * only what has a price and the page's own title counts.
 */
export function productFromState(states: unknown[], subject: Subject): Draft | undefined {
  const found = candidates(states, subject.titles)
  const ranked = found.map((fields) => ({ fields, rank: rankOf(fields) })).sort((a, b) => b.rank - a.rank)
  return ranked[0] && productFromFields(ranked[0].fields, subject)
}

function candidates(states: unknown[], titles: string[]): Fields[] {
  const found: Fields[] = []
  let level: unknown[] = states
  let visited = 0
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const next: unknown[] = []
    for (const value of level) {
      visited += 1
      if (visited > maxVisited) return found
      if (isFields(value) && isProduct(value, titles)) found.push(value)
      if (typeof value !== 'object' || value === null) continue
      for (const inner of Object.values(value)) if (typeof inner === 'object' && inner) next.push(inner)
      if (next.length > maxVisited) break
    }
    level = next
  }
  return found
}

function isProduct(fields: Fields, titles: string[]): boolean {
  if (!marks.some((list) => fieldOf(fields, list) !== undefined)) return false
  const title = titleOf(fields)
  if (!title || !isNamed(title, titles)) return false
  return [fields, ...variantFields(fields)].some((one) => priceOf(one) !== undefined)
}

/** A thing with a name and a price may be a delivery; products also have one of these. */
const marks = [names.sku, names.images, names.brand, names.variants]

function rankOf(fields: Fields): number {
  return Object.values(names).filter((list) => fieldOf(fields, list) !== undefined).length
}
