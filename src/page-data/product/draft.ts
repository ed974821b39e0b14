/** A product as one source of a page tells it: what the source does not say is not there. */
export interface Draft {
  title: string
  brand?: string
  category?: string
  url?: string
  description?: string
  variants: DraftVariant[]
}

export interface DraftVariant {
  id?: string
  sku?: string
  title?: string
  /** Options such as colour and size. */
  values?: Record<string, string>
  price?: Price
  sale?: { originalPrice: Price }
  availability?: Availability
  images?: Image[]
}

export interface Price {
  amount: number
  currency?: string
  /** As the page shows it. */
  formatted?: string
}

export interface Availability {
  inStock: boolean
  text?: string
}

export interface Image {
  url: string
  alt?: string
}

/** What a source may compare itself with to know whether a product is the subject of the page. */
export interface Subject {
  url: string
  base: string
  /** Its heading and titles, in plain words. */
  titles: string[]
}

export const maxVariants = 250
export const maxImages = 20

/** An object without the entries that have no value. */
export function stated<Given extends object>(given: Given): Stated<Given> {
  const kept = Object.entries(given).filter(([, value]) => value !== undefined)
  // What is left of the keys is exactly those with a value, which is what the type says.
  return Object.fromEntries(kept) as Stated<Given>
}

type Stated<Given> = {
  [Key in keyof Given as undefined extends Given[Key] ? never : Key]: Given[Key]
} & { [Key in keyof Given as undefined extends Given[Key] ? Key : never]?: Exclude<Given[Key], undefined> }
