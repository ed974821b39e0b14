/** A menu as one source of a page tells it: what the source does not say is not there. */
export interface DraftMenu {
  sections: DraftSection[]
  /** There are more than the bounds allow. */
  isCut: boolean
}

export interface DraftSection {
  id?: string
  /** Empty where the page names none. */
  name: string
  description?: string
  items: DraftItem[]
}

export interface DraftItem {
  id?: string
  name: string
  description?: string
  images: MenuImage[]
  /** One for each size or portion; the first is the price of the item. */
  prices: { name?: string; price: MenuPrice }[]
  /** What the page says of its availability. */
  availability?: { inStock: boolean; text?: string }
  dietary: string[]
  calories?: number
  url?: string
}

export interface MenuPrice {
  amount: number
  /** Only if the page states it. */
  currency?: string
  /** As the page writes it. */
  formatted?: string
}

export interface MenuImage {
  url: string
  alt?: string
}

export const mostSections = 200
export const mostItems = 2000
