import { absoluteUrl } from '../../content/addresses.ts'
import type { ValueSpec } from '../schema/field-spec.ts'
import type { ValueKind } from '../vocabulary/concepts.ts'
import { type Unit, writtenUnit } from '../vocabulary/units.ts'
import { isoDate, isoMoment, readDate, readLastDate } from './date.ts'
import { inUnit, readDuration } from './duration.ts'
import { readCurrency, readNumber, readPrice } from './number.ts'
import { plainText, readChoice, readYesOrNo } from './plain-value.ts'

const longest = 200
const measured =
  /([-−]?\d[\d.,'’\u00A0\u202F]*(?:\s\d{3}(?!\d))?)\s*([\p{L}"″㎡][\p{L}²2.]*(?:\s(?:ft|feet|m|met(?:er|re)s?)\b)?)?/gu

/** A number in the unit that is asked for: what the page states in another one of its kind is converted, other things are not it. */
export function readMeasure(given: string, unit: Unit, language: string): number | undefined {
  const text = given.slice(0, longest).normalize('NFC')
  let bare: string | undefined
  let isOther = false
  for (const [, number = '', written] of text.matchAll(measured)) {
    const found = written === undefined ? undefined : writtenUnit(written)
    if (found?.of === unit.of) {
      const value = readNumber(number, language)
      if (value === undefined) continue
      return unit.size === 0 || found.size === 0 ? value : rounded((value * found.size) / unit.size)
    }
    if (found) isOther = true
    else bare ??= number
  }
  return isOther || bare === undefined ? undefined : readNumber(bare, language)
}

/** Conversion leaves dust behind the digits that count. */
function rounded(value: number): number {
  return Number(value.toPrecision(10))
}

const number = String.raw`\d[\d.,'’\u00A0\u202F]*(?:\s?k\b)?`
const between = new RegExp(
  String.raw`(${number})\s*(?:[\p{Sc}]|[A-Za-z]{1,4}\.?)?\s*(?:-|–|—|to|bis|à|a|until|and|und|al|t/m)\s*(?:[\p{Sc}]|[A-Z]{3})?\s*(${number})`,
  'u',
)

/** The lower or the upper end of a range of numbers: "$40k – $55k". */
export function readBound(text: string, bound: 'low' | 'high', language: string): number | undefined {
  const [, low, high] = between.exec(text.slice(0, 300)) ?? []
  if (low !== undefined && high !== undefined) {
    const [from, to] = [readNumber(low, language), readNumber(high, language)]
    // "40–55k" means thousands for both.
    if (from !== undefined && to !== undefined && from < to)
      return bound === 'high' ? to : /k\s*$/i.test(high) && from < 1000 ? from * 1000 : from
  }
  // One number is the upper end only where nothing else is said, or where it is called so.
  const isAlone = /^\s*[\d.,]+\s*$/.test(text)
  const isUpper = /\b(?:up to|max|maximum|bis|hasta|jusqu|fino a|tot|until)\b/i.test(text)
  if (bound === 'high') return isAlone || isUpper ? readNumber(text, language) : undefined
  return isUpper && !isAlone ? undefined : readNumber(text, language)
}

const written = /(?:t|\b)([01]?\d|2[0-3])[:.h]([0-5]\d)(?::[0-5]\d)?\s*([ap]\.?m\b\.?|uhr\b|h\b)?/i
const hourOnly = /\b(1[0-2]|[1-9])\s*([ap])\.?m\b\.?|\b([01]?\d|2[0-3])\s*uhr\b/i

/** The first time of day in a text, as HH:MM of 24 hours. */
export function readClock(given: string): string | undefined {
  // Digits of a date that are parted by points are no time.
  const text = given.slice(0, 200).replace(/\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}/g, ' ')
  const [, hours, minutes, half] = written.exec(text) ?? []
  if (hours !== undefined) return shown(Number(hours), Number(minutes), half)
  const [, twelve, part, hour] = hourOnly.exec(text) ?? []
  if (twelve !== undefined) return shown(Number(twelve), 0, part)
  return hour === undefined ? undefined : shown(Number(hour), 0, undefined)
}

function shown(hours: number, minutes: number, half: string | undefined): string {
  const isHalf = half !== undefined && /^[ap]/i.test(half)
  const hour = isHalf ? (hours % 12) + (/^p/i.test(half) ? 12 : 0) : hours
  return `${String(hour).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}

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
