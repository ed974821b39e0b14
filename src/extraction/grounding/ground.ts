import type { PageContext } from '../fields/extracted-value.ts'
import { namesOf } from '../fields/field-names.ts'
import { type FieldSpec, isObject, type ObjectSpec, type ValueSpec } from '../schema/field-spec.ts'
import { coerce } from '../values/coerce.ts'
import { readNumber } from '../values/number.ts'
import { words } from '../vocabulary/words.ts'

/** What a language model claims of a page, with the page. */
export interface PageClaims {
  spec: ObjectSpec
  claims: unknown
  context: PageContext
  /** What the page shows. */
  text: string
}

/** The text of a page as quotes are looked for in it. */
interface QuotedText {
  context: PageContext
  /** As `comparable` writes it. */
  text: string
}

/** What a model claims of a page, held against the page. */
export interface VerifiedClaims {
  value: Record<string, unknown>
  /** The quotes of the values that stand, by path. */
  quotes: Map<string, string>
  /** Paths of claims that the page does not bear out. */
  dropped: string[]
}

const longestQuote = 2000

/** Keeps the claims whose quote stands on the page and states the value; everything else is dropped and named. */
export function ground({ spec, claims, context, text }: PageClaims): VerifiedClaims {
  const page = { context, text: comparable(text) }
  const grounded: VerifiedClaims = { value: {}, quotes: new Map(), dropped: [] }
  const value = groundedPart({ page, grounded }, spec, claims, '')
  if (isObject(value)) grounded.value = value
  return grounded
}

interface Work {
  page: QuotedText
  grounded: VerifiedClaims
}

function groundedPart(work: Work, spec: FieldSpec, claim: unknown, path: string): unknown {
  if (claim === null || claim === undefined) return undefined
  if (spec.kind === 'object') {
    if (!isObject(claim)) return undefined
    const parts = [...spec.fields].flatMap(([name, field]): [string, unknown][] => {
      const claimed = Object.hasOwn(claim, name) ? claim[name] : undefined
      const part = groundedPart(work, field, claimed, path === '' ? name : `${path}.${name}`)
      return part === undefined ? [] : [[name, part]]
    })
    // Entries become own properties, whatever they are called.
    return parts.length === 0 ? undefined : Object.fromEntries(parts)
  }
  if (spec.kind === 'list') {
    if (!Array.isArray(claim)) return undefined
    const entries: unknown[] = []
    for (const part of claim) {
      const entry = groundedPart(work, spec.item, part, `${path}[${entries.length}]`)
      if (entry !== undefined) entries.push(entry)
    }
    return entries.length === 0 ? undefined : entries
  }
  return groundedValue(work, spec, claim, path)
}

function groundedValue({ page, grounded }: Work, spec: ValueSpec, claim: unknown, path: string): unknown {
  const { value, quote } = isObject(claim) ? claim : { value: undefined, quote: undefined }
  if (value === undefined || value === null || value === '') return undefined
  const isGrounded =
    typeof quote === 'string' &&
    isQuoted(page, quote) &&
    states(spec, quote.slice(0, longestQuote), value, page.context)
  if (!isGrounded) {
    grounded.dropped.push(path)
    return undefined
  }
  grounded.quotes.set(path, quote.slice(0, longestQuote))
  return value
}

function isQuoted({ text }: QuotedText, quote: string): boolean {
  const looked = comparable(quote.slice(0, longestQuote))
  return looked !== '' && text.includes(looked)
}

/** Without case, marks and white space, in which models change what they quote. */
function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** Whether the quoted words state the value. */
function states(spec: ValueSpec, quote: string, value: unknown, context: PageContext): boolean {
  const names = namesOf(spec)
  const read = coerce(spec, quote, { ...context, ...names })
  if (read === value) return true
  if (typeof value === 'number') return numbersIn(quote, context.language).includes(value)
  if (typeof value === 'boolean') {
    // Words of the field in the quote are the least that a yes or no rests on.
    const said = new Set(words(quote))
    return read === undefined && names.own.some((word) => said.has(word))
  }
  if (typeof value !== 'string') return false
  if (spec.format === 'date' || spec.format === 'date-time')
    return typeof read === 'string' && read.slice(0, 10) === value.slice(0, 10)
  const said = new Set(words(quote))
  const own = words(value)
  return own.length > 0 && own.every((word) => said.has(word))
}

function numbersIn(text: string, language: string): number[] {
  return [...text.matchAll(/[-−]?\d[\d.,'’\u00A0\u202F ]*/g)].flatMap(
    (match) => readNumber(match[0], language) ?? [],
  )
}
