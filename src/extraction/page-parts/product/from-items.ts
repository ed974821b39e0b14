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
  type Draft,
  type DraftVariant,
  type Image,
  isNamed,
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

interface SharedData {
  title: string
  images: Image[] | undefined
  offers: StructuredItem[]
  base: string
}

/** Returns one variant per offer if each offer identifies a different choice, else one. */
function variantsOf(member: StructuredItem, shared: SharedData): DraftVariant[] {
  const ownOffers = structuredItemsOf(member, 'offers')
  const offers = (ownOffers.length > 0 ? ownOffers : shared.offers).flatMap((offer) => {
    const inner = structuredItemsOf(offer, 'offers')
    return inner.length > 0 ? inner : [offer]
  })
  const choiceNames = new Set(offers.map(choiceOf))
  // Offers that differ only in price are from several sellers.
  if (offers.length <= 1 || choiceNames.size !== offers.length)
    return [variantOf(member, bestOffer(offers), shared)]
  return offers.map((offer) => variantOf(member, offer, shared))
}

function choiceOf(offer: StructuredItem): string {
  const [offeredItem] = structuredItemsOf(offer, 'itemOffered')
  const identifier =
    textOf(offer, 'sku', 'mpn', 'gtin13', 'gtin', 'name') ??
    (offeredItem && textOf(offeredItem, 'sku', 'name'))
  return identifier ?? variantId(textOf(offer, 'url')) ?? ''
}

/** The URL parameter identifies a variant on a common shop platform. */
const variantId = (url: string | undefined) => /[?&]variant=(\w{1,60})/.exec(url ?? '')?.[1]

function bestOffer(offers: StructuredItem[]): StructuredItem | undefined {
  const priced = offers.map((offer) => ({ offer, amount: currentPrice(offer)?.amount ?? Infinity }))
  const inStock = priced.filter(
    ({ offer }) => readAvailability(textOf(offer, 'availability'))?.inStock !== false,
  )
  return (inStock.length > 0 ? inStock : priced).sort((a, b) => a.amount - b.amount)[0]?.offer
}

function variantOf(
  member: StructuredItem,
  offer: StructuredItem | undefined,
  shared: SharedData,
): DraftVariant {
  const [offered] = offer ? structuredItemsOf(offer, 'itemOffered') : []
  const sources = [offer, offered, member].filter((source) => source !== undefined)
  const first = (...names: string[]) =>
    sources.map((source) => textOf(source, ...names)).find((text) => text !== undefined)
  const title = plainText(first('name'), 1000)
  const images = sources.map((source) => imagesOf(source, shared.base)).find((found) => found !== undefined)
  const price = offer && currentPrice(offer)
  const original = offer && price && originalPrice(offer, price)
  return withoutUndefined({
    id: first('productID', 'gtin13', 'gtin', 'gtin12', 'gtin8') ?? (offer && variantId(textOf(offer, 'url'))),
    sku: first('sku'),
    title: title && normalizeText(title) !== normalizeText(shared.title) ? title : undefined,
    values: readChoices(offered ?? member, offer),
    price,
    sale: original && { originalPrice: original },
    availability: offer && readAvailability(textOf(offer, 'availability')),
    images: images ?? shared.images,
  })
}

const options = ['color', 'size', 'material', 'pattern', 'flavor', 'scent']

function readChoices(product: StructuredItem, offer?: StructuredItem): Record<string, string> | undefined {
  const found = new Map<string, string>()
  for (const source of offer ? [product, offer] : [product]) {
    for (const option of options) {
      const value = plainText(textOf(source, option), 200)
      if (value) found.set(option, value)
    }
  }
  const isVariant = product.properties.has('isVariantOf') || product.properties.has('inProductGroupWithID')
  for (const property of isVariant ? structuredItemsOf(product, 'additionalProperty').slice(0, 20) : []) {
    const name = plainText(textOf(property, 'name'), 100)
    const value = plainText(textOf(property, 'value'), 200)
    if (name && value && name !== '__proto__') found.set(name, value)
  }
  return found.size > 0 ? Object.fromEntries(found) : undefined
}

const formerKinds = /listprice|strikethrough|msrp|srp$|regular|suggested/i

function currentPrice(offer: StructuredItem): Price | undefined {
  const currency = textOf(offer, 'priceCurrency')
  const specifiedPrices = pricesOf(offer)
  const onSale = specifiedPrices.find(({ kind }) => /saleprice/i.test(kind))
  const ownPrice = readPrice(textOf(offer, 'price') ?? textOf(offer, 'lowPrice'), currency)
  if (ownPrice && (!onSale || onSale.price.amount > ownPrice.amount)) return ownPrice
  return (onSale ?? specifiedPrices.find(({ kind }) => !formerKinds.test(kind)))?.price
}

function originalPrice(offer: StructuredItem, current: Price): Price | undefined {
  const ownPrice = readPrice(textOf(offer, 'price'), textOf(offer, 'priceCurrency'))
  const former = pricesOf(offer).filter(({ kind }) => formerKinds.test(kind))
  return [...former.map(({ price }) => price), ownPrice].find(
    (price) => price && price.amount > current.amount,
  )
}

function pricesOf(offer: StructuredItem): { kind: string; price: Price }[] {
  const specifications = structuredItemsOf(offer, 'priceSpecification').slice(0, 20)
  return specifications.flatMap((specification) => {
    // A price per litre or kilogram is not the product price.
    if (specification.properties.has('referenceQuantity')) return []
    const currency = textOf(specification, 'priceCurrency') ?? textOf(offer, 'priceCurrency')
    const price = readPrice(textOf(specification, 'price', 'minPrice'), currency)
    return price ? [{ kind: textOf(specification, 'priceType', 'name') ?? '', price }] : []
  })
}

function imagesOf(item: StructuredItem, base: string): Image[] | undefined {
  const images = new Map<string, Image>()
  for (const value of valuesOf(item, 'image', 'images', 'photo')) {
    if (images.size >= maxImages) break
    const image = isStructuredItem(value) ? value : undefined
    const url = toWebUrl(image ? (textOf(image, 'contentUrl', 'url') ?? image.id) : value, base)
    const alt = image && plainText(textOf(image, 'caption', 'name', 'alternateName'), 500)
    if (url && !images.has(url)) images.set(url, withoutUndefined({ url, alt }))
  }
  return images.size > 0 ? [...images.values()] : undefined
}

const products = new Set([
  ...['product', 'productgroup', 'individualproduct', 'productmodel', 'someproducts'],
  ...['vehicle', 'car', 'motorcycle'],
])
const pages = new Set(['webpage', 'itempage', 'productpage', 'collectionpage', 'aboutpage'])

/** Returns `several` if the page describes several products and none is its subject. */
export function productFromItems(items: StructuredItem[], subject: Subject): Draft | 'several' | undefined {
  const productItems = [
    ...items,
    ...items.filter((item) => hasType(item, pages)).flatMap((page) => structuredItemsOf(page, 'mainEntity')),
  ].filter((item) => hasType(item, products) && plainText(textOf(item, 'name')))
  const productGroups = groupProducts([...new Set(productItems)])
  const main = productGroups.length > 1 ? findSubject(productGroups, subject) : productGroups[0]
  if (!main) return productGroups.length > 1 ? 'several' : undefined
  // A product without an offer must be named in the title: services declare themselves as products to show ratings.
  const isOffered = [main.head, ...main.variants].some((item) => structuredItemsOf(item, 'offers').length > 0)
  if (!isOffered && !isNamed(nameOf(main.head), subject.titles)) return undefined
  return draftOf(main, items, subject)
}

interface ProductGroup {
  head: StructuredItem
  variants: StructuredItem[]
}

function groupProducts(productItems: StructuredItem[]): ProductGroup[] {
  const productGroups = new Map<string, ProductGroup>()
  const heads = new Map<StructuredItem, string>()
  for (const item of productItems)
    if (item.types.some((type) => type.toLowerCase() === 'productgroup')) heads.set(item, groupKey(item))
  for (const [head, key] of heads)
    productGroups.set(key, { head, variants: structuredItemsOf(head, 'hasVariant') })
  for (const item of productItems) {
    if (heads.has(item)) continue
    const [parent] = structuredItemsOf(item, 'isVariantOf')
    const key =
      textOf(item, 'inProductGroupWithID') ?? (parent && groupKey(parent)) ?? normalizeText(nameOf(item))
    const group = productGroups.get(key)
    if (!group) productGroups.set(key, { head: parent && nameOf(parent) ? parent : item, variants: [item] })
    else if (!group.variants.includes(item)) group.variants.push(item)
  }
  return [...productGroups.values()]
}

function groupKey(group: StructuredItem): string {
  return textOf(group, 'productGroupID') ?? group.id ?? normalizeText(nameOf(group))
}

const nameOf = (item: StructuredItem) => textOf(item, 'name') ?? ''

/** Products without the URL or title of the page are only related. */
function findSubject(productGroups: ProductGroup[], subject: Subject): ProductGroup | undefined {
  const byUrl = productGroups.filter(({ head }) => isSamePage(textOf(head, 'url'), subject))
  if (byUrl.length === 1) return byUrl[0]
  const byTitle = productGroups.filter(({ head }) => isNamed(nameOf(head), subject.titles))
  if (byTitle.length <= 1) return byTitle[0]
  // The title "Lamp shade" also contains "Lamp", so the longest name wins.
  const [first, second] = byTitle.sort((a, b) => nameOf(b.head).length - nameOf(a.head).length)
  return first && second && nameOf(first.head).length > nameOf(second.head).length ? first : undefined
}

function isSamePage(url: string | undefined, subject: Subject): boolean {
  const [one, other] = [URL.parse(url ?? '', subject.base), URL.parse(subject.url)]
  if (!url || !one || !other) return false
  return one.host === other.host && one.pathname === other.pathname && one.pathname !== '/'
}

function draftOf({ head, variants }: ProductGroup, items: StructuredItem[], subject: Subject): Draft {
  const { base } = subject
  const members = variants.length > 0 ? variants : [head]
  const title = plainText(nameOf(head), 1000) ?? ''
  const shared = { title, images: imagesOf(head, base), offers: structuredItemsOf(head, 'offers'), base }
  const first = members[0] ?? head
  return withoutUndefined({
    title,
    brand: plainText(textOf(head, 'brand') ?? textOf(first, 'brand') ?? textOf(head, 'manufacturer'), 500),
    category: categoryOf(head) ?? categoryOf(first) ?? breadcrumb(items, title),
    url: toWebUrl(textOf(head, 'url'), base),
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

const breadcrumbTypes = new Set(['breadcrumblist'])

function breadcrumb(items: StructuredItem[], title: string): string | undefined {
  const breadcrumbList = [...items, ...items.flatMap((item) => structuredItemsOf(item, 'breadcrumb'))].find(
    (item) => hasType(item, breadcrumbTypes),
  )
  const elements = breadcrumbList ? structuredItemsOf(breadcrumbList, 'itemListElement').slice(0, 20) : []
  const steps = elements.map((step) => ({
    position: Number(textOf(step, 'position') ?? 0),
    name: plainText(textOf(step, 'name') ?? textOf(step, 'item'), 200) ?? '',
  }))
  const names = steps.sort((a, b) => a.position - b.position).map((step) => step.name)
  const categories = names.filter(
    (name) => name && normalizeText(name) !== normalizeText(title) && normalizeText(name) !== 'home',
  )
  return categories.length > 0 ? categories.join(' > ') : undefined
}
