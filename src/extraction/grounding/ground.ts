import type { PageContext } from '../fields/extracted-value.ts'
import { namesOf } from '../fields/field-names.ts'
import { type FieldSpec, isObject, type ObjectSpec, type ValueSpec } from '../schema/field-spec.ts'
import { coerce } from '../values/coerce.ts'
import { readNumber } from '../values/number.ts'
import { words } from '../vocabulary/words.ts'

/** Values that a language model extracted from a page, each with a quote, and the page text. */
export interface PageClaims {
  spec: ObjectSpec
  claims: unknown
  context: PageContext
  /** Visible text of the page. */
  text: string
}

/** Page text in which quotes are searched. */
interface QuotedText {
  context: PageContext
  /** Text as normalized by `normalize`. */
  text: string
}

/** Result of checking claims against the page. */
export interface VerifiedClaims {
  value: Record<string, unknown>
  /** Quotes of the accepted values, by path. */
  quotes: Map<string, string>
  /** Paths of claims that the page does not support. */
  dropped: string[]
}

const maxQuoteLength = 2000

/** Accepts claims whose quote is on the page and contains the value. Returns the paths of all other claims. */
export function ground({ spec, claims, context, text }: PageClaims): VerifiedClaims {
  const page = { context, text: normalize(text) }
  const grounded: VerifiedClaims = { value: {}, quotes: new Map(), dropped: [] }
  const value = groundPart({ page, grounded }, spec, claims, '')
  if (isObject(value)) grounded.value = value
  return grounded
}

interface GroundingContext {
  page: QuotedText
  grounded: VerifiedClaims
}

function groundPart(context: GroundingContext, spec: FieldSpec, claim: unknown, path: string): unknown {
  if (claim === null || claim === undefined) return undefined
  if (spec.kind === 'object') {
    if (!isObject(claim)) return undefined
    const parts = [...spec.fields].flatMap(([name, field]): [string, unknown][] => {
      const claimed = Object.hasOwn(claim, name) ? claim[name] : undefined
      const part = groundPart(context, field, claimed, path === '' ? name : `${path}.${name}`)
      return part === undefined ? [] : [[name, part]]
    })
    // Object.fromEntries creates own properties for any name, including `__proto__`.
    return parts.length === 0 ? undefined : Object.fromEntries(parts)
  }
  if (spec.kind === 'list') {
    if (!Array.isArray(claim)) return undefined
    const entries: unknown[] = []
    for (const itemClaim of claim) {
      const entry = groundPart(context, spec.item, itemClaim, `${path}[${entries.length}]`)
      if (entry !== undefined) entries.push(entry)
    }
    return entries.length === 0 ? undefined : entries
  }
  return groundValue(context, spec, claim, path)
}

function groundValue(
  { page, grounded }: GroundingContext,
  spec: ValueSpec,
  claim: unknown,
  path: string,
): unknown {
  const { value, quote } = isObject(claim) ? claim : { value: undefined, quote: undefined }
  if (value === undefined || value === null || value === '') return undefined
  const isGrounded =
    typeof quote === 'string' &&
    isQuoted(page, quote) &&
    states(spec, quote.slice(0, maxQuoteLength), value, page.context)
  if (!isGrounded) {
    grounded.dropped.push(path)
    return undefined
  }
  grounded.quotes.set(path, quote.slice(0, maxQuoteLength))
  return value
}

function isQuoted({ text }: QuotedText, quote: string): boolean {
  const searched = normalize(quote.slice(0, maxQuoteLength))
  return searched !== '' && text.includes(searched)
}

/** Normalizes case, punctuation and whitespace, which models change in quotes. */
function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** True if the quote contains the value. */
function states(spec: ValueSpec, quote: string, value: unknown, context: PageContext): boolean {
  const names = namesOf(spec)
  const coerced = coerce(spec, quote, { ...context, ...names })
  if (coerced === value) return true
  if (typeof value === 'number') return numbersIn(quote, context.language).includes(value)
  if (typeof value === 'boolean') {
    // A boolean needs at least one word of the field name in the quote.
    const quoteWords = new Set(words(quote))
    return coerced === undefined && names.own.some((word) => quoteWords.has(word))
  }
  if (typeof value !== 'string') return false
  if (spec.format === 'date' || spec.format === 'date-time')
    return typeof coerced === 'string' && coerced.slice(0, 10) === value.slice(0, 10)
  const quoteWords = new Set(words(quote))
  const valueWords = words(value)
  return valueWords.length > 0 && valueWords.every((word) => quoteWords.has(word))
}

function numbersIn(text: string, language: string): number[] {
  return [...text.matchAll(/[-−]?\d[\d.,'’\u00A0\u202F ]*/g)].flatMap(
    (match) => readNumber(match[0], language) ?? [],
  )
}
