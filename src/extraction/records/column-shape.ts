import type { PageContext } from '../fields/extracted-value.ts'
import type { SchemaField } from '../fields/schema-fields.ts'
import type { ValueSpec } from '../schema/field-spec.ts'
import { money } from '../values/number.ts'
import { isClosed, scoreSemanticType, semanticTypeOf } from '../values/semantic-types.ts'
import type { ValueKind } from '../vocabulary/concepts.ts'
import { type Unit, writtenUnit } from '../vocabulary/units.ts'
import type { Cell, Column, RecordSet } from './cell.ts'

export const byline =
  /^(?:[Bb]y|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor|[Aa]v|[Aa]f)\s+\p{Lu}[\p{L}\p{M}. '’-]{1,50}$/u

function isInUnit(text: string, { of, size }: Unit): boolean {
  const unit = writtenUnit(/\d\s*([\p{L}"″㎡][\p{L}²2. ]{0,12})$/u.exec(text)?.[1] ?? '')
  return unit?.of === of && unit.size === size
}

const semanticTypeScore = 0.6

export function shapeScore(
  field: SchemaField,
  column: Column,
  set: RecordSet,
  sample: readonly Cell[],
  page: PageContext,
): number {
  const { names, spec } = field
  const getShare = (test: (text: string) => boolean) =>
    sample.filter(({ text }) => test(text)).length / sample.length
  const inner: ValueSpec = spec.kind === 'list' ? spec.item : spec
  const isMain = column.form === 'text' && (column.isHeading || column.isLink)
  if (names.concept === 'title' || names.concept === 'jobTitle') {
    if (!isMain) return 0
    const textShare = getShare((text) => /\p{L}{2}/u.test(text))
    // In a heading with several parts, the link is the title.
    const pieceFactor = column.isLinePart && !column.isLink ? 0.8 : column.isFullLine ? 0.97 : 1
    return (
      textShare * (column.isHeading ? 0.85 : 0.72) * pieceFactor * distinctness(column) - column.order * 0.001
    )
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
    const typeConfidence =
      sample.reduce((sum, { text }) => sum + scoreSemanticType(semanticType, text, page.language), 0) /
      sample.length
    if (typeConfidence > 0.5 || isClosed(semanticType))
      return typeConfidence * (column.isHeading ? 0.5 : semanticTypeScore)
  }
  if (isRank(names.concept, column)) return 0.6
  if (names.concept === 'fileSize' || names.hints.join(' ') === 'file size')
    return getShare((text) => /^\d[\d.,]*\s?(?:[kmgt]i?b|[kmgt]o|bytes?)$/i.test(text)) * 0.6
  if (names.unit && names.unit.size > 0) {
    const { unit } = names
    return getShare((text) => text.length < 24 && isInUnit(text, unit)) * 0.6
  }
  if (names.concept === 'author') return getShare((text) => byline.test(text)) * 0.6
  if (names.concept === 'url' || (inner.format === 'uri' && names.kind === 'address'))
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

/** True if no other text column is longer on average. Complete lines and headings are ignored. */
function isLongest(column: Column, { columns }: RecordSet): boolean {
  if (column.isHeading || column.isFullLine || column.isLink) return false
  const ownLength = meanLength(column)
  return columns
    .filter(({ form, isHeading, isFullLine }) => form === 'text' && !isHeading && !isFullLine)
    .every((other) => other === column || meanLength(other) < ownLength)
}

function meanLength({ cells }: Column): number {
  const sample = [...cells.values()].slice(0, 12)
  return sample.reduce((sum, { text }) => sum + text.length, 0) / sample.length
}
