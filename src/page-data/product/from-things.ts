import { hasType, type Thing, textOf, thingsOf, valuesOf } from '../../reading/structured-data/thing.ts'
import { plainText } from '../../reading/values/plain-value.ts'
import { type Draft, maxVariants, type Subject, stated } from './draft.ts'
import { imagesOf, variantsOf } from './offers.ts'
import { address, isNamed, words } from './text.ts'

const products = new Set([
  ...['product', 'productgroup', 'individualproduct', 'productmodel', 'someproducts'],
  ...['vehicle', 'car', 'motorcycle'],
])
const pages = new Set(['webpage', 'itempage', 'productpage', 'collectionpage', 'aboutpage'])

/** The product that the page is about; `several` when many are described and none stands out. */
export function productFromThings(things: Thing[], subject: Subject): Draft | 'several' | undefined {
  const described = [
    ...things,
    ...things.filter((thing) => hasType(thing, pages)).flatMap((page) => thingsOf(page, 'mainEntity')),
  ].filter((thing) => hasType(thing, products) && plainText(textOf(thing, 'name')))
  const families = familiesOf([...new Set(described)])
  const main = families.length > 1 ? standingOut(families, subject) : families[0]
  if (!main) return families.length > 1 ? 'several' : undefined
  // Services call themselves products to be rated; what is not offered must at least be what the page is about.
  const isOffered = [main.head, ...main.variants].some((thing) => thingsOf(thing, 'offers').length > 0)
  if (!isOffered && !isNamed(nameOf(main.head), subject.titles)) return undefined
  return draftOf(main, things, subject)
}

/** A product and those that are variants of it. */
interface Family {
  head: Thing
  variants: Thing[]
}

function familiesOf(described: Thing[]): Family[] {
  const families = new Map<string, Family>()
  const heads = new Map<Thing, string>()
  for (const thing of described) {
    const isGroup = thing.types.some((type) => type.toLowerCase() === 'productgroup')
    if (isGroup) heads.set(thing, groupKey(thing))
  }
  for (const [head, key] of heads) families.set(key, { head, variants: thingsOf(head, 'hasVariant') })
  for (const thing of described) {
    if (heads.has(thing)) continue
    const [parent] = thingsOf(thing, 'isVariantOf')
    const key = textOf(thing, 'inProductGroupWithID') ?? (parent && groupKey(parent)) ?? words(nameOf(thing))
    const family = families.get(key)
    if (!family) families.set(key, { head: parent && nameOf(parent) ? parent : thing, variants: [thing] })
    else if (!family.variants.includes(thing)) family.variants.push(thing)
  }
  return [...families.values()]
}

function groupKey(group: Thing): string {
  return textOf(group, 'productGroupID') ?? group.id ?? words(nameOf(group))
}

function nameOf(thing: Thing): string {
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

function draftOf({ head, variants }: Family, things: Thing[], subject: Subject): Draft {
  const { base } = subject
  const members = variants.length > 0 ? variants : [head]
  const title = plainText(nameOf(head), 1000) ?? ''
  const shared = { title, images: imagesOf(head, base), offers: thingsOf(head, 'offers'), base }
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

function categoryOf(product: Thing): string | undefined {
  const names = valuesOf(product, 'category').map((value) =>
    plainText(typeof value === 'object' ? textOf(value, 'name') : value, 500),
  )
  return names.find((name) => name && !/^https?:/.test(name))
}

const trails = new Set(['breadcrumblist'])

/** Where the page says the product stands in the shop. */
function breadcrumb(things: Thing[], title: string): string | undefined {
  const trail = [...things, ...things.flatMap((thing) => thingsOf(thing, 'breadcrumb'))].find((thing) =>
    hasType(thing, trails),
  )
  const steps = (trail ? thingsOf(trail, 'itemListElement').slice(0, 20) : []).map((step) => ({
    position: Number(textOf(step, 'position') ?? 0),
    name: plainText(textOf(step, 'name') ?? textOf(step, 'item'), 200) ?? '',
  }))
  const names = steps.sort((a, b) => a.position - b.position).map((step) => step.name)
  const own = names.filter((name) => name && words(name) !== words(title) && words(name) !== 'home')
  return own.length > 0 ? own.join(' > ') : undefined
}
