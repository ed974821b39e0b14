import { absoluteUrl } from '../../content/addresses.ts'
import type { ValueSpec } from '../schema/field-spec.ts'
import type { ValueKind } from '../vocabulary/concept.ts'
import type { Unit } from '../vocabulary/units.ts'
import { readChoice } from './choice.ts'
import { readClock } from './clock.ts'
import { isoDate, isoMoment, readDate, readLastDate } from './date.ts'
import { inUnit, readDuration } from './duration.ts'
import { readMeasure } from './measure.ts'
import { readCurrency } from './money.ts'
import { readNumber, readPrice } from './number.ts'
import { plainText } from './plain-value.ts'
import { readBound } from './range.ts'
import { readYesOrNo } from './yes-or-no.ts'

/** What helps to read a value. */
export interface ValueContext {
  kind: ValueKind | undefined
  unit: Unit | undefined
  /** The concept of the field: `currency` is read out of a price. */
  concept: string | undefined
  /** Which end of a range is meant. */
  bound?: 'low' | 'high' | undefined
  base: string
  /** Of the page. */
  language: string
}

const longestText = 20_000

/** What a text says, in the type that is asked for; undefined where it does not say that. */
export function coerce(spec: ValueSpec, given: string | number | boolean, context: ValueContext): unknown {
  const value = spec.choices ? choiceOf(spec, given) : typed(spec, given, context)
  return value !== undefined && isWithin(spec, value) ? value : undefined
}

function choiceOf({ choices = [] }: ValueSpec, given: string | number | boolean): unknown {
  if (choices.includes(given)) return given
  return readChoice(String(given), choices)
}

function typed(spec: ValueSpec, given: string | number | boolean, context: ValueContext): unknown {
  if (spec.kind === 'boolean') return typeof given === 'boolean' ? given : readYesOrNo(String(given))
  if (spec.kind === 'number' || spec.kind === 'integer') return numberIn(spec, given, context)
  if (spec.kind === 'any' && typeof given !== 'string') return given
  const text = plainText(given, longestText)
  if (text === undefined || typeof given === 'boolean' || nothing.test(text)) return undefined
  return textIn(spec, context.kind === 'name' ? once(text) : text, context)
}

function numberIn(
  { kind }: ValueSpec,
  given: string | number | boolean,
  context: ValueContext,
): number | undefined {
  if (typeof given === 'boolean') return undefined
  const number = typeof given === 'number' ? given : numberOf(given, context)
  if (number === undefined || !Number.isFinite(number)) return undefined
  return kind === 'integer' ? Math.round(number) : number
}

function numberOf(text: string, { kind, unit, language, bound, concept }: ValueContext): number | undefined {
  const isTime = kind === 'duration' || unit?.of === 'time'
  const duration = isTime ? readDuration(text) : undefined
  if (duration !== undefined) return inUnit(duration, unit)
  // A bare number is in the unit that was asked for.
  if (isTime && !/^\s*\d+(?:[.,]\d+)?\s*$/.test(text)) return undefined
  if (bound) return readBound(text, bound, language)
  if (unit && unit.of !== 'time' && unit.of !== 'money') return readMeasure(text, unit, language)
  if (kind !== 'price') return readNumber(text, language)
  const stated = unit?.currency === undefined ? undefined : readCurrency(text)
  if (stated !== undefined && stated !== unit?.currency) return undefined
  return concept === 'originalPrice' ? readNumber(text, language) : readPrice(text, language)
}

/** What programs and pages write where they have nothing to say. */
const nothing =
  /^(?:other|unspecified|n\/?a|null|undefined|none|nan|unknown|not specified|keine angabe|k\.\s?a\.|-+|–|—|\.+)$/i

/** A name that a page writes twice, once for readers of screens; without a number to call behind it. */
function once(text: string): string {
  return text.length < 200
    ? text.replace(/^(.{2,80}?)\s+\1$/u, '$1').replace(/,\s*(?:[^,]*@|\+?[\d(][\d\s()/-]{5,}).*$/u, '')
    : text
}

const emailShape = /[\w.+%-]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,60}){1,5}/
const phoneShape = /\+?[\d(][\d\s().\-/–]{5,25}\d/

function textIn(spec: ValueSpec, text: string, context: ValueContext): string | undefined {
  const { format } = spec
  if (format === 'date' || format === 'date-time') {
    const isLast = context.concept === 'endDate'
    const date = (isLast ? readLastDate : readDate)(text, context.language)
    return date && (format === 'date' ? isoDate(date) : isoMoment(date))
  }
  if (format === 'email' || context.kind === 'email') return emailShape.exec(text)?.[0]
  if (context.kind === 'time') return readClock(text)
  if (context.concept === 'currency')
    return readCurrency(text) ?? (/^\p{L}[\p{L} ]{3,30}$/u.test(text) ? text : undefined)
  if (format === 'uri' || format === 'url' || context.kind === 'image' || context.kind === 'address') {
    return (
      webAddress(text, context.base) ??
      (format === undefined && context.kind === 'address' ? text : undefined)
    )
  }
  if (context.kind === 'phone') return phoneShape.exec(text)?.[0].trim() ?? undefined
  if (context.concept === 'version') return text.replace(/^(?:version|release|ver\.|v)\s?(?=\d)/i, '')
  if (context.concept === 'availability') return text.replace(/^https?:\/\/schema\.org\//i, '')
  return text
}

function webAddress(text: string, base: string): string | undefined {
  if (text.length > 4000 || /\s/.test(text)) return undefined
  const url = absoluteUrl(text, base)
  return url && /^https?:/.test(url) ? url : undefined
}

function isWithin({ bounds }: ValueSpec, value: unknown): boolean {
  const { least = -Infinity, most = Infinity, shortest = 0, longest = Infinity } = bounds
  if (typeof value === 'number') return value >= least && value <= most
  return typeof value !== 'string' || (value.length >= shortest && value.length <= longest)
}
