import { isObject } from '../../schema/field-spec.ts'
import { readCurrency } from '../../values/number.ts'
import { plainText } from '../../values/plain-value.ts'
import fieldNames from './field-names.json' with { type: 'json' }
import {
  type Availability,
  type Draft,
  type DraftVariant,
  type Fields,
  fieldOf,
  type Image,
  isNamed,
  listOf,
  maxImages,
  maxVariants,
  normalizeText,
  type Price,
  readAvailability,
  readPrice,
  type Subject,
  toWebUrl,
  withoutUndefined,
} from './values.ts'

export const names = fieldNames

export function productFromFields(fields: Fields, subject: Subject, currency?: string): Draft {
  const title = titleOf(fields) ?? ''
  const shared: SharedData = {
    ...{ title, base: subject.base, images: imagesOf(fields, subject.base) },
    currency: currencyOf(fields) ?? currency,
    optionNames: listOf(fieldOf(fields, ['options'])).map((option) => plainText(nameOf(option), 100)),
    isInCents: Object.hasOwn(fields, 'price_min') && Number.isInteger(fields.price_min),
  }
  const variants = variantFields(fields)
  return withoutUndefined({
    title,
    brand: plainText(nameOf(fieldOf(fields, names.brand)), 500),
    category: plainText(nameOf(fieldOf(fields, names.category)), 500),
    url: toWebUrl(fieldOf(fields, names.url), subject.base),
    description: plainText(fieldOf(fields, names.description)),
    variants: (variants.length > 0 ? variants : [fields]).map((variant) =>
      variantOf(variant, fields, shared),
    ),
  })
}

export const titleOf = (fields: Fields) => plainText(fieldOf(fields, names.title), 1000)

interface SharedData {
  title: string
  base: string
  images: Image[] | undefined
  currency: string | undefined
  optionNames: (string | undefined)[]
  /** One shop platform writes integer cents, together with a `price_min` property. */
  isInCents: boolean
}

/** An empty list is skipped, because the variants may be under the next name. */
export function variantFields(fields: Fields): Fields[] {
  for (const name of names.variants) {
    const variants = listOf(fieldOf(fields, [name])).filter(isObject)
    if (variants.length > 0) return variants.slice(0, maxVariants)
  }
  return []
}

const nameOf = (value: unknown) => (isObject(value) ? fieldOf(value, ['name', 'title', 'label']) : value)

function variantOf(variant: Fields, product: Fields, shared: SharedData): DraftVariant {
  const title = plainText(fieldOf(variant, names.title), 1000)
  const price = toMainUnit(priceOf(variant, shared.currency) ?? priceOf(product, shared.currency), shared)
  const original = toMainUnit(
    readMoney(fieldOf(variant, names.original), currencyOf(variant) ?? shared.currency),
    shared,
  )
  return withoutUndefined({
    id: plainText(fieldOf(variant, names.id), 200),
    sku: plainText(fieldOf(variant, names.sku), 200),
    title:
      title && variant !== product && normalizeText(title) !== normalizeText(shared.title)
        ? title
        : undefined,
    values: readChoices(variant, shared),
    price,
    sale: price && original && original.amount > price.amount ? { originalPrice: original } : undefined,
    availability: stockOf(variant) ?? stockOf(product),
    images: imagesOf(variant, shared.base) ?? shared.images,
  })
}

export function priceOf(fields: Fields, currency?: string): Price | undefined {
  for (const name of names.price) {
    const price = readMoney(fieldOf(fields, [name]), currencyOf(fields) ?? currency)
    if (price) return price
  }
  return undefined
}

/** Money is a number, a text, or an object with an amount and a currency. */
function readMoney(value: unknown, currency: string | undefined, depth = 0): Price | undefined {
  // In a list of prices by country or quantity, the first price is the default.
  if (Array.isArray(value)) return depth < 3 ? readMoney(value[0], currency, depth + 1) : undefined
  if (!isObject(value)) return readPrice(value, currency)
  const ownCurrency = currencyOf(value) ?? currency
  const centAmount = fieldOf(value, ['centAmount'])
  if (typeof centAmount === 'number')
    return readPrice(centAmount / 10 ** Number(fieldOf(value, ['fractionDigits']) ?? 2), ownCurrency)
  return depth < 3 ? readMoney(fieldOf(value, innerNames), ownCurrency, depth + 1) : undefined
}

const innerNames =
  'current sale selling final now amount value price minVariantPrice minimum min low raw regular'.split(' ')

function currencyOf(fields: Fields): string | undefined {
  const code = fieldOf(fields, names.currency)
  return typeof code === 'string' ? readCurrency(code) : undefined
}

function toMainUnit(price: Price | undefined, shared: SharedData): Price | undefined {
  return price && shared.isInCents ? { ...price, amount: price.amount / 100 } : price
}

function stockOf(fields: Fields): Availability | undefined {
  const isSoldOut = fieldOf(fields, ['soldOut', 'isSoldOut', 'sold_out'])
  if (typeof isSoldOut === 'boolean') return { inStock: !isSoldOut }
  return readAvailability(fieldOf(fields, names.stock))
}

/** Options are a list with names, numbered options that the product names, or separate properties. */
function readChoices(variant: Fields, shared: SharedData): Record<string, string> | undefined {
  const options = listOf(fieldOf(variant, ['selectedOptions', 'optionValues', 'attributes'])).filter(isObject)
  const listedOptions = options.map((option) => [fieldOf(option, ['name']), fieldOf(option, ['value'])])
  const numberedOptions = [1, 2, 3].map((number) => [
    shared.optionNames[number - 1],
    fieldOf(variant, [`option${number}`]),
  ])
  const choiceNames = ['color', 'colour', 'size', 'material']
  const namedOptions = choiceNames.map((name) => [name, nameOf(fieldOf(variant, [name]))])
  const found = new Map<string, string>()
  for (const [name, value] of [...listedOptions, ...numberedOptions, ...namedOptions].slice(0, 30)) {
    const [key, text] = [plainText(name, 100), plainText(value, 200)]
    if (key && text && key !== '__proto__' && !found.has(key)) found.set(key, text)
  }
  return found.size > 0 ? Object.fromEntries(found) : undefined
}

function imagesOf(fields: Fields, base: string): Image[] | undefined {
  const images = new Map<string, Image>()
  for (const name of names.images) {
    const value = fieldOf(fields, [name])
    for (const image of Array.isArray(value) || isObject(value) ? listOf(value) : [value]) {
      const [imageUrl, altText] = isObject(image)
        ? [fieldOf(image, imageUrlNames), fieldOf(image, ['alt', 'altText', 'alt_text'])]
        : [image]
      const [url, alt] = [toWebUrl(imageUrl, base), plainText(altText, 500)]
      if (url && !images.has(url) && images.size < maxImages) images.set(url, withoutUndefined({ url, alt }))
    }
  }
  return images.size > 0 ? [...images.values()] : undefined
}

const imageUrlNames = ['url', 'src', 'href', 'originalSrc', 'contentUrl']
/** A state may contain a complete shop catalogue. */
const maxVisited = 50_000
const maxDepth = 14

/**
 * States contain unrelated data, so a candidate must have a price. It must match the page by title or URL, or be the
 * only object with a property name such as `product`.
 */
export function productFromState(states: unknown[], subject: Subject): Draft | undefined {
  const found = candidates(states)
  const subjectCandidates = found.filter(({ fields }) => isSubject(fields, subject))
  const subjects =
    subjectCandidates.length > 0
      ? subjectCandidates
      : ifUnambiguous(found.filter(({ isCalledProduct }) => isCalledProduct))
  const ranked = subjects
    .map(({ fields }) => ({ fields, rank: countProperties(fields) }))
    .sort((a, b) => b.rank - a.rank)
  return ranked[0] && productFromFields(ranked[0].fields, subject)
}

interface Candidate {
  fields: Fields
  isCalledProduct: boolean
}

const singleProductName = /^(?:current|selected|main|initial)?product(?:details?|data|info)?$|^pdp$/i

function candidates(states: unknown[]): Candidate[] {
  const found: Candidate[] = []
  let level: [name: string, value: unknown][] = states.map((state) => ['', state])
  let visited = 0
  for (let depth = 0; depth < maxDepth && level.length > 0; depth += 1) {
    const next: [string, unknown][] = []
    for (const [name, value] of level) {
      visited += 1
      if (visited > maxVisited) return found
      if (isObject(value) && isProduct(value))
        found.push({ fields: value, isCalledProduct: singleProductName.test(name) })
      if (typeof value !== 'object' || value === null) continue
      for (const [key, inner] of Object.entries(value))
        if (typeof inner === 'object' && inner) next.push([key, inner])
      if (next.length > maxVisited) break
    }
    level = next
  }
  return found
}

function isProduct(fields: Fields): boolean {
  if (!productProperties.some((list) => fieldOf(fields, list) !== undefined)) return false
  if (!titleOf(fields)) return false
  return [fields, ...variantFields(fields)].some((item) => priceOf(item) !== undefined)
}

function isSubject(fields: Fields, { titles, url, base }: Subject): boolean {
  if (isNamed(titleOf(fields) ?? '', titles)) return true
  const path = URL.parse(url)?.pathname.replace(/\/+$/, '') ?? ''
  const productUrl = fieldOf(fields, names.url)
  const productPath =
    typeof productUrl === 'string' ? URL.parse(productUrl, base)?.pathname.replace(/\/+$/, '') : undefined
  if (path !== '' && productPath === path) return true
  const slug = fieldOf(fields, ['slug', 'handle', 'urlKey', 'url_key'])
  return typeof slug === 'string' && slug.length >= 3 && path.endsWith(`/${slug}`)
}

function ifUnambiguous(found: Candidate[]): Candidate[] {
  return new Set(found.map(({ fields }) => normalizeText(titleOf(fields) ?? ''))).size === 1 ? found : []
}

/** An object with only a name and a price may be a delivery option, so a product must have one of these. */
const productProperties = [names.sku, names.images, names.brand, names.variants]

function countProperties(fields: Fields): number {
  return Object.values(names).filter((list) => fieldOf(fields, list) !== undefined).length
}
