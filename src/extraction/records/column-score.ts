import { elementWords } from '../fields/element-names.ts'
import type { PageContext } from '../fields/extracted-value.ts'
import type { FieldNames } from '../fields/field-names.ts'
import { flagKeys, saysFlag } from '../fields/from-flags.ts'
import { isRating } from '../fields/from-labels.ts'
import { isMoney } from '../fields/from-shapes.ts'
import { nearness, type SchemaField } from '../fields/schema-fields.ts'
import { coerce } from '../values/coerce.ts'
import type { ValueKind } from '../vocabulary/concepts.ts'
import { rateOf } from '../vocabulary/units.ts'
import { nameWords, phraseOf, singular, wordList } from '../vocabulary/words.ts'
import type { Cell, Column, RecordSet } from './cell.ts'
import { byline, shapeScore } from './column-shape.ts'
import { constantText } from './columns.ts'

/** Cells that are looked at to judge a column. */
export const maxSampled = 12

/** Whether the values are words. */
export const isWord = ({ kind }: FieldNames) => kind === undefined || kind === 'text' || kind === 'name'

/** How surely a column holds a field. */
export function scoreOf(slot: SchemaField, column: Column, set: RecordSet, page: PageContext): number {
  const { names } = slot
  if (
    !hasForm(names, slot, column) ||
    column.isStruck !== (names.concept === 'originalPrice' && column.isStruck)
  )
    return 0
  const cells = [...column.cells.values()]
  const sample = cells.slice(0, maxSampled)
  if (isOtherRate(names, column, sample)) return 0
  if (slot.spec.kind === 'boolean') return flagScore(slot, column, sample, page)
  const fit = sample.filter((cell) => isValue(slot, cell, page)).length / sample.length
  if (fit < 0.6) return 0
  const named = Math.max(nameScore(names, column, set.reader), column.isStruck ? 0.9 : 0)
  // What all records say is no value of one, unless the page names it.
  const isNamed = named >= minOfConstant && (set.reader === 'table' || column.isLink)
  if (isWord(names) && !isNamed && constantText(column) !== undefined) return 0
  // A number is no word, unless the page calls it so.
  if (isWord(names) && named < 0.9 && sample.every(({ text }) => /^\P{L}+$/u.test(text))) return 0
  const labelled = sample.filter(({ text }) => labelIn(names, text) > 0).length / sample.length
  const cover = cells.length / set.nodes.length
  const told = Math.max(named, labelled * 0.95)
  const shaped = shapeScore(slot, column, set, sample, page)
  // A part of a line says one thing, the line several.
  const whole = column.isWhole && names.concept !== 'title' ? 0.8 : 1
  return Math.max(told, shaped) * (0.75 + 0.25 * cover) * (0.7 + 0.3 * fit) * whole
}

const minOfConstant = 0.6

/** Whether a field is asked for by the month, and the column is by the year. */
function isOtherRate({ own, kind }: FieldNames, { names }: Column, sample: readonly Cell[]): boolean {
  if (kind !== 'price') return false
  const [asked, said] = [rateOf(own.join(' ')), rateOf(names.at(-1) ?? '') ?? rateOf(sample[0]?.text ?? '')]
  return (
    asked !== said &&
    (said === undefined ? asked === 'area' || asked === 'person' : asked !== undefined || said === 'area')
  )
}

/** A text that says nothing but the name of a yes or a no, or a column that is called so. */
function flagScore(slot: SchemaField, column: Column, sample: readonly Cell[], page: PageContext): number {
  const said =
    sample.filter(({ text }) => saysFlag(text, flagKeys(slot), slot.names.hints) !== undefined).length /
    sample.length
  const stated = sample.filter((cell) => valueIn(slot, cell, page) !== undefined).length / sample.length
  const isSaid =
    said >= 0.9 || sample.filter(({ text }) => saysFlag(text, flagKeys(slot)) === true).length > 1
  return Math.max(isSaid ? 0.6 : 0, stated >= 0.9 ? nameScore(slot.names, column, 'records') : 0)
}

const maxWords: Partial<Record<ValueKind, number>> = { name: 9, code: 5, price: 6, count: 6, rating: 8 }

const month =
  'jan|feb|fév|mar|mär|apr|avr|abr|may|mai|mag|jun|jui|giu|jul|lug|aug|aoû|ago|sep|set|oct|okt|ott|nov|dec|dez|déc|dic|ene|gen'
const hasDate = new RegExp(
  String.raw`\b(?:19|20)\d{2}\b|\b(?:${month})\p{L}{0,7}\.? \d{1,2}$|\b\d{1,2}\.? (?:${month})\p{L}{0,7}\.?$`,
  'iu',
)

/** Whether a cell holds a value of the field, and not much else. */
export function isValue(slot: SchemaField, cell: Cell, page: PageContext): boolean {
  const { kind, concept } = slot.names
  const most = concept === 'title' ? 40 : kind === undefined ? undefined : maxWords[kind]
  if (most !== undefined && cell.text.split(/\s+/, most + 1).length > most) return false
  // A name has no date in it.
  if (kind === 'name' && concept !== 'title' && hasDate.test(cell.text)) return false
  if (kind === 'price' && /\d:\d/.test(cell.text)) return false
  if (kind === 'date' && /^\d{1,3}$/.test(cell.text)) return false
  const isAmount = isMoney(cell.text)
  if (
    kind === 'rating' &&
    (isAmount || !(isRating(cell.text) || /^\D{0,3}(?:10|\d(?:[.,]\d)?)\D{0,4}$/.test(cell.text)))
  )
    return false
  // Half a thing is not counted, unless in thousands.
  const isHalf = /\d[.,]\d{1,2}(?![\d.,])(?!\s?[km])/i.test(cell.text)
  if (kind === 'count' && (isAmount || isHalf)) return false
  return valueIn(slot, cell, page) !== undefined
}

function hasForm({ kind }: FieldNames, { spec }: SchemaField, { form, isList }: Column): boolean {
  if (isList && spec.kind !== 'list') return false
  const inner = spec.kind === 'list' ? spec.item : spec
  if (kind === 'image') return form === 'image'
  if (kind === 'address' || inner.format === 'uri') return form === 'link'
  if (kind === 'date') return form === 'date' || form === 'text'
  return form === 'text'
}

const ofLead = 0.75
const persons = wordList('persons')
/** Whether an address is one of a person, of which a record may name several. */
export const linksToPerson = (lead: string) => persons.has(lead.toLowerCase())

/** How surely one of the names of a column means the field. */
function nameScore(field: FieldNames, { names, leads }: Column, reader: RecordSet['reader']): number {
  const { phrases, own } = field
  let best = 0
  for (const lead of leads)
    if (!linksToPerson(lead)) best = Math.max(best, (phrases.get(phraseOf(elementWords(lead))) ?? 0) * ofLead)
  for (const name of names) {
    const words = elementWords(name)
    if (words.length === 0 || words.length > 8) continue
    best = Math.max(best, nearness(field, words) * 0.9)
    if ((reader === 'table' || name.endsWith('.')) && isShortFor(name, own)) best = Math.max(best, 0.5)
    for (let from = 0; from < words.length; from += 1) {
      for (let size = Math.min(4, words.length - from); size > 0; size -= 1) {
        const weight = phrases.get(phraseOf(words.slice(from, from + size))) ?? 0
        const isEnd = from + size === words.length
        best = Math.max(best, weight * (size / words.length) ** 0.35 * (isEnd ? 1 : 0.8))
      }
    }
    const shared = words.filter((word) => own.includes(word)).length
    if (shared > 0) best = Math.max(best, ((2 * shared) / (own.length + words.length)) * 0.75)
  }
  return best
}

/** Heads of narrow columns are short: "Pts." for points. */
function isShortFor(name: string, own: readonly string[]): boolean {
  const letters = name.toLowerCase().replace(/[^\p{L}]/gu, '')
  if (letters.length === 0 || letters.length > 4 || name.length > 6) return false
  return own.some((word) => {
    let at = 0
    for (const letter of word) if (letter === letters[at]) at += 1
    return word[0] === letters[0] && at === letters.length && word.length > letters.length
  })
}

/** How surely a text begins with a label of the field: "Price: 5 €". */
function labelIn({ phrases }: FieldNames, text: string): number {
  const colon = text.search(/[:：]/)
  if (colon <= 0 || colon > 40) return 0
  return phrases.get(phraseOf(nameWords(text.slice(0, colon)).map(singular))) ?? 0
}

/** The value of a cell, without the label that it may begin with. */
export function valueIn(slot: SchemaField, { text, parts: listed }: Cell, page: PageContext): unknown {
  const { spec, names } = slot
  const flag = spec.kind === 'boolean' ? saysFlag(text, flagKeys(slot), slot.names.hints) : undefined
  if (flag !== undefined) return flag
  const said = labelIn(names, text) > 0 ? text.slice(text.search(/[:：]/) + 1).trim() : text
  const bare = names.concept === 'author' && byline.test(said) ? said.replace(/^\S+\s+/, '') : said
  const context = { ...page, ...names }
  if (spec.kind !== 'list') return coerce(spec, bare, context)
  const parts = (listed ?? bare.split(/\s*[,;|·]\s*/))
    .map((part) => coerce(spec.item, part, context))
    .filter((part) => part !== undefined)
  return parts.length > 0 ? parts : undefined
}
