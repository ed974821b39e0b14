import { isThing, type Thing, textOf, thingsOf, valuesOf } from '../../reading/structured-data/thing.ts'
import { plainText } from '../../reading/values/plain-value.ts'
import { readAvailability } from './availability.ts'
import { type DraftVariant, type Image, maxImages, type Price, stated } from './draft.ts'
import { readPrice } from './money.ts'
import { address, words } from './text.ts'

/** What variants have from the product they belong to. */
interface Shared {
  title: string
  images: Image[]
  /** Offers of the whole product: they count where a variant has none of its own. */
  offers: Thing[]
  base: string
}

/** One member of a product, and an entry for each of its offers that names a choice of its own. */
export function variantsOf(member: Thing, shared: Shared): DraftVariant[] {
  const own = thingsOf(member, 'offers')
  const offers = (own.length > 0 ? own : shared.offers).flatMap((offer) => {
    const inner = thingsOf(offer, 'offers')
    return inner.length > 0 ? inner : [offer]
  })
  const choices = new Set(offers.map(choiceOf))
  // Offers that differ in nothing but price are of several sellers: the page sells the cheapest it has.
  if (offers.length <= 1 || choices.size !== offers.length) return [variantOf(member, best(offers), shared)]
  return offers.map((offer) => variantOf(member, offer, shared))
}

function choiceOf(offer: Thing): string {
  const [thing] = thingsOf(offer, 'itemOffered')
  const named =
    textOf(offer, 'sku', 'mpn', 'gtin13', 'gtin', 'name') ?? (thing && textOf(thing, 'sku', 'name'))
  return named ?? variantId(textOf(offer, 'url')) ?? ''
}

/** Shops on a common platform tell variants by one parameter of the address. */
function variantId(url: string | undefined): string | undefined {
  return /[?&]variant=(\w{1,60})/.exec(url ?? '')?.[1]
}

function best(offers: Thing[]): Thing | undefined {
  const priced = offers.map((offer) => ({ offer, amount: currentPrice(offer)?.amount ?? Infinity }))
  const inStock = priced.filter(
    ({ offer }) => readAvailability(textOf(offer, 'availability'))?.inStock !== false,
  )
  return (inStock.length > 0 ? inStock : priced).sort((a, b) => a.amount - b.amount)[0]?.offer
}

function variantOf(member: Thing, offer: Thing | undefined, shared: Shared): DraftVariant {
  const [offered] = offer ? thingsOf(offer, 'itemOffered') : []
  const sources = [offer, offered, member].filter((source) => source !== undefined)
  const first = (...names: string[]) =>
    sources.map((source) => textOf(source, ...names)).find((text) => text !== undefined)
  const title = plainText(first('name'), 1000)
  const images = sources.map((source) => imagesOf(source, shared.base)).find((found) => found.length > 0)
  const price = offer && currentPrice(offer)
  const original = offer && price && originalPrice(offer, price)
  return stated({
    id: first('productID', 'gtin13', 'gtin', 'gtin12', 'gtin8') ?? (offer && variantId(textOf(offer, 'url'))),
    sku: first('sku'),
    title: title && words(title) !== words(shared.title) ? title : undefined,
    values: choices(offered ?? member, offer),
    price,
    sale: original && { originalPrice: original },
    availability: offer && readAvailability(textOf(offer, 'availability')),
    images: images ?? (shared.images.length > 0 ? shared.images : undefined),
  })
}

const options = ['color', 'size', 'material', 'pattern', 'flavor', 'scent']

function choices(product: Thing, offer: Thing | undefined): Record<string, string> | undefined {
  const found = new Map<string, string>()
  for (const source of offer ? [product, offer] : [product]) {
    for (const option of options) {
      const value = plainText(textOf(source, option), 200)
      if (value) found.set(option, value)
    }
  }
  const isVariant = product.properties.has('isVariantOf') || product.properties.has('inProductGroupWithID')
  for (const property of isVariant ? thingsOf(product, 'additionalProperty').slice(0, 20) : []) {
    const [name, value] = [
      plainText(textOf(property, 'name'), 100),
      plainText(textOf(property, 'value'), 200),
    ]
    if (name && value && name !== '__proto__') found.set(name, value)
  }
  return found.size > 0 ? Object.fromEntries(found) : undefined
}

/** Kinds of price that are crossed out where something is on sale. */
const formerKinds = /listprice|strikethrough|msrp|srp$|regular|suggested/i

function currentPrice(offer: Thing): Price | undefined {
  const currency = textOf(offer, 'priceCurrency')
  const specified = pricesOf(offer)
  const onSale = specified.find(({ kind }) => /saleprice/i.test(kind))
  const own = readPrice(textOf(offer, 'price') ?? textOf(offer, 'lowPrice'), currency)
  if (own && (!onSale || onSale.price.amount > own.amount)) return own
  return (onSale ?? specified.find(({ kind }) => !formerKinds.test(kind)))?.price
}

function originalPrice(offer: Thing, current: Price): Price | undefined {
  const own = readPrice(textOf(offer, 'price'), textOf(offer, 'priceCurrency'))
  const former = pricesOf(offer).filter(({ kind }) => formerKinds.test(kind))
  return [...former.map(({ price }) => price), own].find((price) => price && price.amount > current.amount)
}

function pricesOf(offer: Thing): { kind: string; price: Price }[] {
  return (
    thingsOf(offer, 'priceSpecification')
      .slice(0, 20)
      // A price per litre or kilogram is not what the product costs.
      .filter((specification) => !specification.properties.has('referenceQuantity'))
      .flatMap((specification) => {
        const currency = textOf(specification, 'priceCurrency') ?? textOf(offer, 'priceCurrency')
        const price = readPrice(textOf(specification, 'price', 'minPrice'), currency)
        return price ? [{ kind: textOf(specification, 'priceType', 'name') ?? '', price }] : []
      })
  )
}

export function imagesOf(thing: Thing, base: string): Image[] {
  const images = new Map<string, Image>()
  for (const value of valuesOf(thing, 'image', 'images', 'photo')) {
    if (images.size >= maxImages) break
    const url = address(isThing(value) ? (textOf(value, 'contentUrl', 'url') ?? value.id) : value, base)
    const alt = isThing(value) ? plainText(textOf(value, 'caption', 'name', 'alternateName'), 500) : undefined
    if (url && !images.has(url)) images.set(url, stated({ url, alt }))
  }
  return [...images.values()]
}
