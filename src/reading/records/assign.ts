import type { PageContext } from '../fields/page-context.ts'
import type { Slot } from '../fields/slots.ts'
import type { Assignment } from './assignment.ts'
import type { Column, RecordSet } from './cell.ts'
import { isValue, isWord, mostSampled, scoreOf } from './column-score.ts'
import { isDistinct } from './column-shape.ts'
import { isVaried, leftOver } from './eliminate.ts'
import { settled } from './settle.ts'

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
    const other = taken.get(pair.column)
    if (other && !(known === undefined && canShare(pair, other))) continue
    if (!known) taken.set(pair.slot, pair).set(pair.column, other ?? pair)
    else if (pair.score >= known.score * leastOfMore && fillsGaps(known, pair.column)) {
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
  slots: readonly Slot[],
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
    column && [...column.cells.values()].slice(0, mostSampled).every((cell) => isValue(slot, cell, page))
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
  left: readonly Slot[],
): Assignment[] {
  const free = columns.filter((column) => !taken.has(column))
  if (free.length !== left.length || !left.every(({ spec, names }) => spec.kind === 'text' && isWord(names)))
    return []
  return left.flatMap((slot, at) => {
    const column = free[at]
    return column ? [{ slot, column, more: [], score: scoreOfLast }] : []
  })
}
