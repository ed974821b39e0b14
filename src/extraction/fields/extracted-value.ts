import type { Node } from '../../content/tree/tree.ts'

/** Extractor that read a value. */
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

/** Extracted value with its source. */
export interface ExtractedValue {
  value: unknown
  /** Text that the value was read from. */
  text: string
  reader: ExtractorName
  /** Element that contains the text, if any. */
  node?: Node
  /** Property in structured data. */
  path?: string
  /** Confidence from 0 to 1, comparable between extractors. */
  score: number
  /** Entries of a list or properties of an object, by `[0]` or by name. */
  inner?: Map<string, ExtractedValue>
}

/** Returns the value with the higher score; the first if the scores are equal. */
export function better(
  one: ExtractedValue | undefined,
  other: ExtractedValue | undefined,
): ExtractedValue | undefined {
  if (!one || !other) return one ?? other
  return other.score > one.score ? other : one
}

/** Page properties that extractors need. */
export interface PageContext {
  url: string
  base: string
  /** Language from the document; may be empty. */
  language: string
  /** Title from the page head; may be empty. */
  title: string
}
