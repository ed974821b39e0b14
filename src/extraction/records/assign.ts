import type { PageContext } from '../fields/extracted-value.ts'
import type { SchemaField } from '../fields/schema-fields.ts'
import { isClosed, semanticTypeOf } from '../values/semantic-types.ts'
import type { Assignment, Column, RecordSet } from './cell.ts'
import { isValue, isWord, linksToPerson, maxSampled, scoreOf, valueIn } from './column-score.ts'
import { isDistinct } from './column-shape.ts'

const minScore = 0.3
/** Minimum score of a further column of the same field, as a share of the score of the first one. */
const minScoreShare = 0.6

/**
 * Assigns columns to fields, by the names of a column and by the share of its cells that are values of the kind. Each column
 * serves one field.
 */
export function assign(set: RecordSet, slots: readonly SchemaField[], page: PageContext): Assignment[] {
  const pairs: Assignment[] = []
  for (const slot of slots) {
    for (const column of set.columns) {
      const score = scoreOf(slot, column, set, page)
      if (score >= minScore) pairs.push({ slot, column, more: [], score })
    }
  }
  pairs.sort((one, other) => other.score - one.score)
  const taken = new Map<SchemaField | Column, Assignment>()
  for (const pair of pairs) {
    const current = taken.get(pair.slot)
    const other = taken.get(pair.column)
    if (other && !(current === undefined && canShare(pair, other))) continue
    if (!current) taken.set(pair.slot, pair).set(pair.column, other ?? pair)
    else if (pair.score >= current.score * minScoreShare && fillsGaps(current, pair.column)) {
      current.more.push(pair.column)
      taken.set(pair.column, current)
    }
  }
  const chosen = applyRelations([...new Set(taken.values())], set)
  const all = [...chosen, ...findTitleColumn(set, slots, chosen, page)]
  if (set.reader === 'section') {
    const taken = new Set(all.flatMap(({ column, more }) => [column, ...more]))
    const remaining = slots.filter((slot) => !all.some((one) => one.slot === slot))
    const parts = assignParts(set.columns, taken, remaining)
    if (parts.length > 0) return [...all, ...parts]
  }
  return [...all, ...leftOver(set, slots, all, page)]
}

/**
 * True if one text can contain both values: both ends of a range, an amount and its currency, a day and a time, or words that
 * mean a yes.
 */
function canShare({ slot }: Assignment, { slot: other }: Assignment): boolean {
  const [one, two] = [slot.names, other.names]
  if (slot.spec.kind === 'boolean' || other.spec.kind === 'boolean') return true
  if (one.bound !== undefined && two.bound !== undefined) return one.bound !== two.bound
  const kinds = [one.kind, two.kind]
  if (kinds.includes('date') && kinds.includes('time')) return true
  return kinds.includes('price') && (one.concept === 'currency' || two.concept === 'currency')
}

/** True if the column has cells only in records in which the other columns have none. */
function fillsGaps({ column, more }: Assignment, other: Column): boolean {
  if (other.form !== column.form || more.length > 2) return false
  return [...other.cells.keys()].every((record) => ![column, ...more].some(({ cells }) => cells.has(record)))
}

const titleScore = 0.45

/**
 * Finds the title column if no column looks like a title: a text that stands out, or else the first one that distinguishes
 * records.
 */
function findTitleColumn(
  { columns, nodes, reader }: RecordSet,
  slots: readonly SchemaField[],
  chosen: readonly Assignment[],
  page: PageContext,
): Assignment[] {
  const slot = slots.find(({ names }) => names.concept === 'title') ?? slots[0]
  if (slot?.spec.kind !== 'text' || !isWord(slot.names) || chosen.some((one) => one.slot === slot)) return []
  if (reader === 'section' || chosen.length === 0) return []
  const taken = new Set(chosen.flatMap(({ column, more }) => [column, ...more]))
  const free = columns.filter(
    (one) =>
      !taken.has(one) &&
      !one.isPart &&
      (reader === 'records' || one.isHeading) &&
      isVaried({ ...one, isWhole: false }, nodes.length) &&
      isDistinct(one),
  )
  const isTitle = slot.names.concept === 'title' || slot.names.concept === undefined
  const column =
    free.find((one) => one.isHeading || one.isLink) ??
    (isTitle ? (free.find((one) => one.isStrong) ?? free.find(isShort)) : undefined)
  const fits =
    column && [...column.cells.values()].slice(0, maxSampled).every((cell) => isValue(slot, cell, page))
  return fits ? [{ slot, column, more: [], score: titleScore }] : []
}

function isShort({ cells, isWhole }: Column): boolean {
  const sample = [...cells.values()]
  return !isWhole && sample.every(({ text }) => text.length <= 80 && !/\d/.test(text))
}

const orderScore = 0.35

/** Assigns the parts of a line to the fields in the order of the schema, if there are as many parts as fields. */
function assignParts(
  columns: readonly Column[],
  taken: ReadonlySet<Column>,
  remaining: readonly SchemaField[],
): Assignment[] {
  const free = columns.filter((column) => !taken.has(column))
  if (
    free.length !== remaining.length ||
    !remaining.every(({ spec, names }) => spec.kind === 'text' && isWord(names))
  )
    return []
  return remaining.flatMap((slot, at) => {
    const column = free[at]
    return column ? [{ slot, column, more: [], score: orderScore }] : []
  })
}

/** Applies relations between fields: the URL of a record is the link of its title, and a title is not a description. */
function applyRelations(chosen: readonly Assignment[], set: RecordSet): Assignment[] {
  const title = chosen.find(({ slot }) => slot.names.concept === 'title')
  if (!title) return [...chosen]
  return chosen.flatMap((one) => {
    const { concept } = one.slot.names
    if (concept === 'description' && one.score < minNamedScore && repeatsTitle(one.column, title.column))
      return []
    if (concept !== 'url' || one.score >= minNamedScore) return [one]
    const link = set.columns.find(
      (column) => column.form === 'link' && isLinkAroundTitle(column, title.column),
    )
    return [link ? { ...one, column: link, more: [] } : one]
  })
}

const minNamedScore = 0.65

function repeatsTitle({ cells }: Column, title: Column): boolean {
  const sample = [...cells].slice(0, maxSampled)
  return sample.every(([record, { text }]) => text.includes(title.cells.get(record)?.text ?? '\n'))
}

/** True if the links are those around the texts of the title. */
function isLinkAroundTitle({ cells }: Column, title: Column): boolean {
  const sample = [...title.cells].slice(0, maxSampled)
  const matching = sample.filter(
    ([record, { link }]) => link !== undefined && link === cells.get(record)?.node,
  )
  return matching.length >= sample.length * 0.8
}

const maxInOrder = 3

/**
 * Assigns remaining columns. Columns with links to persons are assigned to person fields in the order of the schema, if there are
 * as many. A single remaining text is not assigned to the single remaining field: if the page does not state the field, its value
 * would be invented.
 */
export function leftOver(
  set: RecordSet,
  slots: readonly SchemaField[],
  chosen: readonly Assignment[],
  page: PageContext,
): Assignment[] {
  const listed = assignList(set, slots, chosen, page)
  const taken = new Set([...chosen, ...listed].flatMap(({ column, more }) => [column, ...more]))
  const remaining = slots.filter((slot) => !chosen.some((one) => one.slot === slot) && acceptsAnyText(slot))
  const free = set.columns.filter(
    (column) =>
      !taken.has(column) &&
      !column.isPart &&
      isVaried(column, set.nodes.length) &&
      !isContainedIn(column, [...taken]),
  )
  // A column with its own name has a known meaning, so it is not assigned to another field.
  if (chosen.length === 0 || set.isHeaded) return listed
  const persons = assignInOrder(
    remaining.filter(({ names }) => personConcepts.has(names.concept ?? '')),
    free.filter(({ leads }) => leads.some(linksToPerson)),
    page,
  )
  return [...persons, ...listed]
}

/** Assigns the only requested list of words to the only list of the records. */
function assignList(
  { columns, nodes }: RecordSet,
  slots: readonly SchemaField[],
  chosen: readonly Assignment[],
  page: PageContext,
): Assignment[] {
  const lists = slots.filter(({ spec }) => spec.kind === 'list')
  const [slot] = lists
  if (!slot || lists.length > 1 || chosen.some((one) => one.slot === slot)) return []
  const taken = chosen.flatMap(({ column, more }) => [column, ...more])
  const free = columns.filter(
    (column) =>
      column.isList &&
      isDistinct(column) &&
      column.cells.size >= nodes.length * 0.6 &&
      !taken.some((one) => isContainedIn(one, [column])),
  )
  return assignInOrder([slot], free, page)
}

const personConcepts = new Set(['author', 'user', 'publisher', 'director', 'agent', 'seller', 'organizer'])
const longTextConcepts = new Set(['description', 'body', 'address', 'openingHours'])

/** True if any text can be a value of the field. */
function acceptsAnyText({ spec, names }: SchemaField): boolean {
  if (spec.kind !== 'text' || spec.choices || spec.format !== undefined || !isWord(names)) return false
  // The values of an unknown concept have no recognisable format, so they are not guessed.
  if (names.concept === undefined) return false
  return !isClosed(semanticTypeOf(names.concept)) && !longTextConcepts.has(names.concept ?? '')
}

function assignInOrder(
  slots: readonly SchemaField[],
  columns: readonly Column[],
  page: PageContext,
): Assignment[] {
  if (slots.length !== columns.length || slots.length > maxInOrder) return []
  const pairs = slots.flatMap((slot, at): Assignment[] => {
    const column = columns[at]
    return column ? [{ slot, column, more: [], score: orderScore }] : []
  })
  const fit = pairs.every(({ slot, column }) =>
    [...column.cells.values()].slice(0, maxSampled).every((cell) => valueIn(slot, cell, page) !== undefined),
  )
  return fit ? pairs : []
}

/** True if most records have a separate text in a column. */
export function isVaried({ form, cells, isWhole, isStruck, isList }: Column, records: number): boolean {
  if (form !== 'text' || isWhole || isStruck || isList || cells.size < records * 0.8) return false
  const texts = [...cells.values()].map(({ text }) => text)
  return texts.every((text) => /\p{L}{2}/u.test(text) && text.length <= 200) && new Set(texts).size > 1
}

/** True if another column contains the same text. */
function isContainedIn({ cells }: Column, others: readonly Column[]): boolean {
  return others.some((other) =>
    [...cells]
      .slice(0, maxSampled)
      .every(([record, { text }]) => other.cells.get(record)?.text.includes(text)),
  )
}
