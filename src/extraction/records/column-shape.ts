import type { PageContext } from '../fields/extracted-value.ts'
import type { SchemaField } from '../fields/schema-fields.ts'
import type { ValueSpec } from '../schema/field-spec.ts'
import { money } from '../values/number.ts'
import { isClosed, isOfType, semanticTypeOf } from '../values/semantic-types.ts'
import type { ValueKind } from '../vocabulary/concepts.ts'
import { type Unit, writtenUnit } from '../vocabulary/units.ts'
import type { Cell, Column, RecordSet } from './cell.ts'

export const byline =
  /^(?:[Bb]y|[Vv]on|[Pp]ar|[Pp]or|[Dd]i|[Dd]oor|[Aa]v|[Aa]f)\s+\p{Lu}[\p{L}\p{M}. '’-]{1,50}$/u

/** Whether a text is a number in the very unit. */
function isInUnit(text: string, { of, size }: Unit): boolean {
  const unit = writtenUnit(/\d\s*([\p{L}"″㎡][\p{L}²2. ]{0,12})$/u.exec(text)?.[1] ?? '')
  return unit?.of === of && unit.size === size
}

const ofSort = 0.6

/** What a column may be by its look alone. */
export function shapeScore(
  slot: SchemaField,
  column: Column,
  set: RecordSet,
  sample: readonly Cell[],
  page: PageContext,
): number {
  const { names, spec } = slot
  const share = (test: (text: string) => boolean) =>
    sample.filter(({ text }) => test(text)).length / sample.length
  const inner: ValueSpec = spec.kind === 'list' ? spec.item : spec
  const isMain = column.form === 'text' && (column.isHeading || column.isLink)
  if (names.concept === 'title' || names.concept === 'jobTitle') {
    if (!isMain) return 0
    const isText = share((text) => /\p{L}{2}/u.test(text))
    // A link in a heading is what the heading is about; another part of it is not.
    const part = column.isPiece && !column.isLink ? 0.8 : column.isWhole ? 0.97 : 1
    return isText * (column.isHeading ? 0.85 : 0.72) * part * distinctness(column) - column.order * 0.001
  }
  const shapes: Partial<Record<ValueKind, number>> = {
    price: share((text) => money.test(text) && text.length < 40) * 0.7,
    date: share((text) => column.form === 'date' || /\d{4}|\d{1,2}[./]\d{1,2}/.test(text)) * 0.6,
    image: 0.6,
    rating: share((text) => /\d[.,]\d|\/\s*5|out of/.test(text) && text.length < 30) * 0.5,
    email: 0.8,
    phone: share((text) => /^[+(\d][\d\s().\-/]{6,}$/.test(text)) * 0.7,
    yes: 0,
  }
  const sort = semanticTypeOf(names.concept)
  if (sort !== undefined && spec.kind !== 'list') {
    const sure =
      sample.reduce((sum, { text }) => sum + isOfType(sort, text, page.language), 0) / sample.length
    if (sure > 0.5 || isClosed(sort)) return sure * (column.isHeading ? 0.5 : ofSort)
  }
  if (isRank(names.concept, column)) return 0.6
  if (names.concept === 'fileSize' || names.hints.join(' ') === 'file size')
    return share((text) => /^\d[\d.,]*\s?(?:[kmgt]i?b|[kmgt]o|bytes?)$/i.test(text)) * 0.6
  if (names.unit && names.unit.size > 0) {
    const { unit } = names
    return share((text) => text.length < 24 && isInUnit(text, unit)) * 0.6
  }
  if (names.concept === 'author') return share((text) => byline.test(text)) * 0.6
  if (names.concept === 'url' || (inner.format === 'uri' && names.kind === 'address'))
    return 0.62 * distinctness(column) - column.order * 0.01
  if (names.own.at(-1) === 'code' || names.own.at(-1) === 'number')
    return share((text) => /^[A-Z]{1,5}[- ]?\d{2,6}[A-Z]?$/.test(text)) * 0.5
  if (names.concept === 'description')
    return Math.max(
      share((text) => text.length > 60) * 0.5,
      share((text) => text.split(' ').length > 4 && text.length > 24) * 0.4,
      isLongest(column, set)
        ? share((text) => text.split(' ').length > 3 && /^\P{N}+$/u.test(text)) * 0.4
        : 0,
    )
  if (names.concept === 'ratingCount')
    return share((text) => /^\((?!(?:19|20)\d{2}\))\d[\d.,\s]*k?\)$/i.test(text)) * 0.55
  if (names.concept === 'body') return share((text) => text.length > 24 && text.split(' ').length > 4) * 0.5
  if (names.concept === 'year') return share((text) => /^\D*(?:19|20)\d{2}\D*$/.test(text)) * 0.6
  if (names.own.join(' ') === 'time' || names.kind === 'time')
    return share((text) => /^\D{0,12}\d{1,2}[:.h]\d{2}(?!\d)/.test(text) && text.length < 24) * 0.6
  return (names.kind && shapes[names.kind]) ?? 0
}

/** How well it tells records apart: not at all where all say the same. */
function distinctness(column: Column): number {
  if (isDistinct(column)) return 1
  const [first, ...others] = [...column.cells.values()].map(({ text }) => text)
  return others.every((text) => text === first) ? 0 : 0.75
}

/** Whether it tells records apart. */
export function isDistinct({ cells }: Column): boolean {
  const texts = [...cells.values()].slice(0, 40).map(({ text }) => text)
  return new Set(texts).size > texts.length * 0.5
}

/** Whether records are numbered by it: 1, 2, 3. */
function isRank(concept: string | undefined, { form, cells }: Column): boolean {
  if (concept !== 'place' || form !== 'text' || cells.size < 3) return false
  const numbers = [...cells].map(
    ([record, { text }]) => Number(/^#?(\d{1,4})\.?$/.exec(text)?.[1] ?? Number.NaN) - record,
  )
  return numbers.every((number) => number === numbers[0])
}

/** Whether no other text of the records is as long; a line that is made of others does not count. */
function isLongest(column: Column, { columns }: RecordSet): boolean {
  if (column.isHeading || column.isWhole || column.isLink) return false
  const own = meanLength(column)
  return columns.every(
    (other) =>
      other === column ||
      other.form !== 'text' ||
      other.isHeading ||
      other.isWhole ||
      meanLength(other) < own,
  )
}

function meanLength({ cells }: Column): number {
  const sample = [...cells.values()].slice(0, 12)
  return sample.reduce((sum, { text }) => sum + text.length, 0) / sample.length
}
