import { absoluteUrl } from '../../../content/addresses.ts'
import { readAmount, readCurrency } from '../../values/number.ts'

export function address(given: unknown, base: string): string | undefined {
  if (typeof given !== 'string' || given.length > 4000) return undefined
  const url = absoluteUrl(given, base)
  return url && /^https?:/.test(url) ? url : undefined
}

/** Whether one of the titles, as `words` gives them, names this product, perhaps among other words. */
export function isNamed(name: string, titles: string[]): boolean {
  const own = words(name)
  if (own.length < 3) return false
  return titles.some((title) => {
    const isPart = ` ${title} `.includes(` ${own} `)
    // A title may be shorter than the full name, but one word of it names nothing.
    return isPart || (title.length >= 8 && title.includes(' ') && ` ${own} `.includes(` ${title} `))
  })
}

/** How a name reads once case and punctuation are left out. */
export function words(text: string): string {
  return text
    .slice(0, 1000)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** A price as a source gives it: a number, or text with or without a currency in it. */
export function readPrice(value: unknown, currency?: string): Price | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const amount = readAmount(text)
  if (amount === undefined) return undefined
  const isShown = /[^\d.,\s]/.test(text)
  return stated({
    amount,
    currency: readCurrency(currency) ?? (isShown ? readCurrency(text) : undefined),
    formatted: isShown ? text : undefined,
  })
}

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

/** An object of a page's state. */
export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The first of these fields that holds something. */
export function fieldOf(fields: Fields, names: string[]): unknown {
  for (const name of names) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (value !== undefined && value !== null && value !== '') return value
  }
  return undefined
}

const maxListed = 1000

/** A list as states hold it: an array, the nodes or edges of a graph query, or one object alone. */
export function listOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.slice(0, maxListed)
  if (!isFields(value)) return []
  const inner = fieldOf(value, ['nodes', 'edges'])
  if (!Array.isArray(inner)) return [value]
  return inner.slice(0, maxListed).map((edge) => (isFields(edge) ? (fieldOf(edge, ['node']) ?? edge) : edge))
}

/** A product as one source of a page tells it: what the source does not say is not there. */
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
  /** Options such as colour and size. */
  values?: Record<string, string>
  price?: Price
  sale?: { originalPrice: Price }
  availability?: Availability
  images?: Image[]
}

export interface Price {
  amount: number
  currency?: string
  /** As the page shows it. */
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

/** What a source may compare itself with to know whether a product is the subject of the page. */
export interface Subject {
  url: string
  base: string
  /** Its heading and titles, in plain words. */
  titles: string[]
}

export const maxVariants = 250
export const maxImages = 20

/** An object without the entries that have no value. */
export function stated<Given extends object>(given: Given): Stated<Given> {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined)
  // What is left of the keys is exactly those with a value, which is what the type says.
  return Object.fromEntries(kept) as Stated<Given>
}

type Stated<Given> = {
  [Key in keyof Given as undefined extends Given[Key] ? never : Key]: Given[Key]
} & { [Key in keyof Given as undefined extends Given[Key] ? Key : never]?: Exclude<Given[Key], undefined> }
