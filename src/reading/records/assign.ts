import type { PageContext } from '../fields/page-context.ts'
import type { Slot } from '../fields/slots.ts'
import type { Column, RecordSet } from './cell.ts'
import { isValue, isWord, mostSampled, scoreOf, valueIn } from './column-score.ts'

/** Which column holds a field, and how surely. */
export interface Assignment {
  slot: Slot
  column: Column
  /** Columns that say the same in the records which lack the first: a price that is reduced stands in another place. */
  more: Column[]
  score: number
}

const leastScore = 0.3
/** How far another column may be behind to be the same field in other records. */
const leastOfMore = 0.6

/** The column of each field: by its names, and by how many of its cells are values of the kind. Each column serves one field. */
export function assign(set: RecordSet, slots: readonly Slot[], page: PageContext): Assignment[] {
  const pairs: Assignment[] = []
  for (const slot of slots) {
    for (const column of set.columns) {
      const score = scoreOf(slot, column, set, page)
      if (score >= leastScore) pairs.push({ slot, column, more: [], score })
    }
  }
  pairs.sort((one, other) => other.score - one.score)
  const taken = new Map<Slot | Column, Assignment>()
  for (const pair of pairs) {
    const known = taken.get(pair.slot)
    if (taken.has(pair.column)) continue
    if (!known) taken.set(pair.slot, pair).set(pair.column, pair)
    else if (pair.score >= known.score * leastOfMore && fillsGaps(known, pair.column)) {
      known.more.push(pair.column)
      taken.set(pair.column, known)
    }
  }
  const chosen = [...new Set(taken.values())]
  const all = [...chosen, ...mainColumn(set, slots, chosen, page)]
  return [...all, ...leftOver(set, slots, all, page)]
}

/** Whether a column speaks only where the others are silent. */
function fillsGaps({ column, more }: Assignment, other: Column): boolean {
  if (other.form !== column.form || more.length > 2) return false
  return [...other.cells.keys()].every((record) => ![column, ...more].some(({ cells }) => cells.has(record)))
}

const scoreOfMain = 0.45

/** The first field of a record is what it is called, where none has the name of a title: its heading or its link. */
function mainColumn(
  { columns, nodes }: RecordSet,
  slots: readonly Slot[],
  chosen: readonly Assignment[],
  page: PageContext,
): Assignment[] {
  const [slot] = slots
  if (slot?.wish.kind !== 'text' || !isWord(slot.names) || chosen.some((one) => one.slot === slot)) return []
  if (slots.some(({ names }) => names.concept === 'title')) return []
  const taken = new Set(chosen.flatMap(({ column, more }) => [column, ...more]))
  const column = columns.find(
    (one) =>
      (one.isHeading || one.isLink) && !taken.has(one) && isVaried({ ...one, isWhole: false }, nodes.length),
  )
  const fits =
    column && [...column.cells.values()].slice(0, mostSampled).every((cell) => isValue(slot, cell, page))
  return fits ? [{ slot, column, more: [], score: scoreOfMain }] : []
}

const scoreOfLast = 0.35

/** One text and one column that are left belong together, where every record has the column. */
function leftOver(
  { columns, nodes, reader }: RecordSet,
  slots: readonly Slot[],
  chosen: readonly Assignment[],
  page: PageContext,
): Assignment[] {
  const taken = new Set(chosen.flatMap(({ column, more }) => [column, ...more]))
  const left = slots.filter((slot) => !chosen.some((one) => one.slot === slot))
  const inOrder = reader === 'section' ? partsInOrder(columns, taken, left) : []
  if (inOrder.length > 0) return inOrder
  const [slot] = left.filter(({ wish, names }) => wish.kind === 'text' && isWord(names))
  if (!slot || left.length > 1 || chosen.length === 0) return []
  const free = columns.filter(
    (column) => !taken.has(column) && isVaried(column, nodes.length) && !isTold(column, [...taken]),
  )
  const [column] = free
  if (!column || free.length > 1) return []
  const fits = [...column.cells.values()]
    .slice(0, mostSampled)
    .every((cell) => valueIn(slot, cell, page) !== undefined)
  return fits ? [{ slot, column, more: [], score: scoreOfLast }] : []
}

/** Parts of a line stand in the order of the schema, where there are as many of them. */
function partsInOrder(
  columns: readonly Column[],
  taken: ReadonlySet<Column>,
  left: readonly Slot[],
): Assignment[] {
  const free = columns.filter((column) => !taken.has(column))
  if (free.length !== left.length || !left.every(({ wish, names }) => wish.kind === 'text' && isWord(names)))
    return []
  return left.flatMap((slot, at) => {
    const column = free[at]
    return column ? [{ slot, column, more: [], score: scoreOfLast }] : []
  })
}

function isVaried({ form, cells, isWhole, isStruck }: Column, records: number): boolean {
  if (form !== 'text' || isWhole || isStruck || cells.size < records * 0.8) return false
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
