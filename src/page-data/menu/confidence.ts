import type { DraftMenu } from './draft.ts'
import { isFood, isMenuName, isSectionName } from './food-words.ts'

export interface MenuSigns {
  /** Whether the page says in structured data that it is a menu. */
  isStated: boolean
  /** Whether it says so of a restaurant, a bar and the like. */
  isOfRestaurant: boolean
  /** Whether it says so of products. */
  isOfShop: boolean
  /** Its title, its headings and its address. */
  names: readonly string[]
}

/** From here on a page counts as a menu. */
export const leastConfidence = 0.5
const fewestItems = 2
/** A list without enough prices, or none, is at most this much of a menu. */
const mostWithoutItems = 0.3

/** How sure it is that these sections are a menu, from 0 to 1. */
export function confidenceOf({ sections }: DraftMenu, signs: MenuSigns): number {
  const items = sections.flatMap((section) => section.items)
  const isNamed = signs.names.some(isMenuName)
  const around = (isNamed ? 0.3 : 0) + (signs.isOfRestaurant ? 0.25 : 0)
  if (items.length === 0) return rounded(Math.min(around, mostWithoutItems))
  if (signs.isStated) return rounded(0.9 + (isNamed || signs.isOfRestaurant ? 0.05 : 0))
  const eaten = items.filter(({ name, description = '' }) => isFood(`${name} ${description}`)).length
  const shareOfFood = eaten / items.length
  const shareOfSections = sections.filter(({ name }) => isSectionName(name)).length / sections.length
  const score =
    around +
    0.4 * Math.min(1, shareOfFood * 1.5) +
    (shareOfSections > 0 ? 0.1 + 0.15 * shareOfSections : 0) +
    (items.length >= 5 ? 0.1 : 0) -
    (signs.isOfShop ? 0.25 : 0)
  // Without anything to eat, prices under the word "menu" are those of something else.
  const most =
    items.length < fewestItems ? mostWithoutItems : shareOfFood < 0.1 && shareOfSections === 0 ? 0.4 : 0.95
  return rounded(Math.max(0, Math.min(score, most)))
}

const rounded = (value: number) => Math.round(value * 100) / 100
