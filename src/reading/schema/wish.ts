/** What a caller wants to know of a page: a JSON Schema as the readers see it. */
export type Wish = ObjectWish | ListWish | ValueWish

export interface ObjectWish {
  kind: 'object'
  label: Label
  fields: Map<string, Wish>
  required: ReadonlySet<string>
}

export interface ListWish {
  kind: 'list'
  label: Label
  item: Wish
  most: number
}

export interface ValueWish {
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'any'
  label: Label
  /** The format of a text: `date`, `uri` and so on. */
  format: string | undefined
  /** The only values that it may have. */
  choices: readonly (string | number | boolean)[] | undefined
  bounds: ValueBounds
}

export interface ValueBounds {
  least?: number
  most?: number
  shortest?: number
  longest?: number
  pattern?: string
}

/** What a field is called, and what is said of it. */
export interface Label {
  name: string
  description: string
}
