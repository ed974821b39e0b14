import type { Node } from '../../content/tree/tree.ts'

/** By which way a value was read. */
export type ExtractorName =
  | 'json-ld'
  | 'microdata'
  | 'rdfa'
  | 'open-graph'
  | 'metadata'
  | 'state'
  | 'label'
  | 'section'
  | 'name'
  | 'title'
  | 'table'
  | 'records'
  | 'model'

/** A value that a reader found, with where it stands. */
export interface Found {
  value: unknown
  /** The text that it was read from. */
  text: string
  reader: ExtractorName
  /** The element of the text, where there is one. */
  node?: Node
  /** The property in structured data. */
  path?: string
  /** How sure it is, from 0 to 1; values of different readers are comparable. */
  score: number
  /** Of lists and objects: what was found inside, by `[0]` or by name. */
  inner?: Map<string, Found>
}

/** The better of two; the first where they are as good. */
export function better(one: Found | undefined, other: Found | undefined): Found | undefined {
  if (!one || !other) return one ?? other
  return other.score > one.score ? other : one
}

/** The page as the readers of values see it. */
export interface PageContext {
  url: string
  base: string
  /** As the page states it; may be empty. */
  language: string
  /** As its head states it; may be empty. */
  title: string
}
