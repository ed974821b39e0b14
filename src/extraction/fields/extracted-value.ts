import type { Node } from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import type { Lines } from './lines.ts'
import type { PhraseIndex, SchemaField } from './schema-fields.ts'

/** Trust per reader when pages disagree: machine-readable data ranks above visible page content. */
export const trustByReader = {
  'json-ld': 1,
  microdata: 0.98,
  rdfa: 0.97,
  table: 0.9,
  label: 0.9,
  records: 0.85,
  state: 0.8,
  section: 0.75,
  model: 0.75,
  'open-graph': 0.7,
  metadata: 0.7,
  title: 0.7,
  name: 0.6,
}

export type ExtractorName = keyof typeof trustByReader

export interface ExtractedValue {
  value: unknown
  text: string
  reader: ExtractorName
  node?: Node | undefined
  path?: string | undefined
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

export function coerceTexts({ spec, names }: SchemaField, texts: readonly string[], page: PageContext) {
  const context = { ...page, ...names }
  if (spec.kind !== 'list') return coerce(spec, texts[0] ?? '', context)
  const entries = texts.map((text) => coerce(spec.item, text, context)).filter((entry) => entry !== undefined)
  return entries.length === 0 ? undefined : entries
}

export function readText(field: SchemaField, source: Omit<ExtractedValue, 'value'>, page: PageContext) {
  const value = field.spec.kind === 'list' ? undefined : coerceTexts(field, [source.text], page)
  return value === undefined ? undefined : { ...source, value }
}
