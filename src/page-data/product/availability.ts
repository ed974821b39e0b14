import type { Availability } from './draft.ts'

const absent =
  /^(?:out|sold|discontinued|backorder|preorder|presale|reserved|unavailable|oos|notavailable|pending)/
const present =
  /^(?:instock|limitedavailability|onlineonly|instoreonly|available|madetoorder|lowstock|limited)/

/** What a source says of the stock: a name of schema.org, words, a number of pieces, or yes and no. */
export function readAvailability(value: unknown): Availability | undefined {
  if (typeof value === 'boolean') return { inStock: value }
  if (typeof value === 'number') return { inStock: value > 0 }
  if (typeof value !== 'string' || value.length > 200) return undefined
  const text = value.trim().replace(/^.*schema\.org\//i, '')
  const word = text.toLowerCase().replace(/[^a-z]/g, '')
  if (word === 'true' || word === 'false') return { inStock: word === 'true' }
  if (absent.test(word)) return { inStock: false, text }
  if (present.test(word)) return { inStock: true, text }
  return undefined
}
