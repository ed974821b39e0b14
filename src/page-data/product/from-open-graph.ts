import { plainText } from '../../reading/values/plain-value.ts'
import { readAvailability } from './availability.ts'
import { type Draft, maxImages, type Subject, stated } from './draft.ts'
import { readPrice } from './money.ts'
import { address } from './text.ts'

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
