import { load } from 'cheerio'
import type { FieldScore } from './score.ts'

/** How many of the filled fields have evidence, and how many of those quote what the page says. */
export interface EvidenceCount {
  filled: number
  covered: number
  quoted: number
}

export function countEvidence(fields: readonly FieldScore[], evidence: unknown, html: string): EvidenceCount {
  const count = { filled: 0, covered: 0, quoted: 0 }
  const filled = fields.filter((field) => field.isFilled)
  if (filled.length === 0) return count
  // Keyed by path; anything else has no paths.
  const found = (evidence ?? {}) as Record<string, { text?: unknown; reader?: unknown } | undefined>
  const says = squeezed(textOf(html))
  for (const { path } of filled) {
    count.filled += 1
    // A list has evidence as a whole or for its entries.
    const proof = found[path] ?? found[`${path}[0]`]
    if (proof === undefined) continue
    count.covered += 1
    const quote = squeezed(String(proof.text ?? ''))
    if (quote !== '' && says.includes(quote)) count.quoted += 1
  }
  return count
}

export function sumOfEvidence(counts: readonly EvidenceCount[]): EvidenceCount {
  const sum = { filled: 0, covered: 0, quoted: 0 }
  for (const count of counts) {
    for (const name of ['filled', 'covered', 'quoted'] as const) sum[name] += count[name]
  }
  return sum
}

/** Text, attributes and data of a page: evidence may quote any of them. */
function textOf(html: string): string {
  const $ = load(html)
  const attributes = $('*')
    .toArray()
    .flatMap((element) => ('attribs' in element ? Object.values(element.attribs) : []))
  return `${$.root().text()} ${attributes.join(' ')}`
}

/** Without spaces and signs, which readers and pages write in their own ways. */
const squeezed = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\\[nrt]|\\u[0-9a-f]{4}/g, '')
    .replace(/<[^>]*>|[^\p{L}\p{N}]/gu, '')
