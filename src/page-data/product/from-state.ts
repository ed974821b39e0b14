import type { Draft, Subject } from './draft.ts'
import { type Fields, fieldOf, isFields } from './fields.ts'
import { names, priceOf, productFromFields, titleOf, variantFields } from './from-fields.ts'
import { isNamed, words } from './text.ts'

/** A state may hold a whole shop. */
const maxVisited = 50_000
const maxDepth = 14

/**
 * The product in the state that a page hands to its scripts. Such states hold whatever the scripts need, so only what has a
 * price counts, and what the page is about: by its title, by its address, or as the one thing that the state calls its product.
 */
export function productFromState(states: unknown[], subject: Subject): Draft | undefined {
  const found = candidates(states)
  const own = found.filter(({ fields }) => isSubject(fields, subject))
  const meant = own.length > 0 ? own : alone(found.filter(({ isCalledProduct }) => isCalledProduct))
  const ranked = meant.map(({ fields }) => ({ fields, rank: rankOf(fields) })).sort((a, b) => b.rank - a.rank)
  return ranked[0] && productFromFields(ranked[0].fields, subject)
}

interface Candidate {
  fields: Fields
  /** The state keeps it under a name that it has for one product. */
  isCalledProduct: boolean
}

const oneProduct = /^(?:current|selected|main|initial)?product(?:details?|data|info)?$|^pdp$/i

function candidates(states: unknown[]): Candidate[] {
  const found: Candidate[] = []
  let level: [name: string, value: unknown][] = states.map((state) => ['', state])
  let visited = 0
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const next: [string, unknown][] = []
    for (const [name, value] of level) {
      visited += 1
      if (visited > maxVisited) return found
      if (isFields(value) && isProduct(value)) {
        found.push({ fields: value, isCalledProduct: oneProduct.test(name) })
      }
      if (typeof value !== 'object' || value === null) continue
      for (const [key, inner] of Object.entries(value)) {
        if (typeof inner === 'object' && inner) next.push([key, inner])
      }
      if (next.length > maxVisited) break
    }
    level = next
  }
  return found
}

function isProduct(fields: Fields): boolean {
  if (!marks.some((list) => fieldOf(fields, list) !== undefined)) return false
  if (!titleOf(fields)) return false
  return [fields, ...variantFields(fields)].some((one) => priceOf(one) !== undefined)
}

function isSubject(fields: Fields, { titles, url, base }: Subject): boolean {
  if (isNamed(titleOf(fields) ?? '', titles)) return true
  const path = URL.parse(url)?.pathname.replace(/\/+$/, '') ?? ''
  const own = fieldOf(fields, names.url)
  const address = typeof own === 'string' ? URL.parse(own, base)?.pathname.replace(/\/+$/, '') : undefined
  if (path !== '' && address === path) return true
  const slug = fieldOf(fields, ['slug', 'handle', 'urlKey', 'url_key'])
  return typeof slug === 'string' && slug.length >= 3 && path.endsWith(`/${slug}`)
}

/** The same product may stand in a state several times; another one makes it unclear which is meant. */
function alone(found: Candidate[]): Candidate[] {
  return new Set(found.map(({ fields }) => words(titleOf(fields) ?? ''))).size === 1 ? found : []
}

/** A thing with a name and a price may be a delivery; products also have one of these. */
const marks = [names.sku, names.images, names.brand, names.variants]

function rankOf(fields: Fields): number {
  return Object.values(names).filter((list) => fieldOf(fields, list) !== undefined).length
}
