import { absoluteUrl } from '../../content/addresses.ts'
import type { ValueSpec } from '../schema/field-spec.ts'
import type { ValueKind } from '../vocabulary/concepts.ts'
import { type Unit, writtenUnit } from '../vocabulary/units.ts'
import { isoDate, isoMoment, readDate, readLastDate } from './date.ts'
import { inUnit, readDuration } from './duration.ts'
import { readCurrency, readNumber, readPrice } from './number.ts'
import { plainText, readChoice, readYesOrNo } from './plain-value.ts'

const maxMeasureLength = 200
const measurePattern =
  /([-−]?\d[\d.,'’\u00A0\u202F]*(?:\s\d{3}(?!\d))?)\s*([\p{L}"″㎡][\p{L}²2.]*(?:\s(?:ft|feet|m|met(?:er|re)s?)\b)?)?/gu

/** Reads a number and converts it to the requested unit. Numbers of other dimensions are ignored. */
export function readMeasure(given: string, unit: Unit, language: string): number | undefined {
  const text = given.slice(0, maxMeasureLength).normalize('NFC')
  let unitlessNumber: string | undefined
  let hasOtherUnit = false
  for (const [, number = '', unitText] of text.matchAll(measurePattern)) {
    const foundUnit = unitText === undefined ? undefined : writtenUnit(unitText)
    if (foundUnit?.of === unit.of) {
      const value = readNumber(number, language)
      if (value === undefined) continue
      if (unit.size === 0 || foundUnit.size === 0) return value
      return Number(((value * foundUnit.size) / unit.size).toPrecision(10))
    }
    if (foundUnit) hasOtherUnit = true
    else unitlessNumber ??= number
  }
  return hasOtherUnit || unitlessNumber === undefined ? undefined : readNumber(unitlessNumber, language)
}

const numberPattern = String.raw`\d[\d.,'’\u00A0\u202F]*(?:\s?k\b)?`
const rangePattern = new RegExp(
  String.raw`(${numberPattern})\s*(?:[\p{Sc}]|[A-Za-z]{1,4}\.?)?\s*(?:-|–|—|to|bis|à|a|until|and|und|al|t/m)\s*(?:[\p{Sc}]|[A-Z]{3})?\s*(${numberPattern})`,
  'u',
)

export function readBound(text: string, bound: 'low' | 'high', language: string): number | undefined {
  const [, low, high] = rangePattern.exec(text.slice(0, 300)) ?? []
  if (low !== undefined && high !== undefined) {
    const [from, to] = [readNumber(low, language), readNumber(high, language)]
    // "40–55k" means thousands for both.
    if (from !== undefined && to !== undefined && from < to)
      return bound === 'high' ? to : /k\s*$/i.test(high) && from < 1000 ? from * 1000 : from
  }
  // A single number is the upper end if the text has no other words, or a word such as "up to".
  const isAlone = /^\s*[\d.,]+\s*$/.test(text)
  const isUpper = /\b(?:up to|max|maximum|bis|hasta|jusqu|fino a|tot|until)\b/i.test(text)
  if (bound === 'high') return isAlone || isUpper ? readNumber(text, language) : undefined
  return isUpper && !isAlone ? undefined : readNumber(text, language)
}

const timePattern =
  /(?:t|\b)([01]?\d|2[0-3])[:.h]([0-5]\d)(?::[0-5]\d)?\s*([ap]\.?m\b\.?|(?<=\d)[ap]\b|uhr\b|h\b)?/i
const hourOnly = /\b(1[0-2]|[1-9])\s*([ap])\.?m\b\.?|\b([01]?\d|2[0-3])\s*uhr\b/i

export function readClock(given: string): string | undefined {
  // Remove dates such as 3.12.2025, whose digits have the format of a time.
  const text = given.slice(0, 200).replace(/\d{1,2}\.\s?\d{1,2}\.\s?\d{2,4}/g, ' ')
  const [, hours, minutes, meridiem] = timePattern.exec(text) ?? []
  if (hours !== undefined) return formatTime(Number(hours), Number(minutes), meridiem)
  const [, twelve, part, hour] = hourOnly.exec(text) ?? []
  if (twelve !== undefined) return formatTime(Number(twelve), 0, part)
  return hour === undefined ? undefined : formatTime(Number(hour), 0, undefined)
}

function formatTime(hours: number, minutes: number, meridiem: string | undefined): string {
  const isTwelveHour = meridiem !== undefined && /^[ap]/i.test(meridiem)
  const hour = isTwelveHour ? (hours % 12) + (/^p/i.test(meridiem) ? 12 : 0) : hours
  return `${String(hour).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}

export interface ValueContext {
  kind: ValueKind | undefined
  unit: Unit | undefined
  concept: string | undefined
  bound?: 'low' | 'high' | undefined
  base: string
  language: string
}

const maxTextLength = 20_000

export function coerce(spec: ValueSpec, given: string | number | boolean, context: ValueContext): unknown {
  const { choices } = spec
  const choice = choices?.includes(given) ? given : choices && readChoice(String(given), choices)
  const value = choices ? choice : toType(spec, given, context)
  return isWithin(spec, value) ? value : undefined
}

function toType(spec: ValueSpec, given: string | number | boolean, context: ValueContext): unknown {
  if (spec.kind === 'boolean') return typeof given === 'boolean' ? given : readYesOrNo(String(given))
  if (spec.kind === 'number' || spec.kind === 'integer') return toNumber(spec, given, context)
  if (spec.kind === 'any' && typeof given !== 'string') return given
  const text = plainText(given, maxTextLength)
  if (text === undefined || typeof given === 'boolean' || placeholder.test(text)) return undefined
  return toText(spec, context.kind === 'name' ? removeRepetition(text) : text, context)
}

function toNumber({ kind }: ValueSpec, given: string | number | boolean, context: ValueContext) {
  if (typeof given === 'boolean') return undefined
  const number = typeof given === 'number' ? given : readContextNumber(given, context)
  if (number === undefined || !Number.isFinite(number)) return undefined
  return kind === 'integer' ? Math.round(number) : number
}

function readContextNumber(text: string, { kind, unit, language, bound, concept }: ValueContext) {
  const isTime = kind === 'duration' || unit?.of === 'time'
  const duration = isTime ? readDuration(text) : undefined
  if (duration !== undefined) return inUnit(duration, unit)
  // A number without a unit is in the requested unit.
  if (isTime && !/^\s*\d+(?:[.,]\d+)?\s*$/.test(text)) return undefined
  if (bound) return readBound(text, bound, language)
  if (unit && unit.of !== 'time' && unit.of !== 'money') return readMeasure(text, unit, language)
  if (kind !== 'price') return readNumber(text, language)
  const currency = unit?.currency === undefined ? undefined : readCurrency(text)
  if (currency !== undefined && currency !== unit?.currency) return undefined
  return concept === 'originalPrice' ? readNumber(text, language) : readPrice(text, language)
}

const placeholder =
  /^(?:other|unspecified|n\/?a|null|undefined|none|nan|unknown|not specified|keine angabe|k\.\s?a\.|-+|–|—|\.+)$/i

/** Removes a repeated name, which pages contain for screen readers, and contact data after a name. */
function removeRepetition(text: string): string {
  return text.length < 200
    ? text.replace(/^(.{2,80}?)\s+\1$/u, '$1').replace(/,\s*(?:[^,]*@|\+?[\d(][\d\s()/-]{5,}).*$/u, '')
    : text
}

const emailShape = /[\w.+%-]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,60}){1,5}/
const phoneShape = /\+?[\d(][\d\s().\-/–]{5,25}\d/

function toText(spec: ValueSpec, text: string, context: ValueContext): string | undefined {
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
    const isAddressText = format === undefined && context.kind === 'address'
    return toWebUrl(text, context.base) ?? (isAddressText ? text : undefined)
  }
  if (context.kind === 'phone') return phoneShape.exec(text)?.[0].trim()
  if (context.concept === 'version') return text.replace(/^(?:version|release|ver\.|v)\s?(?=\d)/i, '')
  if (context.concept === 'availability') return text.replace(/^https?:\/\/schema\.org\//i, '')
  return text
}

function toWebUrl(text: string, base: string): string | undefined {
  if (text.length > 4000 || /\s/.test(text)) return undefined
  const url = absoluteUrl(text, base)
  return url && /^https?:/.test(url) ? url : undefined
}

function isWithin({ bounds }: ValueSpec, value: unknown): boolean {
  const { min = -Infinity, max = Infinity, minLength = 0, maxLength = Infinity } = bounds
  if (typeof value === 'number') return value >= min && value <= max
  return typeof value !== 'string' || (value.length >= minLength && value.length <= maxLength)
}
