import { isObject } from '../../schema/field-spec.ts'
import { readCurrency } from '../../values/number.ts'
import { plainText } from '../../values/plain-value.ts'
import { productFromFields, titleOf } from './from-fields.ts'
import {
  type Draft,
  type Fields,
  fieldOf,
  listOf,
  maxImages,
  readAvailability,
  readPrice,
  type Subject,
  toWebUrl,
  withoutUndefined,
} from './values.ts'

export function productFromOpenGraph(tags: Map<string, string[]>, subject: Subject): Draft | undefined {
  const first = (...names: string[]) => names.map((name) => tags.get(name)?.[0]).find((text) => text)
  const readMoneyTag = (...kinds: string[]) => {
    const kind = kinds.find((name) => tags.has(`${name}:amount`))
    return kind ? readPrice(first(`${kind}:amount`), first(`${kind}:currency`, ...currencies)) : undefined
  }
  const title = plainText(first('og:title', 'product:title'), 1000)
  const listPrice = readMoneyTag('product:price', 'og:price')
  const price = readMoneyTag('product:sale_price') ?? listPrice
  // Shops also declare the product type for category pages, but without a price.
  if (!title || !price) return undefined
  const originalPrice = [readMoneyTag('product:original_price'), listPrice].find(
    (candidate) => candidate && price && candidate.amount > price.amount,
  )
  const images = (tags.get('og:image') ?? []).flatMap((image) => toWebUrl(image, subject.base) ?? [])
  const variant = withoutUndefined({
    sku: plainText(first('product:retailer_item_id', 'product:sku'), 200),
    price,
    sale: originalPrice && { originalPrice },
    availability: readAvailability(first('product:availability', 'og:availability')),
    images: images.length > 0 ? [...new Set(images)].slice(0, maxImages).map((url) => ({ url })) : undefined,
  })
  return withoutUndefined({
    title,
    brand: plainText(first('product:brand', 'og:brand'), 500),
    category: plainText(first('product:category'), 500),
    url: toWebUrl(first('og:url'), subject.base),
    description: plainText(first('og:description')),
    variants: [variant],
  })
}

const currencies = ['product:price:currency', 'og:price:currency']

/** Reads the single product of a product view event in the tag manager data. */
export function productFromDataLayer(pushes: unknown[], subject: Subject): Draft | undefined {
  for (const push of pushes.filter(isObject)) {
    const commerce = fieldOf(push, ['ecommerce'])
    if (!isObject(commerce)) continue
    const [product, ...others] = viewedProducts(push, commerce)
    if (!product || others.length > 0 || !titleOf(product)) continue
    const currency = fieldOf(commerce, ['currency', 'currencyCode'])
    const currencyCode = typeof currency === 'string' ? readCurrency(currency) : undefined
    return productFromFields(product, subject, currencyCode)
  }
  return undefined
}

/** The newer format names the event; the older has a `detail` entry. */
function viewedProducts(push: Fields, commerce: Fields): Fields[] {
  const detail = fieldOf(commerce, ['detail'])
  const products = isObject(detail) ? fieldOf(detail, ['products']) : undefined
  const items = fieldOf(push, ['event']) === 'view_item' ? fieldOf(commerce, ['items']) : undefined
  return listOf(products ?? items).filter(isObject)
}
