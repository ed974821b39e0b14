import { hiddenParts } from '../../content/hidden.ts'
import type { PageMetadata } from '../../content/metadata.ts'
import type { Tree } from '../../content/tree/tree.ts'
import { type Lines, readLines } from '../../reading/fields/lines.ts'
import { siteName } from '../../reading/fields/site-name.ts'
import { hasType, textOf } from '../../reading/structured-data/thing.ts'
import { structuredData } from '../../reading/structured-data.ts'
import { words } from '../../reading/vocabulary/words.ts'
import { confidenceOf, leastConfidence } from './confidence.ts'
import type { Locale } from './currency.ts'
import {
  type DraftItem,
  type DraftMenu,
  type DraftSection,
  type MenuImage,
  type MenuPrice,
  mostItems,
  mostSections,
} from './draft.ts'
import { isMenuName } from './food-words.ts'
import { menuFromLines } from './from-lines.ts'
import { menuFromThings } from './from-things.ts'
import { countryOf, type Merchant, merchantOf, restaurantOf } from './merchant.ts'

/** The menu of a restaurant, as a page states or shows it. */
export interface Menu {
  isMenu: boolean
  /** From 0 to 1. */
  confidence: number
  merchant: Merchant
  /** Of all prices, where they have the same. */
  currency?: string
  sections: MenuSection[]
  sourceUrl: string
}

export interface MenuSection {
  id: string
  name: string
  description?: string
  items: MenuItem[]
}

export interface MenuItem {
  id: string
  name: string
  description?: string
  images: MenuImage[]
  price?: MenuPrice
  availability: { inStock: boolean; text?: string }
  dietary: string[]
  calories?: number
  optionGroups: { options: DraftItem['prices'] }[]
  identifiers: { merchantItemId?: string }
  url?: string
  sourceUrl: string
}

export interface FoundMenu {
  menu: Menu
  /** What the page leaves open. */
  notes: string[]
}

/** Of a page without anything to read. */
export function noMenu(url: string): FoundMenu {
  const merchant = { name: URL.parse(url)?.hostname ?? '' }
  return { menu: { isMenu: false, confidence: 0, merchant, sections: [], sourceUrl: url }, notes: [isNone] }
}

const isNone = 'the page shows no menu that can be read.'
const products = new Set(['product', 'productgroup'])

/** Structured data comes first; without it, what the page shows. */
export function menuOf(tree: Tree, page: { url: string; base: string; metadata: PageMetadata }): FoundMenu {
  const { url, base, metadata } = page
  const stated = structuredData(tree, base)
  const things = [...stated.jsonLd, ...stated.microdata, ...stated.rdfa]
  const lines = readLines(tree, hiddenParts(tree))
  const restaurant = restaurantOf(things)
  const host = URL.parse(url)?.hostname ?? ''
  const site = siteName(metadata, url, lines)?.name
  const title = titleOf(metadata)
  const merchant = merchantOf(restaurant, [site ?? '', isMenuName(title) ? '' : title, host])
  const { language = '' } = metadata
  const locale: Locale = { language, host, country: countryOf(merchant) }
  const inData = menuFromThings(things, base)
  const draft = inData ?? menuFromLines(lines, { locale, base })
  const confidence = confidenceOf(draft, {
    isStated: inData !== undefined,
    isOfRestaurant: restaurant !== undefined,
    isOfShop:
      things.some((thing) => hasType(thing, products)) || lines.list.some(({ text }) => buys.test(text)),
    names: [title, ...headingsOf(lines), decodedPath(url)],
  })
  const isMenu = confidence >= leastConfidence
  const known = isMenu ? withCurrency(draft, restaurant && textOf(restaurant, 'currenciesAccepted')) : nothing
  const currency = commonCurrency(known)
  const menu = {
    ...{ isMenu, confidence, merchant, ...(currency && { currency }) },
    ...{ sections: finished(known, url), sourceUrl: url },
  }
  const isNamed = site !== undefined || (restaurant && textOf(restaurant, 'name')) !== undefined
  return {
    menu,
    notes: notesOf(menu, known, isNamed ? undefined : merchant.name === host ? 'host' : 'title'),
  }
}

const buys =
  /^(?:add to (?:cart|basket|bag)|in den warenkorb|ajouter au panier|añadir al carrito|aggiungi al carrello|in winkelwagen)$/i

const nothing: DraftMenu = { sections: [], isCut: false }

const titleOf = ({ title }: PageMetadata) => (typeof title === 'string' ? title : '')

const headingsOf = ({ list }: Lines) =>
  list
    .filter(({ level }) => level === 1)
    .slice(0, 3)
    .map(({ text }) => text)

/** The words in the address; not its host, which names a site. */
function decodedPath(url: string): string {
  const path = URL.parse(url)?.pathname ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** A restaurant that accepts one currency has its prices in it. */
function withCurrency(draft: DraftMenu, accepted: string | undefined): DraftMenu {
  if (accepted === undefined || !/^[A-Z]{3}$/.test(accepted)) return draft
  const priced = ({ price, ...rest }: DraftItem['prices'][number]) => ({
    ...rest,
    price: { currency: accepted, ...price },
  })
  const filled = (section: DraftSection) => ({
    ...section,
    items: section.items.map((item) => ({ ...item, prices: item.prices.map(priced) })),
  })
  return { ...draft, sections: draft.sections.map(filled) }
}

function commonCurrency({ sections }: DraftMenu): string | undefined {
  const prices = sections.flatMap(({ items }) => items.flatMap((item) => item.prices))
  const stated = new Set(
    prices.map(({ price }) => price.currency).filter((currency) => currency !== undefined),
  )
  return stated.size === 1 ? [...stated][0] : undefined
}

function finished({ sections }: DraftMenu, sourceUrl: string): MenuSection[] {
  const [idOfSection, idOfItem] = [uniqueIds(), uniqueIds()]
  return sections.map(({ id, name, description, items }) => ({
    ...{ id: idOfSection(id ?? name), name, ...(description !== undefined && { description }) },
    items: items.map((item) => finishedItem(item, idOfItem(item.id ?? item.name), sourceUrl)),
  }))
}

function finishedItem(item: DraftItem, id: string, sourceUrl: string): MenuItem {
  const { id: own, prices, availability, ...said } = item
  const [first] = prices
  return {
    ...said,
    ...{ id, ...(first && { price: first.price }), sourceUrl },
    // What stands on a menu can be ordered, unless the page says otherwise.
    availability: availability ?? { inStock: true },
    optionGroups: prices.length > 1 ? [{ options: prices }] : [],
    identifiers: own === undefined ? {} : { merchantItemId: own },
  }
}

/** Ids that are made of names, so that an item keeps its own when others come and go. */
function uniqueIds(): (text: string) => string {
  const used = new Map<string, number>()
  return (text) => {
    const plain = words(text).slice(0, 12).join('-') || 'unnamed'
    const count = (used.get(plain) ?? 0) + 1
    used.set(plain, count)
    return count === 1 ? plain : `${plain}-${count}`
  }
}

function notesOf(
  menu: Menu,
  { sections, isCut }: DraftMenu,
  nameFrom: 'host' | 'title' | undefined,
): string[] {
  if (!menu.isMenu) return [isNone]
  const items = sections.flatMap((section) => section.items)
  const unpriced = items.filter(({ prices }) => prices.length === 0).length
  const open = items.some(({ prices }) => prices.some(({ price }) => price.currency === undefined))
  return [
    ...(nameFrom ? [`the page names no restaurant; merchant.name is its ${nameFrom}.`] : []),
    ...(open ? ['the page does not say in which currency all of its prices are.'] : []),
    ...(isCut
      ? [`the menu is longer than ${mostItems} items or ${mostSections} sections; the rest is left out.`]
      : []),
    ...(unpriced > 0 ? [`${unpriced} of ${items.length} items have no price.`] : []),
  ]
}
