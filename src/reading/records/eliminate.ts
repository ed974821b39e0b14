import type { PageContext } from '../fields/page-context.ts'
import type { Slot } from '../fields/slots.ts'
import { isClosed, sortOf } from '../values/sorts.ts'
import type { Assignment } from './assignment.ts'
import type { Column, RecordSet } from './cell.ts'
import { isWord, leadsToPerson, mostSampled, valueIn } from './column-score.ts'
import { isDistinct } from './column-shape.ts'

const scoreOfLast = 0.35
const most = 3

/**
 * As many persons as columns that lead to persons are the same in the order of the schema. That any one text which is left is the
 * one field that is left is not said: where the page does not state the field, it would be made up.
 */
export function leftOver(
  set: RecordSet,
  slots: readonly Slot[],
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
    free.filter(({ leads }) => leads.some(leadsToPerson)),
    page,
  )
  return [...persons, ...listed]
}

/** The only list of words that is asked for is the only one that the records have. */
function listLeft(
  { columns, nodes }: RecordSet,
  slots: readonly Slot[],
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
function isOpen({ spec, names }: Slot): boolean {
  if (spec.kind !== 'text' || spec.choices || spec.format !== undefined || !isWord(names)) return false
  // What nobody knows the look of is not guessed.
  if (names.concept === undefined) return false
  return !isClosed(sortOf(names.concept)) && !long.has(names.concept ?? '')
}

function inOrder(slots: readonly Slot[], columns: readonly Column[], page: PageContext): Assignment[] {
  if (slots.length !== columns.length || slots.length > most) return []
  const pairs = slots.flatMap((slot, at): Assignment[] => {
    const column = columns[at]
    return column ? [{ slot, column, more: [], score: scoreOfLast }] : []
  })
  const fit = pairs.every(({ slot, column }) =>
    [...column.cells.values()].slice(0, mostSampled).every((cell) => valueIn(slot, cell, page) !== undefined),
  )
  return fit ? pairs : []
}

/** Whether a column has a text of its own in most records. */
export function isVaried({ form, cells, isWhole, isStruck, isList }: Column, records: number): boolean {
  if (form !== 'text' || isWhole || isStruck || isList || cells.size < records * 0.8) return false
  const texts = [...cells.values()].map(({ text }) => text)
  return texts.every((text) => /\p{L}{2}/u.test(text) && text.length <= 200) && new Set(texts).size > 1
}

/** Whether another column says the same, or holds it. */
function isTold({ cells }: Column, others: readonly Column[]): boolean {
  return others.some((other) =>
    [...cells]
      .slice(0, mostSampled)
      .every(([record, { text }]) => other.cells.get(record)?.text.includes(text)),
  )
}
