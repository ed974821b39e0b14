import type { Node } from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import type { Lines } from './lines.ts'
import type { PhraseIndex, SchemaField } from './schema-fields.ts'

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

export interface ExtractedValue {
  value: unknown
  text: string
  reader: ExtractorName
  node?: Node
  /** Property in structured data. */
  path?: string
  /** Confidence from 0 to 1, comparable between extractors. */
  score: number
  /** Entries of a list or properties of an object, by `[0]` or by name. */
  inner?: Map<string, ExtractedValue>
}

export function better(one: MaybeValue, other: MaybeValue): MaybeValue {
  if (!one || !other) return one ?? other
  return other.score > one.score ? other : one
}

export type MaybeValue = ExtractedValue | undefined

/** Page properties that extractors need. Language and title may be empty. */
export interface PageContext {
  url: string
  base: string
  language: string
  title: string
}

export interface ReaderInput {
  lines: Lines
  fields: readonly SchemaField[]
  index: PhraseIndex
  page: PageContext
  heading: number
}

export type FieldValues = Map<SchemaField, ExtractedValue>
export type FieldReadings = Generator<readonly [SchemaField, MaybeValue]>

/** Reads the value of a field from one text per list entry, or from the only text. */
export function coerceTexts({ spec, names }: SchemaField, texts: readonly string[], page: PageContext) {
  const context = { ...page, ...names }
  if (spec.kind !== 'list') return coerce(spec, texts[0] ?? '', context)
  const entries = texts.map((text) => coerce(spec.item, text, context)).filter((entry) => entry !== undefined)
  return entries.length === 0 ? undefined : entries
}

/** Reads a single value; undefined for a list. */
export function readText(
  field: SchemaField,
  source: Omit<ExtractedValue, 'value'>,
  page: PageContext,
): ExtractedValue | undefined {
  const value = field.spec.kind === 'list' ? undefined : coerceTexts(field, [source.text], page)
  return value === undefined ? undefined : { ...source, value }
}
