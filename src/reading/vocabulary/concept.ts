/** What a value of a concept looks like, wherever it stands. */
export type ValueKind =
  | 'text'
  | 'name'
  | 'date'
  | 'time'
  | 'duration'
  | 'price'
  | 'count'
  | 'rating'
  | 'measure'
  | 'address'
  | 'image'
  | 'phone'
  | 'email'
  | 'code'
  | 'steps'
  | 'yes'

/** Something that pages of many kinds say, and what they and the authors of schemas call it. */
export interface Concept {
  name: string
  kind: ValueKind
  /** The properties of schema.org that hold it, best first: `offers.price`. */
  paths: readonly string[]
  /** Names and labels, in the languages of the pages, as `phraseOf` writes them. */
  phrases: readonly string[]
}

/** A concept in `concepts.json`: paths are separated by spaces, phrases by commas. */
export type ConceptRow = { name: string; kind: ValueKind; paths: string; phrases: string }
