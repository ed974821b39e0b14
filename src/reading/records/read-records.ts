import type { Found } from '../fields/found.ts'
import { define, objectOf } from '../fields/from-things.ts'
import type { ReadablePage } from '../fields/read-fields.ts'
import { slotsOf } from '../fields/slots.ts'
import type { ListWish, ObjectWish } from '../schema/wish.ts'
import { isThing, type Thing } from '../structured-data/thing.ts'
import { type Assignment, assign, valueIn } from './assign.ts'
import type { RecordSet } from './cell.ts'
import { columnsOf } from './columns.ts'
import { findAlike } from './groups.ts'
import { tablesOf } from './tables.ts'

type RecordsWish = ListWish & { item: ObjectWish }

/** The records of a page that say most of what is wished for; `stated` is the list that structured data has for the field. */
export function readRecords(
  page: ReadablePage,
  wish: RecordsWish,
  stated: Found | undefined,
): Found | undefined {
  const listed = stated ?? listOfThings(page, wish)
  const shown = shownRecords(page, wish)
  if (!listed || !shown) return listed ?? shown
  // Structured data is surer, unless it names the records and says little of them.
  return filled(shown) > filled(listed) * 1.3 ? shown : listed
}

function filled({ inner }: Found): number {
  return [...(inner?.values() ?? [])].reduce((sum, record) => sum + (record.inner?.size ?? 1), 0)
}

/** Things of one type, or the entries of a list of things. */
function listOfThings({ sources, context }: ReadablePage, wish: RecordsWish): Found | undefined {
  let best: Found | undefined
  for (const { reader, things, trust } of sources) {
    const groups = new Map<string, Thing[]>()
    for (const thing of things.flatMap(entriesOf).slice(0, 2000)) {
      const type = thing.types[0] ?? ''
      const known = groups.get(type)
      if (known) known.push(thing)
      else groups.set(type, [thing])
    }
    for (const [path, group] of groups) {
      const records =
        group.length < 2
          ? []
          : group.flatMap((thing) => objectOf({ thing, path, reader, trust, page: context }, wish.item) ?? [])
      const found = listFound(records, wish, { reader, score: trust })
      if (found && (!best || filled(found) > filled(best))) best = found
    }
  }
  return best
}

function entriesOf(thing: Thing): Thing[] {
  const entries = (thing.properties.get('itemListElement') ?? []).filter(isThing)
  if (entries.length === 0) return [thing]
  if (thing.types.includes('BreadcrumbList')) return []
  return entries.map((entry) => entry.properties.get('item')?.find(isThing) ?? entry)
}

const mostRecords = 2000
/** A record says at least so much of what is wished for. */
const leastShare = 0.34

function listFound(
  records: readonly Found[],
  wish: RecordsWish,
  base: Pick<Found, 'reader' | 'score'>,
): Found | undefined {
  const least = Math.max(1, Math.min(2, wish.item.fields.size) * 0.99, wish.item.fields.size * leastShare)
  const whole = records
    .filter(({ inner }) => (inner?.size ?? 0) >= least)
    .slice(0, Math.min(wish.most, mostRecords))
  if (whole.length === 0) return undefined
  const inner = new Map(whole.map((record, index) => [`[${index}]`, record]))
  return { ...base, value: whole.map(({ value }) => value), text: '', inner }
}

function shownRecords(page: ReadablePage, wish: RecordsWish): Found | undefined {
  const slots = slotsOf(wish.item)
  let best: { found: Found; rank: number } | undefined
  for (const set of [
    ...tablesOf(page.lines),
    ...findAlike(page.lines).map((nodes) => columnsOf(page.lines, nodes)),
  ]) {
    const assignments = assign(set, slots, page.context)
    if (assignments.length < Math.min(2, slots.length)) continue
    const records = set.nodes.flatMap((_, record) => recordOf(set, assignments, record, page) ?? [])
    const found = listFound(records, wish, { reader: set.reader, score: 0.7 * set.weight })
    if (!found || records.length < 2) continue
    const sure = assignments.reduce((sum, { score }) => sum + score, 0)
    const rank = sure * Math.log2(1 + filled(found)) * set.weight
    if (!best || rank > best.rank) best = { found, rank }
  }
  return best?.found
}

function recordOf(
  set: RecordSet,
  assignments: readonly Assignment[],
  record: number,
  page: ReadablePage,
): Found | undefined {
  const value: Record<string, unknown> = {}
  const inner = new Map<string, Found>()
  for (const { slot, column, more, score } of assignments) {
    const cell = [column, ...more].find(({ cells }) => cells.has(record))?.cells.get(record)
    const read = cell && valueIn(slot, cell, page.context)
    if (!cell || read === undefined) continue
    place(value, slot.path.split('.'), read)
    inner.set(slot.path, { value: read, text: cell.text, node: cell.node, reader: set.reader, score })
  }
  return inner.size === 0 ? undefined : { value, text: '', inner, reader: set.reader, score: 1 }
}

/** Puts a value into an object of objects. */
function place(object: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    define(object, name, value)
    return
  }
  const inner = Object.hasOwn(object, name) ? object[name] : {}
  define(object, name, inner)
  place(inner as Record<string, unknown>, rest, value)
}
