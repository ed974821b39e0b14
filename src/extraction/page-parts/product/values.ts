import { absoluteUrl } from '../../../content/addresses.ts'
import { isObject } from '../../schema/field-spec.ts'
import { readAmount, readCurrency } from '../../values/number.ts'

export function toWebUrl(rawUrl: unknown, base: string): string | undefined {
  if (typeof rawUrl !== 'string' || rawUrl.length > 4000) return undefined
  const url = absoluteUrl(rawUrl, base)
  return url && /^https?:/.test(url) ? url : undefined
}

/** True if one of the normalized titles contains the product name, or the reverse. */
export function isNamed(name: string, titles: string[]): boolean {
  const normalizedName = normalizeText(name)
  if (normalizedName.length < 3) return false
  return titles.some((title) => {
    if (` ${title} `.includes(` ${normalizedName} `)) return true
    // A title may be shorter than the full name, but a single word is not enough.
    return title.length >= 8 && title.includes(' ') && ` ${normalizedName} `.includes(` ${title} `)
  })
}

export function normalizeText(text: string): string {
  return text
    .slice(0, 1000)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

export function readPrice(value: unknown, currency?: string): Price | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const amount = readAmount(text)
  if (amount === undefined) return undefined
  const hasOtherText = /[^\d.,\s]/.test(text)
  return withoutUndefined({
    amount,
    currency: readCurrency(currency) ?? (hasOtherText ? readCurrency(text) : undefined),
    formatted: hasOtherText ? text : undefined,
  })
}

const outOfStockWords =
  /^(?:out|sold|discontinued|backorder|preorder|presale|reserved|unavailable|oos|notavailable|pending)/
const inStockWords =
  /^(?:instock|limitedavailability|onlineonly|instoreonly|available|madetoorder|lowstock|limited)/

/** An availability is a schema.org name, a text, a stock count or a boolean. */
export function readAvailability(value: unknown): Availability | undefined {
  if (typeof value === 'boolean') return { inStock: value }
  if (typeof value === 'number') return { inStock: value > 0 }
  if (typeof value !== 'string' || value.length > 200) return undefined
  const text = value.trim().replace(/^.*schema\.org\//i, '')
  const word = text.toLowerCase().replace(/[^a-z]/g, '')
  if (word === 'true' || word === 'false') return { inStock: word === 'true' }
  if (outOfStockWords.test(word)) return { inStock: false, text }
  if (inStockWords.test(word)) return { inStock: true, text }
  return undefined
}

export type Fields = Record<string, unknown>

export function fieldOf(fields: Fields, names: string[]): unknown {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}

const maxEntries = 1000

/** A list is an array, the nodes or edges of a GraphQL connection, or a single object. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.slice(0, maxEntries)
  if (!isObject(value)) return []
  const inner = fieldOf(value, ['nodes', 'edges'])
  if (!Array.isArray(inner)) return [value]
  return inner.slice(0, maxEntries).map((edge) => (isObject(edge) ? (fieldOf(edge, ['node']) ?? edge) : edge))
}

export interface Draft {
  title: string
  brand?: string
  category?: string
  url?: string
  description?: string
  variants: DraftVariant[]
}

export interface DraftVariant {
  id?: string
  sku?: string
  title?: string
  values?: Record<string, string>
  price?: Price
  sale?: { originalPrice: Price }
  availability?: Availability
  images?: Image[]
}

export interface Price {
  amount: number
  currency?: string
  formatted?: string
}

export interface Availability {
  inStock: boolean
  text?: string
}

export interface Image {
  url: string
  alt?: string
}

export interface Subject {
  url: string
  base: string
  /** Headings and titles, normalized with `normalizeText`. */
  titles: string[]
}

export const maxVariants = 250
export const maxImages = 20

export function withoutUndefined<Input extends object>(object: Input): Defined<Input> {
  // The remaining keys are exactly those with a value, as the type states.
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined),
  ) as Defined<Input>
}

type Defined<Input> = {
  [Key in keyof Input as undefined extends Input[Key] ? never : Key]: Input[Key]
} & { [Key in keyof Input as undefined extends Input[Key] ? Key : never]?: Exclude<Input[Key], undefined> }
