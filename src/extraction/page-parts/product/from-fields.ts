import { readCurrency } from '../../values/number.ts'
import { plainText } from '../../values/plain-value.ts'
import fieldNames from './field-names.json' with { type: 'json' }
import {
  type Availability,
  address,
  type Draft,
  type DraftVariant,
  type Fields,
  fieldOf,
  type Image,
  isFields,
  isNamed,
  listOf,
  maxImages,
  maxVariants,
  type Price,
  readAvailability,
  readPrice,
  type Subject,
  stated,
  words,
} from './values.ts'

/** Under which names scripts keep what a product has; the first that holds something counts. */
export const names = fieldNames

/** A product written as an object of any of the common shapes. */
export function productFromFields(fields: Fields, subject: Subject, currency?: string): Draft {
  const title = titleOf(fields) ?? ''
  const shared: Shared = {
    ...{ title, base: subject.base, images: imagesOf(fields, subject.base) },
    currency: currencyOf(fields) ?? currency,
    optionNames: listOf(fieldOf(fields, ['options'])).map((option) => plainText(nameOf(option), 100)),
    isInCents: Object.hasOwn(fields, 'price_min') && Number.isInteger(fields.price_min),
  }
  const variants = variantFields(fields)
  return stated({
    title,
    brand: plainText(nameOf(fieldOf(fields, names.brand)), 500),
    category: plainText(nameOf(fieldOf(fields, names.category)), 500),
    url: address(fieldOf(fields, names.url), subject.base),
    description: plainText(fieldOf(fields, names.description)),
    variants: (variants.length > 0 ? variants : [fields]).map((variant) =>
      variantOf(variant, fields, shared),
    ),
  })
}

export function titleOf(fields: Fields): string | undefined {
  return plainText(fieldOf(fields, names.title), 1000)
}

interface Shared {
  title: string
  base: string
  images: Image[]
  currency: string | undefined
  optionNames: (string | undefined)[]
  /** One platform writes its prices as whole cents, and a lowest price beside them. */
  isInCents: boolean
}

/** An empty list says nothing: what is sold may stand under the next name. */
export function variantFields(fields: Fields): Fields[] {
  for (const name of names.variants) {
    const variants = listOf(fieldOf(fields, [name])).filter(isFields)
    if (variants.length > 0) return variants.slice(0, maxVariants)
  }
  return []
}

function nameOf(value: unknown): unknown {
  return isFields(value) ? fieldOf(value, ['name', 'title', 'label']) : value
}

function variantOf(variant: Fields, product: Fields, shared: Shared): DraftVariant {
  const title = plainText(fieldOf(variant, names.title), 1000)
  const price = scaled(priceOf(variant, shared.currency) ?? priceOf(product, shared.currency), shared)
  const original = scaled(
    readMoney(fieldOf(variant, names.original), currencyOf(variant) ?? shared.currency),
    shared,
  )
  const own = imagesOf(variant, shared.base)
  const images = own.length > 0 ? own : shared.images
  return stated({
    id: plainText(fieldOf(variant, names.id), 200),
    sku: plainText(fieldOf(variant, names.sku), 200),
    title: title && variant !== product && words(title) !== words(shared.title) ? title : undefined,
    values: choices(variant, shared),
    price,
    sale: price && original && original.amount > price.amount ? { originalPrice: original } : undefined,
    availability: stockOf(variant) ?? stockOf(product),
    images: images.length > 0 ? images : undefined,
  })
}

export function priceOf(fields: Fields, currency?: string): Price | undefined {
  for (const name of names.price) {
    const price = readMoney(fieldOf(fields, [name]), currencyOf(fields) ?? currency)
    if (price) return price
  }
  return undefined
}

/** Money as a number, as text, or as an object of an amount and a currency. */
function readMoney(value: unknown, currency: string | undefined, depth = 0): Price | undefined {
  // Of several, for other countries or amounts, the first is the one that holds without conditions.
  if (Array.isArray(value)) return depth < 3 ? readMoney(value[0], currency, depth + 1) : undefined
  if (!isFields(value)) return readPrice(value, currency)
  const own = currencyOf(value) ?? currency
  const cents = fieldOf(value, ['centAmount'])
  if (typeof cents === 'number') {
    return readPrice(cents / 10 ** Number(fieldOf(value, ['fractionDigits']) ?? 2), own)
  }
  const inner = fieldOf(value, innerNames)
  return depth < 3 ? readMoney(inner, own, depth + 1) : undefined
}

const innerNames =
  'current sale selling final now amount value price minVariantPrice minimum min low raw regular'.split(' ')

function currencyOf(fields: Fields): string | undefined {
  const code = fieldOf(fields, names.currency)
  return typeof code === 'string' ? readCurrency(code) : undefined
}

function scaled(price: Price | undefined, shared: Shared): Price | undefined {
  return price && shared.isInCents ? { ...price, amount: price.amount / 100 } : price
}

function stockOf(fields: Fields): Availability | undefined {
  const isSoldOut = fieldOf(fields, ['soldOut', 'isSoldOut', 'sold_out'])
  if (typeof isSoldOut === 'boolean') return { inStock: !isSoldOut }
  return readAvailability(fieldOf(fields, names.stock))
}

/** Options are listed with names, numbered as the product lists them, or fields of their own. */
function choices(variant: Fields, shared: Shared): Record<string, string> | undefined {
  const selected = listOf(fieldOf(variant, ['selectedOptions', 'optionValues', 'attributes'])).filter(
    isFields,
  )
  const chosen = selected.map((option) => [fieldOf(option, ['name']), fieldOf(option, ['value'])])
  const numbered = [1, 2, 3].map((number) => [
    shared.optionNames[number - 1],
    fieldOf(variant, [`option${number}`]),
  ])
  const named = ['color', 'colour', 'size', 'material'].map((name) => [
    name,
    nameOf(fieldOf(variant, [name])),
  ])
  const found = new Map<string, string>()
  for (const [name, value] of [...chosen, ...numbered, ...named].slice(0, 30)) {
    const [key, text] = [plainText(name, 100), plainText(value, 200)]
    if (key && text && key !== '__proto__' && !found.has(key)) found.set(key, text)
  }
  return found.size > 0 ? Object.fromEntries(found) : undefined
}

function imagesOf(fields: Fields, base: string): Image[] {
  const images = new Map<string, Image>()
  for (const name of names.images) {
    const value = fieldOf(fields, [name])
    for (const image of Array.isArray(value) || isFields(value) ? listOf(value) : [value]) {
      const given = isFields(image)
        ? fieldOf(image, ['url', 'src', 'href', 'originalSrc', 'contentUrl'])
        : image
      const url = address(given, base)
      const alt = isFields(image) ? plainText(fieldOf(image, ['alt', 'altText', 'alt_text']), 500) : undefined
      if (url && !images.has(url) && images.size < maxImages) images.set(url, stated({ url, alt }))
    }
  }
  return [...images.values()]
}

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
