import { readCurrency } from '../../reading/values/money.ts'
import { plainText } from '../../reading/values/plain-value.ts'
import { readAvailability } from './availability.ts'
import {
  type Availability,
  type Draft,
  type DraftVariant,
  type Image,
  maxImages,
  maxVariants,
  type Price,
  type Subject,
  stated,
} from './draft.ts'
import { type Fields, fieldOf, isFields, listOf } from './fields.ts'
import { readPrice } from './money.ts'
import { address, words } from './text.ts'

const listed = (text: string) => text.split(' ')

/** Under which names scripts keep what a product has; the first that holds something counts. */
export const names = {
  title: listed('title name productName displayName item_name'),
  brand: listed('brand brandName vendor manufacturer item_brand'),
  category: listed('category categoryName productType product_type item_category'),
  description: listed('description descriptionHtml body_html longDescription shortDescription'),
  url: listed('url canonicalUrl productUrl onlineStoreUrl'),
  id: listed('id productId product_id item_id'),
  sku: listed('sku skuId articleNumber'),
  images: listed('images image featuredImage featured_image imageUrl image_url media gallery'),
  variants: listed('variants skus productVariants variations masterVariant'),
  price: listed(
    'salePrice sale_price specialPrice finalPrice final_price currentPrice sellingPrice price prices priceV2 ' +
      'priceRange pricing',
  ),
  original: listed(
    'compareAtPrice compare_at_price originalPrice original_price listPrice regularPrice regular_price ' +
      'wasPrice oldPrice msrp price',
  ),
  currency: listed('currency currencyCode priceCurrency currency_code'),
  stock: listed(
    'inStock in_stock isInStock available availableForSale isAvailable availability stockStatus ' +
      'stock_status stock stockQuantity inventoryQuantity inventory_quantity',
  ),
}

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

const innerNames = listed(
  'current sale selling final now amount value price minVariantPrice minimum min low raw regular',
)

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
