import { elementWords } from '../fields/element-names.ts'
import { coerceTexts, type PageContext } from '../fields/extracted-value.ts'
import type { FieldNames } from '../fields/field-names.ts'
import { flagKeys, readFlag } from '../fields/from-flags.ts'
import { isRating } from '../fields/from-labels.ts'
import { isMoney } from '../fields/from-shapes.ts'
import { labelSimilarity, type SchemaField } from '../fields/schema-fields.ts'
import type { ValueSpec } from '../schema/field-spec.ts'
import { money } from '../values/number.ts'
import { isClosed, scoreSemanticType, semanticTypeOf } from '../values/semantic-types.ts'
import type { ValueKind } from '../vocabulary/concepts.ts'
import { rateOf, type Unit, writtenUnit } from '../vocabulary/units.ts'
import { nameWords, phraseOf, singular, wordList } from '../vocabulary/words.ts'
import type { Cell, Column, RecordSet } from './cell.ts'
import { constantText } from './columns.ts'

export const maxSampled = 12

export const isWord = ({ kind }: FieldNames) => kind === undefined || kind === 'text' || kind === 'name'

export function scoreOf(field: SchemaField, column: Column, set: RecordSet, page: PageContext): number {
  const { names } = field
  if (!hasForm(field, column) || (column.isStruck && names.concept !== 'originalPrice')) return 0
  const cells = [...column.cells.values()]
  const sample = cells.slice(0, maxSampled)
  if (isOtherRate(names, column, sample)) return 0
  if (field.spec.kind === 'boolean') return flagScore(field, column, sample, page)
  const fit = sample.filter((cell) => isValue(field, cell, page)).length / sample.length
  if (fit < 0.6) return 0
  const nameConfidence = Math.max(nameScore(names, column, set.reader), column.isStruck ? 0.9 : 0)
  // A text that all records share is not a value of one record, unless the page names it.
  const isNamed = nameConfidence >= minConstantScore && (set.reader === 'table' || column.isLink)
  if (isWord(names) && !isNamed && constantText(column) !== undefined) return 0
  // A number is not the value of a text field, unless the page names the column so.
  if (isWord(names) && nameConfidence < 0.9 && sample.every(({ text }) => /^\P{L}+$/u.test(text))) return 0
  const labelledShare = sample.filter(({ text }) => labelIn(names, text) > 0).length / sample.length
  const coverage = cells.length / set.nodes.length
  const namedScore = Math.max(nameConfidence, labelledShare * 0.95)
  const shapedScore = shapeScore(field, column, set, sample, page)
  // A complete line contains several values, and a part of it only one.
  const lineFactor = column.isFullLine && names.concept !== 'title' ? 0.8 : 1
  return Math.max(namedScore, shapedScore) * (0.75 + 0.25 * coverage) * (0.7 + 0.3 * fit) * lineFactor
}

const minConstantScore = 0.6

/** True if the field is per month, for example, and the column per year. */
function isOtherRate({ own, kind }: FieldNames, { names }: Column, sample: readonly Cell[]): boolean {
  if (kind !== 'price') return false
  const requestedRate = rateOf(own.join(' '))
  const columnRate = rateOf(names.at(-1) ?? '') ?? rateOf(sample[0]?.text ?? '')
  if (columnRate === undefined) return requestedRate === 'area' || requestedRate === 'person'
  return requestedRate !== columnRate && (requestedRate !== undefined || columnRate === 'area')
}

function flagScore(field: SchemaField, column: Column, sample: readonly Cell[], page: PageContext): number {
  const keys = flagKeys(field)
  const flags = sample.filter(({ text }) => readFlag(text, keys, field.names.hints) !== undefined)
  const values = sample.filter((cell) => valueIn(field, cell, page) !== undefined)
  const isFlag =
    flags.length / sample.length >= 0.9 || sample.filter(({ text }) => readFlag(text, keys)).length > 1
  const valueShare = values.length / sample.length
  return Math.max(isFlag ? 0.6 : 0, valueShare >= 0.9 ? nameScore(field.names, column, 'records') : 0)
}

const maxWords: Partial<Record<ValueKind, number>> = { name: 9, code: 5, price: 6, count: 6, rating: 8 }

const month =
  'jan|feb|fév|mar|mär|apr|avr|abr|may|mai|mag|jun|jui|giu|jul|lug|aug|aoû|ago|sep|set|oct|okt|ott|nov|dec|dez|déc|dic|ene|gen'
const datePattern = new RegExp(
  String.raw`\b(?:19|20)\d{2}\b|\b(?:${month})\p{L}{0,7}\.? \d{1,2}$|\b\d{1,2}\.? (?:${month})\p{L}{0,7}\.?$`,
  'iu',
)

export function isValue(field: SchemaField, cell: Cell, page: PageContext): boolean {
  const { kind, concept } = field.names
  const maxCount = concept === 'title' ? 40 : kind === undefined ? undefined : maxWords[kind]
  if (maxCount !== undefined && cell.text.split(/\s+/, maxCount + 1).length > maxCount) return false
  if (kind === 'name' && concept !== 'title' && datePattern.test(cell.text)) return false
  if (kind === 'price' && /\d:\d/.test(cell.text)) return false
  if (kind === 'date' && /^\d{1,3}$/.test(cell.text)) return false
  if ((kind === 'rating' || kind === 'count') && isMoney(cell.text)) return false
  if (kind === 'rating' && !isRating(cell.text) && !/^\D{0,3}(?:10|\d(?:[.,]\d)?)\D{0,4}$/.test(cell.text))
    return false
  // A fraction is not a count, unless it is in thousands.
  if (kind === 'count' && /\d[.,]\d{1,2}(?![\d.,])(?!\s?[km])/i.test(cell.text)) return false
  return valueIn(field, cell, page) !== undefined
}

function hasForm({ names: { kind }, spec }: SchemaField, { form, isList }: Column): boolean {
  if (isList && spec.kind !== 'list') return false
  const inner = spec.kind === 'list' ? spec.item : spec
  if (kind === 'image') return form === 'image'
  if (kind === 'address' || inner.format === 'uri') return form === 'link'
  if (kind === 'date') return form === 'date' || form === 'text'
  return form === 'text'
}

const linkWeight = 0.75
const persons = wordList('persons')
/** True for a URL word such as "author", whose link target is a person. A record may link to several persons. */
export const linksToPerson = (word: string) => persons.has(word.toLowerCase())

function nameScore(field: FieldNames, { names, hrefWords }: Column, reader: RecordSet['reader']): number {
  const { phrases, own } = field
  let best = 0
  for (const hrefWord of hrefWords)
    if (!linksToPerson(hrefWord))
      best = Math.max(best, (phrases.get(phraseOf(elementWords(hrefWord))) ?? 0) * linkWeight)
  for (const name of names) {
    const words = elementWords(name)
    if (words.length === 0 || words.length > 8) continue
    best = Math.max(best, labelSimilarity(field, words) * 0.9)
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

function isShortFor(name: string, own: readonly string[]): boolean {
  const letters = name.toLowerCase().replace(/[^\p{L}]/gu, '')
  if (letters.length === 0 || letters.length > 4 || name.length > 6) return false
  return own.some((word) => {
    let at = 0
    for (const letter of word) if (letter === letters[at]) at += 1
    return word[0] === letters[0] && at === letters.length && word.length > letters.length
  })
}

function labelIn({ phrases }: FieldNames, text: string): number {
  const colon = text.search(/[:：]/)
  if (colon <= 0 || colon > 40) return 0
  return phrases.get(phraseOf(nameWords(text.slice(0, colon)).map(singular))) ?? 0
}

export function valueIn(field: SchemaField, { text, parts: listed }: Cell, page: PageContext): unknown {
  const { spec, names } = field
  const flag = spec.kind === 'boolean' ? readFlag(text, flagKeys(field), field.names.hints) : undefined
  if (flag !== undefined) return flag
  const unlabelled = labelIn(names, text) > 0 ? text.slice(text.search(/[:：]/) + 1).trim() : text
  const withoutByline =
    names.concept === 'author' && byline.test(unlabelled) ? unlabelled.replace(/^\S+\s+/, '') : unlabelled
  const parts = spec.kind === 'list' ? (listed ?? withoutByline.split(/\s*[,;|·]\s*/)) : [withoutByline]
  return coerceTexts(field, parts, page)
}

const byline = /^(?:[Bb]y|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor|[Aa]v|[Aa]f)\s+\p{Lu}[\p{L}\p{M}. '’-]{1,50}$/u

function isInUnit(text: string, { of, size }: Unit): boolean {
  const unit = writtenUnit(/\d\s*([\p{L}"″㎡][\p{L}²2. ]{0,12})$/u.exec(text)?.[1] ?? '')
  return unit?.of === of && unit.size === size
}

function shapeScore(
  field: SchemaField,
  column: Column,
  set: RecordSet,
  sample: readonly Cell[],
  page: PageContext,
): number {
  const { names, spec } = field
  const getShare = (test: (text: string) => boolean) =>
    sample.filter(({ text }) => test(text)).length / sample.length
  const { format }: ValueSpec = spec.kind === 'list' ? spec.item : spec
  const isMain = column.form === 'text' && (column.isHeading || column.isLink)
  if (names.concept === 'title' || names.concept === 'jobTitle') {
    if (!isMain) return 0
    const textShare = getShare((text) => /\p{L}{2}/u.test(text))
    // In a heading with several parts, the link is the title.
    const pieceFactor = column.isLinePart && !column.isLink ? 0.8 : column.isFullLine ? 0.97 : 1
    const share = textShare * (column.isHeading ? 0.85 : 0.72) * pieceFactor
    return share * distinctness(column) - column.order * 0.001
  }
  const shapes: Partial<Record<ValueKind, number>> = {
    price: getShare((text) => money.test(text) && text.length < 40) * 0.7,
    date: getShare((text) => column.form === 'date' || /\d{4}|\d{1,2}[./]\d{1,2}/.test(text)) * 0.6,
    image: 0.6,
    rating: getShare((text) => /\d[.,]\d|\/\s*5|out of/.test(text) && text.length < 30) * 0.5,
    email: 0.8,
    phone: getShare((text) => /^[+(\d][\d\s().\-/]{6,}$/.test(text)) * 0.7,
    yes: 0,
  }
  const semanticType = semanticTypeOf(names.concept)
  if (semanticType !== undefined && spec.kind !== 'list') {
    const scores = sample.map(({ text }) => scoreSemanticType(semanticType, text, page.language))
    const typeConfidence = scores.reduce((sum, score) => sum + score, 0) / sample.length
    if (typeConfidence > 0.5 || isClosed(semanticType)) return typeConfidence * (column.isHeading ? 0.5 : 0.6)
  }
  if (isRank(names.concept, column)) return 0.6
  if (names.concept === 'fileSize' || names.hints.join(' ') === 'file size')
    return getShare((text) => /^\d[\d.,]*\s?(?:[kmgt]i?b|[kmgt]o|bytes?)$/i.test(text)) * 0.6
  if (names.unit && names.unit.size > 0) {
    const { unit } = names
    return getShare((text) => text.length < 24 && isInUnit(text, unit)) * 0.6
  }
  if (names.concept === 'author') return getShare((text) => byline.test(text)) * 0.6
  if (names.concept === 'url' || (format === 'uri' && names.kind === 'address'))
    return 0.62 * distinctness(column) - column.order * 0.01
  if (names.own.at(-1) === 'code' || names.own.at(-1) === 'number')
    return getShare((text) => /^[A-Z]{1,5}[- ]?\d{2,6}[A-Z]?$/.test(text)) * 0.5
  if (names.concept === 'description')
    return Math.max(
      getShare((text) => text.length > 60) * 0.5,
      getShare((text) => text.split(' ').length > 4 && text.length > 24) * 0.4,
      isLongest(column, set)
        ? getShare((text) => text.split(' ').length > 3 && /^\P{N}+$/u.test(text)) * 0.4
        : 0,
    )
  if (names.concept === 'ratingCount')
    return getShare((text) => /^\((?!(?:19|20)\d{2}\))\d[\d.,\s]*k?\)$/i.test(text)) * 0.55
  if (names.concept === 'body')
    return getShare((text) => text.length > 24 && text.split(' ').length > 4) * 0.5
  if (names.concept === 'year') return getShare((text) => /^\D*(?:19|20)\d{2}\D*$/.test(text)) * 0.6
  if (names.own.join(' ') === 'time' || names.kind === 'time')
    return getShare((text) => /^\D{0,12}\d{1,2}[:.h]\d{2}(?!\d)/.test(text) && text.length < 24) * 0.6
  return (names.kind && shapes[names.kind]) ?? 0
}

function distinctness(column: Column): number {
  if (isDistinct(column)) return 1
  const [first, ...others] = [...column.cells.values()].map(({ text }) => text)
  return others.every((text) => text === first) ? 0 : 0.75
}

export function isDistinct({ cells }: Column): boolean {
  const texts = [...cells.values()].slice(0, 40).map(({ text }) => text)
  return new Set(texts).size > texts.length * 0.5
}

function isRank(concept: string | undefined, { form, cells }: Column): boolean {
  if (concept !== 'place' || form !== 'text' || cells.size < 3) return false
  const numbers = [...cells].map(
    ([record, { text }]) => Number(/^#?(\d{1,4})\.?$/.exec(text)?.[1] ?? Number.NaN) - record,
  )
  return numbers.every((number) => number === numbers[0])
}

/** True if all other text columns are shorter on average. Complete lines and headings are ignored. */
function isLongest(column: Column, { columns }: RecordSet): boolean {
  if (column.isHeading || column.isFullLine || column.isLink) return false
  const ownLength = meanLength(column)
  return columns
    .filter(({ form, isHeading, isFullLine }) => form === 'text' && !isHeading && !isFullLine)
    .every((other) => other === column || meanLength(other) < ownLength)
}

function meanLength({ cells }: Column): number {
  const sample = [...cells.values()].slice(0, maxSampled)
  return sample.reduce((sum, { text }) => sum + text.length, 0) / sample.length
}
