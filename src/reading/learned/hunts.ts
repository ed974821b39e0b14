import type { PageContext } from '../fields/page-context.ts'
import type { Slot } from '../fields/slots.ts'
import type { ValueSpec } from '../schema/field-spec.ts'
import { coerce } from '../values/coerce.ts'
import type { Part } from './memory.ts'
import { numbersOf, partsWith, piecesOf } from './parts.ts'
import { comparableValue } from './same-value.ts'
import { holdsAddress, type Source } from './sources.ts'

/** A value that the page states, and whose places are looked for. */
export interface Sought {
  slot: Slot
  value: unknown
}

/** A text with what several values are compared with, made once. */
export interface ComparedText {
  text: string
  comparable: string
  lowerCase: string
  /** The digits of its numbers. */
  digits: readonly string[]
}

export interface Hunt extends Sought {
  /** The parts of a text that are the value. */
  partsIn(source: Source, compared: ComparedText): Part[]
}

/** Values of longer texts are looked for only where they are all of the text. */
const longestAround = 300
const longestNumber = 200
const longestChoice = 80
const longestDate = 160
const longestList = 2000
const whole: Part = { kind: 'whole' }

export function comparedText(text: string): ComparedText {
  const digits = text.length <= longestNumber ? text.match(/\d[\d.,'’\u00A0\u202F ]*/g) : undefined
  return {
    text,
    comparable: comparableValue(text),
    lowerCase: text.length <= longestAround ? text.toLowerCase() : '',
    digits: digits?.map((written) => written.replace(/\D/g, '')) ?? [],
  }
}

export function huntFor({ slot, value }: Sought, context: PageContext): Hunt {
  const { spec, names } = slot
  const find =
    spec.kind === 'list'
      ? entryFinder(value)
      : valueFinder(slot, spec, { value, read: (text) => coerce(spec, text, { ...context, ...names }) })
  const isAddress =
    names.kind === 'image' || (spec.kind === 'text' && (spec.format === 'uri' || spec.format === 'url'))
  return {
    ...{ slot, value },
    partsIn: (source, compared) => (holdsAddress(source) === isAddress ? find(compared) : []),
  }
}

type Finder = (compared: ComparedText) => Part[]

interface Wanted {
  value: unknown
  /** What a text says, in the type of the field. */
  read(text: string): unknown
}

function valueFinder({ names }: Slot, spec: ValueSpec, { value, read }: Wanted): Finder {
  if (spec.choices || spec.kind === 'boolean')
    return ({ text }) => (text.length <= longestChoice && read(text) === value ? [whole] : [])
  if (spec.kind === 'number' || spec.kind === 'integer') {
    return (compared) => numberParts(compared, { value, read }, isConverted(names))
  }
  if (spec.format === 'date' || spec.format === 'date-time') return dateFinder({ value, read })
  const wanted = comparableValue(value)
  if (isMade(spec, names)) return ({ text }) => (comparableValue(read(text)) === wanted ? [whole] : [])
  return ({ text, comparable, lowerCase }) => {
    if (comparable === wanted) return [whole]
    return typeof value === 'string' && lowerCase.includes(value.toLowerCase()) ? partsWith(text, value) : []
  }
}

/** Whether the value is something that the text only contains: an address, a code. */
function isMade({ format }: ValueSpec, { kind, concept }: Slot['names']): boolean {
  const isShaped = kind === 'email' || kind === 'phone' || kind === 'image' || kind === 'address'
  return format !== undefined || isShaped || concept === 'currency' || concept === 'availability'
}

/** It is counted in a unit that the page may not use. */
function isConverted({ kind, unit }: Slot['names']): boolean {
  return kind === 'duration' || (kind === 'measure' && unit !== undefined && unit.size > 0)
}

/** "1.2 million" is no number that stands there. */
const scale = /\d\s?(?:k|tsd|thousand|mio|millions?|bn|万|億)(?![\p{L}])/iu

function numberParts({ text, digits }: ComparedText, { value, read }: Wanted, isMeasured: boolean): Part[] {
  if (digits.length === 0) return []
  const own = String(value).replace(/\D/g, '')
  const mayBe = digits.some((written) => written.startsWith(own))
  const mayBeMade = isMeasured ? text.length <= longestChoice : scale.test(text)
  if (!mayBe && !mayBeMade) return []
  const written = numbersOf(text)
  const parts = written.flatMap((number, nth): Part[] =>
    read(number.text) === value ? [{ kind: 'number', nth, of: written.length }] : [],
  )
  if (read(text) !== value) return parts.slice(0, 2)
  return written.length > 1 ? [whole, ...parts.slice(0, 1)] : [whole]
}

function dateFinder({ value, read }: Wanted): Finder {
  const day = String(value).slice(0, 10)
  const year = day.slice(0, 4)
  return ({ text }) => {
    const mayBe = text.length <= longestDate && text.includes(year)
    return mayBe && String(read(text) ?? '').slice(0, 10) === day ? [whole] : []
  }
}

/** A list stands in several elements alike, or in one between separators. */
function entryFinder(value: unknown): Finder {
  const list = Array.isArray(value) ? value.map(comparableValue) : []
  const [first = ''] = list
  const all = list.join('\n')
  return ({ text, comparable }) => {
    if (first === '' || text.length > longestList) return []
    if (comparable === first) return [whole]
    const mayBe = list.length > 1 && comparable.startsWith(first)
    return mayBe && comparableValue(piecesOf(text)) === all ? [{ kind: 'piece', nth: 'all' }] : []
  }
}
