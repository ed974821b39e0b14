import type { PageContext } from '../fields/extracted-value.ts'
import type { SchemaField } from '../fields/schema-fields.ts'
import { isClosed, semanticTypeOf } from '../values/semantic-types.ts'
import type { Assignment, Column, RecordSet } from './cell.ts'
import { isValue, isWord, linksToPerson, maxSampled, scoreOf, valueIn } from './column-score.ts'
import { isDistinct } from './column-shape.ts'

const minScore = 0.3
/** How far another column may be behind to be the same field in other records. */
const minOfMore = 0.6

/** The column of each field: by its names, and by how many of its cells are values of the kind. Each column serves one field. */
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
    const known = taken.get(pair.slot)
    const other = taken.get(pair.column)
    if (other && !(known === undefined && canShare(pair, other))) continue
    if (!known) taken.set(pair.slot, pair).set(pair.column, other ?? pair)
    else if (pair.score >= known.score * minOfMore && fillsGaps(known, pair.column)) {
      known.more.push(pair.column)
      taken.set(pair.column, known)
    }
  }
  const chosen = settled([...new Set(taken.values())], set)
  const all = [...chosen, ...mainColumn(set, slots, chosen, page)]
  if (set.reader === 'section') {
    const taken = new Set(all.flatMap(({ column, more }) => [column, ...more]))
    const left = slots.filter((slot) => !all.some((one) => one.slot === slot))
    const parts = partsInOrder(set.columns, taken, left)
    if (parts.length > 0) return [...all, ...parts]
  }
  return [...all, ...leftOver(set, slots, all, page)]
}

/** One text may say two things: both ends of a range, an amount and its currency, a day and a time, a yes by its words. */
function canShare({ slot }: Assignment, { slot: other }: Assignment): boolean {
  const [one, two] = [slot.names, other.names]
  if (slot.spec.kind === 'boolean' || other.spec.kind === 'boolean') return true
  if (one.bound !== undefined && two.bound !== undefined) return one.bound !== two.bound
  const kinds = [one.kind, two.kind]
  if (kinds.includes('date') && kinds.includes('time')) return true
  return kinds.includes('price') && (one.concept === 'currency' || two.concept === 'currency')
}

/** Whether a column speaks only where the others are silent. */
function fillsGaps({ column, more }: Assignment, other: Column): boolean {
  if (other.form !== column.form || more.length > 2) return false
  return [...other.cells.keys()].every((record) => ![column, ...more].some(({ cells }) => cells.has(record)))
}

const scoreOfMain = 0.45

/** What a record is called, where no column has the look of it: a text that stands out, else the first that tells records apart. */
function mainColumn(
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
  return fits ? [{ slot, column, more: [], score: scoreOfMain }] : []
}

function isShort({ cells, isWhole }: Column): boolean {
  const sample = [...cells.values()]
  return !isWhole && sample.every(({ text }) => text.length <= 80 && !/\d/.test(text))
}

const scoreOfLast = 0.35

/** Parts of a line stand in the order of the schema, where there are as many of them. */
function partsInOrder(
  columns: readonly Column[],
  taken: ReadonlySet<Column>,
  left: readonly SchemaField[],
): Assignment[] {
  const free = columns.filter((column) => !taken.has(column))
  if (free.length !== left.length || !left.every(({ spec, names }) => spec.kind === 'text' && isWord(names)))
    return []
  return left.flatMap((slot, at) => {
    const column = free[at]
    return column ? [{ slot, column, more: [], score: scoreOfLast }] : []
  })
}

/** What fields say of each other: the address of a record is that of its title, and a title is no description. */
function settled(chosen: readonly Assignment[], set: RecordSet): Assignment[] {
  const title = chosen.find(({ slot }) => slot.names.concept === 'title')
  if (!title) return [...chosen]
  return chosen.flatMap((one) => {
    const { concept } = one.slot.names
    if (concept === 'description' && one.score < leastNamed && repeats(one.column, title.column)) return []
    if (concept !== 'url' || one.score >= leastNamed) return [one]
    const link = set.columns.find((column) => column.form === 'link' && holds(column, title.column))
    return [link ? { ...one, column: link, more: [] } : one]
  })
}

const leastNamed = 0.65

function repeats({ cells }: Column, title: Column): boolean {
  const sample = [...cells].slice(0, maxSampled)
  return sample.every(([record, { text }]) => text.includes(title.cells.get(record)?.text ?? '\n'))
}

/** Whether the links are those around the texts. */
function holds({ cells }: Column, title: Column): boolean {
  const sample = [...title.cells].slice(0, maxSampled)
  const same = sample.filter(([record, { link }]) => link !== undefined && link === cells.get(record)?.node)
  return same.length >= sample.length * 0.8
}

const maxInOrder = 3

/**
 * As many persons as columns that lead to persons are the same in the order of the schema. That any one text which is left is the
 * one field that is left is not said: where the page does not state the field, it would be made up.
 */
export function leftOver(
  set: RecordSet,
  slots: readonly SchemaField[],
  chosen: readonly Assignment[],
  page: PageContext,
): Assignment[] {
  const listed = listLeft(set, slots, chosen, page)
  const taken = new Set([...chosen, ...listed].flatMap(({ column, more }) => [column, ...more]))
  const left = slots.filter((slot) => !chosen.some((one) => one.slot === slot) && isOpen(slot))
  const free = set.columns.filter(
    (column) =>
      !taken.has(column) &&
      !column.isPart &&
      isVaried(column, set.nodes.length) &&
      !isTold(column, [...taken]),
  )
  // A column that has a name of its own is what it is called.
  if (chosen.length === 0 || set.isHeaded) return listed
  const persons = inOrder(
    left.filter(({ names }) => ofPersons.has(names.concept ?? '')),
    free.filter(({ leads }) => leads.some(linksToPerson)),
    page,
  )
  return [...persons, ...listed]
}

/** The only list of words that is asked for is the only one that the records have. */
function listLeft(
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
      !taken.some((one) => isTold(one, [column])),
  )
  return inOrder([slot], free, page)
}

const ofPersons = new Set(['author', 'user', 'publisher', 'director', 'agent', 'seller', 'organizer'])
const long = new Set(['description', 'body', 'address', 'openingHours'])

/** Whether any words may be its value. */
function isOpen({ spec, names }: SchemaField): boolean {
  if (spec.kind !== 'text' || spec.choices || spec.format !== undefined || !isWord(names)) return false
  // What nobody knows the look of is not guessed.
  if (names.concept === undefined) return false
  return !isClosed(semanticTypeOf(names.concept)) && !long.has(names.concept ?? '')
}

function inOrder(slots: readonly SchemaField[], columns: readonly Column[], page: PageContext): Assignment[] {
  if (slots.length !== columns.length || slots.length > maxInOrder) return []
  const pairs = slots.flatMap((slot, at): Assignment[] => {
    const column = columns[at]
    return column ? [{ slot, column, more: [], score: scoreOfLast }] : []
  })
  const fit = pairs.every(({ slot, column }) =>
    [...column.cells.values()].slice(0, maxSampled).every((cell) => valueIn(slot, cell, page) !== undefined),
  )
  return fit ? pairs : []
}

/** True if most records have a text of their own in a column. */
export function isVaried({ form, cells, isWhole, isStruck, isList }: Column, records: number): boolean {
  if (form !== 'text' || isWhole || isStruck || isList || cells.size < records * 0.8) return false
  const texts = [...cells.values()].map(({ text }) => text)
  return texts.every((text) => /\p{L}{2}/u.test(text) && text.length <= 200) && new Set(texts).size > 1
}

/** Whether another column says the same, or holds it. */
function isTold({ cells }: Column, others: readonly Column[]): boolean {
  return others.some((other) =>
    [...cells]
      .slice(0, maxSampled)
      .every(([record, { text }]) => other.cells.get(record)?.text.includes(text)),
  )
}
