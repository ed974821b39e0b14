import type { Found } from '../fields/extracted-value.ts'
import { define, objectOf } from '../fields/from-items.ts'
import { isNamedIn } from '../fields/main-entity.ts'
import type { ReadablePage } from '../fields/read-fields.ts'
import { leafFieldsOf, type SchemaField } from '../fields/schema-fields.ts'
import { isShown, shownValues } from '../fields/shown-text.ts'
import type { ListSpec, ObjectSpec } from '../schema/field-spec.ts'
import { isStructuredItem, type StructuredItem } from '../structured-data/structured-item.ts'
import { assign } from './assign.ts'
import type { Assignment, RecordSet } from './cell.ts'
import { valueIn } from './column-score.ts'
import { columnsOf } from './columns.ts'
import { belowHeading, findAlike, findSequences, hasSameHeadings } from './groups.ts'
import { withHead } from './head-record.ts'
import { type PairGroup, pairGroups, pairSlots } from './pairs.ts'
import { splitLines, tablesOf } from './tables.ts'

type RecordsSpec = ListSpec & { item: ObjectSpec }

/** The records of a page that say most of what is asked for; `stated` is the list that structured data has for the field. */
export function readRecords(
  page: ReadablePage,
  spec: RecordsSpec,
  stated: Found | undefined,
  isPart: boolean,
): Found | undefined {
  const listed = stated ?? listOfItems(page, spec) ?? listInState(page, spec)
  const shown = shownRecords(page, spec, isPart)
  if (!listed || !shown) return listed ?? shown
  // Structured data is surer, unless it names the records and says little of them.
  return filled(shown) > filled(listed) * 1.3 ? shown : listed
}

function filled({ inner }: Found): number {
  return [...(inner?.values() ?? [])].reduce((sum, record) => sum + (record.inner?.size ?? 1), 0)
}

/** Things of one type, or the entries of a list of things. */
function listOfItems({ sources, context }: ReadablePage, spec: RecordsSpec): Found | undefined {
  let best: Found | undefined
  for (const { reader, things, trust } of sources) {
    const groups = Map.groupBy(things.flatMap(entriesOf).slice(0, 2000), ({ types }) => types[0] ?? '')
    for (const [path, group] of groups) {
      const records =
        group.length < 2
          ? []
          : group.flatMap((thing) => objectOf({ thing, path, reader, trust, page: context }, spec.item) ?? [])
      const found = listFound(records, spec, { reader, score: trust })
      if (found && (!best || filled(found) > filled(best))) best = found
    }
  }
  return best
}

const trustInState = 0.8
/** At least this share of what a list in the state says must stand on the page. */
const minShown = 0.6

/** The list in the state of the page that says most; its values are on the page as well. */
function listInState({ state, context, lines }: ReadablePage, spec: RecordsSpec): Found | undefined {
  const shown = shownValues(lines, context.language)
  const place = { reader: 'state', trust: trustInState, page: context } as const
  let best: Found | undefined
  const phrases = new Set(leafFieldsOf(spec.item).flatMap(({ names }) => [...names.phrases.keys()]))
  for (const things of state.lists.slice(0, maxLists)) {
    const [first] = things
    if (!first || isNamedIn(first, phrases) < 2) continue
    const records = things
      .slice(0, maxRecords)
      .flatMap((thing) => objectOf({ ...place, thing, path: thing.types[0] ?? '' }, spec.item) ?? [])
    const found =
      records.length < 2 ? undefined : listFound(records, spec, { reader: 'state', score: trustInState })
    if (!found || (best && filled(found) <= filled(best))) continue
    const said = records
      .flatMap(({ inner }) => [...(inner?.values() ?? [])])
      .map(({ value }) => isShown(value, shown()))
    const told = said.filter((one) => one !== undefined)
    if (told.filter(Boolean).length >= told.length * minShown && told.length > 0) best = found
  }
  return best
}

const maxLists = 60

function entriesOf(thing: StructuredItem): StructuredItem[] {
  const entries = (thing.properties.get('itemListElement') ?? []).filter(isStructuredItem)
  if (entries.length === 0) return [thing]
  if (thing.types.includes('BreadcrumbList')) return []
  return entries.map((entry) => entry.properties.get('item')?.find(isStructuredItem) ?? entry)
}

const maxRecords = 2000
/** Records together say at least this share of what is asked for. */
const minShare = 0.34

function listFound(
  records: readonly Found[],
  spec: RecordsSpec,
  base: Pick<Found, 'reader' | 'score'>,
): Found | undefined {
  const { size } = spec.item.fields
  const whole = records
    .filter(({ inner }) => (inner?.size ?? 0) >= Math.min(2, size))
    .slice(0, Math.min(spec.most, maxRecords))
  const said = whole.reduce((sum, { inner }) => sum + (inner?.size ?? 0), 0)
  if (said < whole.length * size * minShare) return undefined
  if (whole.length === 0) return undefined
  const inner = new Map(whole.map((record, index) => [`[${index}]`, record]))
  return { ...base, value: whole.map(({ value }) => value), text: '', inner }
}

const minHeading = 0.55
/** Below this a group stands among other things. */
const minWeight = 0.5
/** Below this a column was taken for its look alone. */
const leastNamed = 0.55

function shownRecords(page: ReadablePage, spec: RecordsSpec, isPart: boolean): Found | undefined {
  const slots = leafFieldsOf(spec.item)
  const pairs = pairSlots(slots)
  const paired = pairs && shownPairs(page, spec, pairs, pairs.isNamed ? 0 : minHeading)
  if (pairs?.isNamed || paired) return paired
  let best: { found: Found; rank: number } | undefined
  for (const set of [
    ...tablesOf(page.lines),
    ...[...findAlike(page.lines), ...findSequences(page.lines)]
      .flatMap((spans) => [spans, ...belowHeading(spec, page.lines, spans)])
      .map((spans) => withHead(page.lines, columnsOf(page.lines, spans), slots)),
    ...splitLines(page.lines, spec, slots),
  ]) {
    const assignments = assign(set, slots, page.context)
    if (assignments.length < Math.min(2, slots.length)) continue
    const records = set.nodes.flatMap((_, record) => recordOf(set, assignments, record, page) ?? [])
    const found = listFound(records, spec, { reader: set.reader, score: 0.7 * set.weight })
    if (!found || (records.length < 2 && set.reader !== 'section')) continue
    const sure = assignments.reduce((sum, { score }) => sum + score, 0)
    const headed = set.reader === 'section' ? 1 : hasSameHeadings(spec, page.lines, set.nodes[0] ?? 0)
    // A page about one thing has lists of other things beside it.
    const named = assignments.filter(({ score }) => score >= leastNamed).length
    if (!isTelling(assignments, slots) && headed < minHeading) continue
    if (isPart && headed < minHeading && (set.weight < minWeight || named < 2)) continue
    const rank = sure * Math.sqrt(filled(found)) * set.weight * (1 + headed)
    if (!best || rank > best.rank) best = { found, rank }
  }
  return best?.found
}

/** What every list of links has, whatever it is a list of. */
const general = new Set(['title', 'url', 'image', 'description', 'body', 'published', 'logo'])

/** Whether records say something that others do not, if that is asked for. */
function isTelling(assignments: readonly Assignment[], slots: readonly SchemaField[]): boolean {
  const isOwn = ({ names }: SchemaField) => !general.has(names.concept ?? '')
  return assignments.some(({ slot }) => isOwn(slot)) || !slots.some(isOwn)
}

/** Labels with their values: below a heading that names them, else the most of them. */
function shownPairs(
  page: ReadablePage,
  spec: RecordsSpec,
  { key, value }: { key: SchemaField; value: SchemaField },
  least: number,
): Found | undefined {
  let best: { group: PairGroup; rank: number } | undefined
  for (const group of pairGroups(page.lines)) {
    const headed = hasSameHeadings(spec, page.lines, group.first)
    if (headed < least) continue
    const rank = Math.log2(1 + group.pairs.length) * (page.lines.weights[group.first] ?? 1) * (1 + 2 * headed)
    if (!best || rank > best.rank) best = { group, rank }
  }
  if (!best || best.group.pairs.length < 2) return undefined
  const records = best.group.pairs.map((pair): Found => {
    const found = [key, value].map(({ path }, at): readonly [string, Found] => [
      path,
      {
        ...{ value: pair[at]?.text, text: pair[at]?.text ?? '', node: pair[at]?.node ?? 0 },
        reader: 'table',
        score: 0.7,
      },
    ])
    const object: Record<string, unknown> = {}
    for (const [path, { value: text }] of found) place(object, path.split('.'), text)
    return { value: object, text: '', inner: new Map(found), reader: 'table', score: 1 }
  })
  return listFound(records, spec, { reader: 'table', score: 0.6 })
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
