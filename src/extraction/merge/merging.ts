/** What one page says, by the fields of a schema. */
export interface PageValues {
  url: string
  value: unknown
  /** By path; a path without evidence is trusted least. */
  evidence: Readonly<Record<string, { reader: string; text: string }>>
}

/** A field of which pages say different things. */
export interface Conflict {
  path: string
  chosen: unknown
  /** Every value, the chosen one first, with the pages that state it. */
  values: { value: unknown; sources: string[]; reader?: string; text?: string }[]
}

export interface MergeResult {
  /** Undefined where no page says anything. */
  value: unknown
  /** The pages that state each value, by its path. */
  sources: Record<string, string[]>
  conflicts: Conflict[]
  /** Conflicts and sources beyond those that are listed. */
  unlisted: { conflicts: number; sources: number }
  /** Fields that no page states. */
  missing: string[]
  /** Values of pages that are about something else than the rest: nothing better was found. */
  borrowed: string[]
  /** Entries of lists that were one too many. */
  leftOut: number
}

/** A value on a page, with its place there. */
export interface StatedValue {
  page: number
  value: unknown
  path: string
}

/** What the parts of a merge share. */
export interface MergeContext {
  pages: readonly PageValues[]
  merged: MergeResult
  /** Entries that lists may still have, and values whose sources may still be noted. */
  room: number
  sourceRoom: number
}

/** What pages of the thing in question say, and what others do. */
export interface StatedValues {
  own: StatedValue[]
  others: StatedValue[]
}

/**
 * What a value is compared by: texts without case, punctuation and white space, everything else as JSON writes it. Signs that
 * tell names apart stay: C++ is not C#.
 */
export function valueKey(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null'
  const text = value.slice(0, longestCompared).normalize('NFKC').toLowerCase()
  const words = text.replace(/[^\p{L}\p{N}+#@%&$€£¥°]+/gu, ' ').trim()
  // A text of marks alone, such as a currency, is compared as it is.
  return `"${words === '' ? text.trim() : words}`
}

/** Texts that are alike for so long are taken for the same. */
const longestCompared = 2000

/** How far each reader is to be trusted: what a site states for machines comes before what is read off its page. */
const trusts: Readonly<Record<string, number>> = {
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

export function trustIn(reader: string | undefined): number {
  return trusts[reader ?? ''] ?? unknownTrust
}

/** Whether one field names what an object is about, and how surely: 2 for ids, 1 for names, 0 for neither. */
export function isIdentifyingField(field: string): 0 | 1 | 2 {
  const name = field.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (ids.test(name)) return 2
  return names.test(name) ? 1 : 0
}

const ids =
  /^(?:id|sku|gtin\d*|ean|isbn\d*|mpn|doi|uuid|asin|(?:product|item|order|job|article)(?:id|number))$/
const names = /^(?:name|title|headline|(?:product|company|item|job|event|article|book|full)(?:name|title))$/
