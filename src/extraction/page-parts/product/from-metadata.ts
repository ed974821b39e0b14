import { readCurrency } from '../../values/number.ts'
import { plainText } from '../../values/plain-value.ts'
import { productFromFields, titleOf } from './from-fields.ts'
import {
  address,
  type Draft,
  type Fields,
  fieldOf,
  isFields,
  listOf,
  maxImages,
  readAvailability,
  readPrice,
  type Subject,
  stated,
} from './values.ts'

/** The product in the tags that a page offers to those who share it. */
export function productFromOpenGraph(tags: Map<string, string[]>, subject: Subject): Draft | undefined {
  const first = (...names: string[]) => names.map((name) => tags.get(name)?.[0]).find((text) => text)
  const money = (...kinds: string[]) => {
    const kind = kinds.find((name) => tags.has(`${name}:amount`))
    return kind ? readPrice(first(`${kind}:amount`), first(`${kind}:currency`, ...currencies)) : undefined
  }
  const title = plainText(first('og:title', 'product:title'), 1000)
  const listed = money('product:price', 'og:price')
  const price = money('product:sale_price') ?? listed
  // Shops give the type of a product to their categories too, but no price.
  if (!title || !price) return undefined
  const former = [money('product:original_price'), listed].find(
    (one) => one && price && one.amount > price.amount,
  )
  const images = (tags.get('og:image') ?? []).flatMap((image) => address(image, subject.base) ?? [])
  const variant = stated({
    sku: plainText(first('product:retailer_item_id', 'product:sku'), 200),
    price,
    sale: former && { originalPrice: former },
    availability: readAvailability(first('product:availability', 'og:availability')),
    images: images.length > 0 ? [...new Set(images)].slice(0, maxImages).map((url) => ({ url })) : undefined,
  })
  return stated({
    title,
    brand: plainText(first('product:brand', 'og:brand'), 500),
    category: plainText(first('product:category'), 500),
    url: address(first('og:url'), subject.base),
    description: plainText(first('og:description')),
    variants: [variant],
  })
}

const currencies = ['product:price:currency', 'og:price:currency']

/** The one product that the page told its tag manager is being looked at. */
export function productFromDataLayer(pushes: unknown[], subject: Subject): Draft | undefined {
  for (const push of pushes.filter(isFields)) {
    const commerce = fieldOf(push, ['ecommerce'])
    if (!isFields(commerce)) continue
    const [viewed, ...others] = viewedIn(push, commerce)
    if (!viewed || others.length > 0 || !titleOf(viewed)) continue
    const currency = fieldOf(commerce, ['currency', 'currencyCode'])
    const stated = typeof currency === 'string' ? readCurrency(currency) : undefined
    return productFromFields(viewed, subject, stated)
  }
  return undefined
}

/** The newer form names the event; the older has a place of its own for what is looked at. */
function viewedIn(push: Fields, commerce: Fields): Fields[] {
  const detail = fieldOf(commerce, ['detail'])
  const products = isFields(detail) ? fieldOf(detail, ['products']) : undefined
  const items = fieldOf(push, ['event']) === 'view_item' ? fieldOf(commerce, ['items']) : undefined
  return listOf(products ?? items).filter(isFields)
}
