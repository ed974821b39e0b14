import { absoluteUrl } from '../../content/addresses.ts'
import {
  hasType,
  isThing,
  type Thing,
  textOf,
  thingsOf,
  valuesOf,
} from '../../reading/structured-data/thing.ts'
import { readAmount, readCurrency } from '../../reading/values/money.ts'
import { plainText } from '../../reading/values/plain-value.ts'
import { caloriesIn, dietsOfSchema } from './dietary.ts'
import { type DraftItem, type DraftMenu, type DraftSection, mostItems, mostSections } from './draft.ts'

const menus = new Set(['menu'])
const sections = new Set(['menusection'])
const dishes = new Set(['menuitem'])

/** A menu that a page states in structured data; undefined where it states none with items. */
export function menuFromThings(things: readonly Thing[], base: string): DraftMenu | undefined {
  const reader: Reader = { base, seen: new Set(), sections: [], items: 0 }
  const owned = things.flatMap((thing) => thingsOf(thing, 'hasMenu', 'menu', 'mainEntity'))
  const stated = [...things, ...owned].filter((thing) => hasType(thing, menus) || hasType(thing, sections))
  for (const menu of stated) readSection(reader, menu, '')
  const loose = things.filter((thing) => hasType(thing, dishes) && !reader.seen.has(thing))
  if (loose.length > 0) addSection(reader, { name: '' }, loose)
  const isCut = reader.items >= mostItems || reader.sections.length >= mostSections
  return reader.items > 0 ? { sections: reader.sections, isCut } : undefined
}

interface Reader {
  base: string
  seen: Set<Thing>
  sections: DraftSection[]
  items: number
}

/** A menu or a section, and what it holds. A section inside another is named after both. */
function readSection(reader: Reader, thing: Thing, above: string): void {
  if (reader.seen.has(thing) || reader.sections.length >= mostSections) return
  reader.seen.add(thing)
  const own = plainText(textOf(thing, 'name'), 200) ?? ''
  const name = above !== '' && own !== '' ? `${above} > ${own}` : own || above
  const description = plainText(textOf(thing, 'description'), 1000)
  const items = thingsOf(thing, 'hasMenuItem', 'menuItem', 'itemListElement').filter(
    (item) => !hasType(item, sections),
  )
  if (items.length > 0)
    addSection(reader, { ...idOf(thing), name, ...(description && { description }) }, items)
  const isMenu = hasType(thing, menus)
  for (const inner of thingsOf(thing, 'hasMenuSection', 'menuSection'))
    readSection(reader, inner, isMenu ? '' : name)
}

function addSection(reader: Reader, section: Omit<DraftSection, 'items'>, things: readonly Thing[]): void {
  const items = things.slice(0, mostItems - reader.items).flatMap((thing) => {
    reader.seen.add(thing)
    const [item = thing] = thingsOf(thing, 'item')
    return itemOf(item, reader.base) ?? []
  })
  if (items.length === 0) return
  reader.items += items.length
  reader.sections.push({ ...section, items })
}

function itemOf(thing: Thing, base: string): DraftItem | undefined {
  const name = plainText(textOf(thing, 'name'), 300)
  if (name === undefined) return undefined
  const description = plainText(textOf(thing, 'description'), 2000)
  const [nutrition] = thingsOf(thing, 'nutrition')
  const energy = (nutrition && textOf(nutrition, 'calories')) ?? ''
  const calories = caloriesIn(/^\d+$/.test(energy) ? `${energy} kcal` : energy)
  const url = address(textOf(thing, 'url'), base)
  const diets = valuesOf(thing, 'suitableForDiet').filter((value) => !isThing(value))
  return {
    ...{ ...idOf(thing), name, ...(description && { description }), images: imagesOf(thing, base) },
    ...{ prices: pricesOf(thing), ...availabilityOf(thing), dietary: dietsOfSchema(diets.map(String)) },
    ...(calories !== undefined && { calories }),
    ...(url !== undefined && { url }),
  }
}

function idOf(thing: Thing): { id?: string } {
  const id = textOf(thing, 'identifier', 'sku') ?? thing.id
  return id === undefined || id.length > 200 ? {} : { id }
}

function pricesOf(thing: Thing): DraftItem['prices'] {
  return thingsOf(thing, 'offers').flatMap((offer) => {
    const [detail] = thingsOf(offer, 'priceSpecification')
    const written = textOf(offer, 'price', 'lowPrice') ?? (detail && textOf(detail, 'price'))
    const amount = written === undefined ? undefined : readAmount(written)
    if (amount === undefined || written === undefined) return []
    const stated = textOf(offer, 'priceCurrency') ?? (detail && textOf(detail, 'priceCurrency'))
    const isShown = /[^\d.,\s]/.test(written)
    const currency = readCurrency(stated) ?? (isShown ? readCurrency(written) : undefined)
    const name = plainText(textOf(offer, 'name', 'eligibleQuantity'), 100)
    const price = { amount, ...(currency && { currency }), ...(isShown && { formatted: written.trim() }) }
    return [{ ...(name && { name }), price }]
  })
}

function availabilityOf(thing: Thing): Pick<DraftItem, 'availability'> {
  const [offer] = thingsOf(thing, 'offers')
  const stated = offer && textOf(offer, 'availability')?.split('/').at(-1)
  if (!stated) return {}
  return { availability: { inStock: !/^(?:OutOfStock|SoldOut|Discontinued)$/i.test(stated), text: stated } }
}

function imagesOf(thing: Thing, base: string): DraftItem['images'] {
  return valuesOf(thing, 'image')
    .slice(0, 5)
    .flatMap((value) => {
      const url = address(isThing(value) ? textOf(value, 'contentUrl', 'url') : String(value), base)
      return url === undefined ? [] : [{ url }]
    })
}

function address(given: string | undefined, base: string): string | undefined {
  const url = absoluteUrl(given, base)
  return url !== undefined && url.length < 4000 && /^https?:/.test(url) ? url : undefined
}
