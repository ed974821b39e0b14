import type { PageContext } from '../fields/extracted-value.ts'
import { namesOf } from '../fields/field-names.ts'
import { type FieldSpec, isObject, type ObjectSpec, type ValueSpec } from '../schema/field-spec.ts'
import { coerce } from '../values/coerce.ts'
import { readNumber } from '../values/number.ts'
import { words } from '../vocabulary/words.ts'

export interface PageClaims {
  spec: ObjectSpec
  claims: unknown
  context: PageContext
  text: string
}

export interface VerifiedClaims {
  value: Record<string, unknown>
  quotes: Map<string, string>
  dropped: string[]
}

const maxQuoteLength = 2000

/** Accepts claims whose quote is on the page and contains the value. Returns the paths of all other claims. */
export function ground({ spec, claims, context, text }: PageClaims): VerifiedClaims {
  const grounded: VerifiedClaims = { value: {}, quotes: new Map(), dropped: [] }
  const value = groundPart({ page: context, text: normalize(text), grounded }, spec, claims, '')
  return isObject(value) ? { ...grounded, value } : grounded
}

interface GroundingContext {
  page: PageContext
  /** Page text as normalized by `normalize`, in which quotes are searched. */
  text: string
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
  { page, text, grounded }: GroundingContext,
  spec: ValueSpec,
  claim: unknown,
  path: string,
): unknown {
  const { value, quote } = isObject(claim) ? claim : {}
  if (value === undefined || value === null || value === '') return undefined
  const exactQuote = typeof quote === 'string' ? quote.slice(0, maxQuoteLength) : ''
  const searched = normalize(exactQuote)
  if (searched === '' || !text.includes(searched) || !states(spec, exactQuote, value, page)) {
    grounded.dropped.push(path)
    return undefined
  }
  grounded.quotes.set(path, exactQuote)
  return value
}

/** Normalizes case, punctuation and whitespace, which models change in quotes. */
function normalize(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function states(spec: ValueSpec, quote: string, value: unknown, context: PageContext): boolean {
  const names = namesOf(spec)
  const coerced = coerce(spec, quote, { ...context, ...names })
  if (coerced === value) return true
  if (typeof value === 'number')
    return quote.match(numbers)?.some((text) => readNumber(text, context.language) === value) ?? false
  const quoteWords = new Set(words(quote))
  // A boolean needs at least one word of the field name in the quote.
  if (typeof value === 'boolean')
    return coerced === undefined && names.own.some((word) => quoteWords.has(word))
  if (typeof value !== 'string') return false
  if (spec.format === 'date' || spec.format === 'date-time')
    return typeof coerced === 'string' && coerced.slice(0, 10) === value.slice(0, 10)
  const valueWords = words(value)
  return valueWords.length > 0 && valueWords.every((word) => quoteWords.has(word))
}

const numbers = /[-−]?\d[\d.,'’\u00A0\u202F ]*/g
