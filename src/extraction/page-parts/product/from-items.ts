import {
  hasType,
  isStructuredItem,
  type StructuredItem,
  structuredItemsOf,
  textOf,
  valuesOf,
} from '../../structured-data/structured-item.ts'
import { plainText } from '../../values/plain-value.ts'
import {
  address,
  type Draft,
  type DraftVariant,
  type Image,
  isNamed,
  maxImages,
  maxVariants,
  type Price,
  readAvailability,
  readPrice,
  type Subject,
  stated,
  words,
} from './values.ts'

/** What variants have from the product they belong to. */
interface Shared {
  title: string
  images: Image[]
  /** Offers of the whole product: they count where a variant has none of its own. */
  offers: StructuredItem[]
  base: string
}

/** One member of a product, and an entry for each of its offers that names a choice of its own. */
function variantsOf(member: StructuredItem, shared: Shared): DraftVariant[] {
  const own = structuredItemsOf(member, 'offers')
  const offers = (own.length > 0 ? own : shared.offers).flatMap((offer) => {
    const inner = structuredItemsOf(offer, 'offers')
    return inner.length > 0 ? inner : [offer]
  })
  const choices = new Set(offers.map(choiceOf))
  // Offers that differ in nothing but price are of several sellers: the page sells the cheapest it has.
  if (offers.length <= 1 || choices.size !== offers.length) return [variantOf(member, best(offers), shared)]
  return offers.map((offer) => variantOf(member, offer, shared))
}

function choiceOf(offer: StructuredItem): string {
  const [thing] = structuredItemsOf(offer, 'itemOffered')
  const named =
    textOf(offer, 'sku', 'mpn', 'gtin13', 'gtin', 'name') ?? (thing && textOf(thing, 'sku', 'name'))
  return named ?? variantId(textOf(offer, 'url')) ?? ''
}

/** Shops on a common platform tell variants by one parameter of the address. */
function variantId(url: string | undefined): string | undefined {
  return /[?&]variant=(\w{1,60})/.exec(url ?? '')?.[1]
}

function best(offers: StructuredItem[]): StructuredItem | undefined {
  const priced = offers.map((offer) => ({ offer, amount: currentPrice(offer)?.amount ?? Infinity }))
  const inStock = priced.filter(
    ({ offer }) => readAvailability(textOf(offer, 'availability'))?.inStock !== false,
  )
  return (inStock.length > 0 ? inStock : priced).sort((a, b) => a.amount - b.amount)[0]?.offer
}

function variantOf(member: StructuredItem, offer: StructuredItem | undefined, shared: Shared): DraftVariant {
  const [offered] = offer ? structuredItemsOf(offer, 'itemOffered') : []
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

function choices(
  product: StructuredItem,
  offer: StructuredItem | undefined,
): Record<string, string> | undefined {
  const found = new Map<string, string>()
  for (const source of offer ? [product, offer] : [product]) {
    for (const option of options) {
      const value = plainText(textOf(source, option), 200)
      if (value) found.set(option, value)
    }
  }
  const isVariant = product.properties.has('isVariantOf') || product.properties.has('inProductGroupWithID')
  for (const property of isVariant ? structuredItemsOf(product, 'additionalProperty').slice(0, 20) : []) {
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

function currentPrice(offer: StructuredItem): Price | undefined {
  const currency = textOf(offer, 'priceCurrency')
  const specified = pricesOf(offer)
  const onSale = specified.find(({ kind }) => /saleprice/i.test(kind))
  const own = readPrice(textOf(offer, 'price') ?? textOf(offer, 'lowPrice'), currency)
  if (own && (!onSale || onSale.price.amount > own.amount)) return own
  return (onSale ?? specified.find(({ kind }) => !formerKinds.test(kind)))?.price
}

function originalPrice(offer: StructuredItem, current: Price): Price | undefined {
  const own = readPrice(textOf(offer, 'price'), textOf(offer, 'priceCurrency'))
  const former = pricesOf(offer).filter(({ kind }) => formerKinds.test(kind))
  return [...former.map(({ price }) => price), own].find((price) => price && price.amount > current.amount)
}

function pricesOf(offer: StructuredItem): { kind: string; price: Price }[] {
  return (
    structuredItemsOf(offer, 'priceSpecification')
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

function imagesOf(thing: StructuredItem, base: string): Image[] {
  const images = new Map<string, Image>()
  for (const value of valuesOf(thing, 'image', 'images', 'photo')) {
    if (images.size >= maxImages) break
    const url = address(
      isStructuredItem(value) ? (textOf(value, 'contentUrl', 'url') ?? value.id) : value,
      base,
    )
    const alt = isStructuredItem(value)
      ? plainText(textOf(value, 'caption', 'name', 'alternateName'), 500)
      : undefined
    if (url && !images.has(url)) images.set(url, stated({ url, alt }))
  }
  return [...images.values()]
}

const products = new Set([
  ...['product', 'productgroup', 'individualproduct', 'productmodel', 'someproducts'],
  ...['vehicle', 'car', 'motorcycle'],
])
const pages = new Set(['webpage', 'itempage', 'productpage', 'collectionpage', 'aboutpage'])

/** The product that the page is about; `several` when many are described and none stands out. */
export function productFromItems(things: StructuredItem[], subject: Subject): Draft | 'several' | undefined {
  const described = [
    ...things,
    ...things
      .filter((thing) => hasType(thing, pages))
      .flatMap((page) => structuredItemsOf(page, 'mainEntity')),
  ].filter((thing) => hasType(thing, products) && plainText(textOf(thing, 'name')))
  const families = familiesOf([...new Set(described)])
  const main = families.length > 1 ? standingOut(families, subject) : families[0]
  if (!main) return families.length > 1 ? 'several' : undefined
  // Services call themselves products to be rated; what is not offered must at least be what the page is about.
  const isOffered = [main.head, ...main.variants].some(
    (thing) => structuredItemsOf(thing, 'offers').length > 0,
  )
  if (!isOffered && !isNamed(nameOf(main.head), subject.titles)) return undefined
  return draftOf(main, things, subject)
}

/** A product and those that are variants of it. */
interface Family {
  head: StructuredItem
  variants: StructuredItem[]
}

function familiesOf(described: StructuredItem[]): Family[] {
  const families = new Map<string, Family>()
  const heads = new Map<StructuredItem, string>()
  for (const thing of described) {
    const isGroup = thing.types.some((type) => type.toLowerCase() === 'productgroup')
    if (isGroup) heads.set(thing, groupKey(thing))
  }
  for (const [head, key] of heads)
    families.set(key, { head, variants: structuredItemsOf(head, 'hasVariant') })
  for (const thing of described) {
    if (heads.has(thing)) continue
    const [parent] = structuredItemsOf(thing, 'isVariantOf')
    const key = textOf(thing, 'inProductGroupWithID') ?? (parent && groupKey(parent)) ?? words(nameOf(thing))
    const family = families.get(key)
    if (!family) families.set(key, { head: parent && nameOf(parent) ? parent : thing, variants: [thing] })
    else if (!family.variants.includes(thing)) family.variants.push(thing)
  }
  return [...families.values()]
}

function groupKey(group: StructuredItem): string {
  return textOf(group, 'productGroupID') ?? group.id ?? words(nameOf(group))
}

function nameOf(thing: StructuredItem): string {
  return textOf(thing, 'name') ?? ''
}

/** Pages also describe what else they sell: the subject has the page's own address or its title. */
function standingOut(families: Family[], subject: Subject): Family | undefined {
  const own = families.filter(({ head }) => isSamePage(textOf(head, 'url'), subject))
  if (own.length === 1) return own[0]
  const named = families.filter(({ head }) => isNamed(nameOf(head), subject.titles))
  if (named.length <= 1) return named[0]
  // "Lamp" is part of the title "Lamp shade"; the longest name is the one meant.
  const [first, second] = named.sort((a, b) => nameOf(b.head).length - nameOf(a.head).length)
  return first && second && nameOf(first.head).length > nameOf(second.head).length ? first : undefined
}

function isSamePage(url: string | undefined, subject: Subject): boolean {
  const [one, other] = [URL.parse(url ?? '', subject.base), URL.parse(subject.url)]
  if (!url || !one || !other) return false
  return one.host === other.host && one.pathname === other.pathname && one.pathname !== '/'
}

function draftOf({ head, variants }: Family, things: StructuredItem[], subject: Subject): Draft {
  const { base } = subject
  const members = variants.length > 0 ? variants : [head]
  const title = plainText(nameOf(head), 1000) ?? ''
  const shared = { title, images: imagesOf(head, base), offers: structuredItemsOf(head, 'offers'), base }
  const first = members[0] ?? head
  return stated({
    title,
    brand: plainText(textOf(head, 'brand') ?? textOf(first, 'brand') ?? textOf(head, 'manufacturer'), 500),
    category: categoryOf(head) ?? categoryOf(first) ?? breadcrumb(things, title),
    url: address(textOf(head, 'url'), base),
    description: plainText(textOf(head, 'description') ?? textOf(first, 'description')),
    variants: members
      .slice(0, maxVariants)
      .flatMap((member) => variantsOf(member, shared))
      .slice(0, maxVariants),
  })
}

function categoryOf(product: StructuredItem): string | undefined {
  const names = valuesOf(product, 'category').map((value) =>
    plainText(typeof value === 'object' ? textOf(value, 'name') : value, 500),
  )
  return names.find((name) => name && !/^https?:/.test(name))
}

const trails = new Set(['breadcrumblist'])

/** Where the page says the product stands in the shop. */
function breadcrumb(things: StructuredItem[], title: string): string | undefined {
  const trail = [...things, ...things.flatMap((thing) => structuredItemsOf(thing, 'breadcrumb'))].find(
    (thing) => hasType(thing, trails),
  )
  const steps = (trail ? structuredItemsOf(trail, 'itemListElement').slice(0, 20) : []).map((step) => ({
    position: Number(textOf(step, 'position') ?? 0),
    name: plainText(textOf(step, 'name') ?? textOf(step, 'item'), 200) ?? '',
  }))
  const names = steps.sort((a, b) => a.position - b.position).map((step) => step.name)
  const own = names.filter((name) => name && words(name) !== words(title) && words(name) !== 'home')
  return own.length > 0 ? own.join(' > ') : undefined
}
