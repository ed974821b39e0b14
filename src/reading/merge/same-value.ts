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
export function namesThing(field: string): 0 | 1 | 2 {
  const name = field.toLowerCase().replace(/[^a-z0-9]/g, '')
  if (ids.test(name)) return 2
  return names.test(name) ? 1 : 0
}

const ids =
  /^(?:id|sku|gtin\d*|ean|isbn\d*|mpn|doi|uuid|asin|(?:product|item|order|job|article)(?:id|number))$/
const names = /^(?:name|title|headline|(?:product|company|item|job|event|article|book|full)(?:name|title))$/
