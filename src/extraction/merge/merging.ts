export interface PageValues {
  url: string
  value: unknown
  /** Evidence by path; a path without evidence has the lowest trust. */
  evidence: Readonly<Record<string, { reader: string; text: string }>>
}

/** Field with different values on several pages. The chosen value is the first one. */
export interface Conflict {
  path: string
  chosen: unknown
  values: { value: unknown; sources: string[]; reader?: string; text?: string }[]
}

export interface MergeResult {
  value: unknown
  sources: Record<string, string[]>
  conflicts: Conflict[]
  /** Number of conflicts and sources beyond the listed ones. */
  unlisted: { conflicts: number; sources: number }
  missing: string[]
  /** Paths of fields whose value is from a page about another entity. */
  borrowed: string[]
  leftOut: number
}

export interface StatedValue {
  page: number
  value: unknown
  path: string
}

export interface MergeContext {
  pages: readonly PageValues[]
  merged: MergeResult
  /** Remaining number of list entries, and of values whose sources may be recorded. */
  remainingEntries: number
  remainingSources: number
}

export interface StatedValues {
  own: StatedValue[]
  others: StatedValue[]
}

/** A text is compared without case, punctuation and whitespace, but with symbols that distinguish names: C++, C#. */
export function valueKey(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null'
  const text = value.slice(0, maxComparedLength).normalize('NFKC').toLowerCase()
  const words = text.replace(/[^\p{L}\p{N}+#@%&$€£¥°]+/gu, ' ').trim()
  // A text of punctuation only, such as a currency symbol, is compared unchanged.
  return `"${words === '' ? text.trim() : words}`
}

/** Longer texts with the same start count as equal. */
const maxComparedLength = 2000

/** Trust per reader: machine-readable data ranks above visible page content. */
const trustByReader: Readonly<Record<string, number>> = {
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
const unknownTrust = 0.5

export const trustIn = (reader = '') => trustByReader[reader] ?? unknownTrust

/** Returns 2 for a field that contains an id, 1 for a name, and 0 for any other field. */
export function identifierStrength(field: string): 0 | 1 | 2 {
  const name = field.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (idNames.test(name)) return 2
  return titleNames.test(name) ? 1 : 0
}

const idNames =
  /^(?:id|sku|gtin\d*|ean|isbn\d*|mpn|doi|uuid|asin|(?:product|item|order|job|article)(?:id|number))$/
const titleNames =
  /^(?:name|title|headline|(?:product|company|item|job|event|article|book|full)(?:name|title))$/
