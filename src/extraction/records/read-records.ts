import type { ExtractedValue, MaybeValue } from '../fields/extracted-value.ts'
import { define, objectOf } from '../fields/from-items.ts'
import { countNamedProperties } from '../fields/main-entity.ts'
import type { ReadablePage } from '../fields/read-fields.ts'
import { leafFieldsOf, type SchemaField } from '../fields/schema-fields.ts'
import { isShown, shownValues } from '../fields/shown-text.ts'
import type { ListSpec, ObjectSpec } from '../schema/field-spec.ts'
import { isStructuredItem, type StructuredItem } from '../structured-data/structured-item.ts'
import { assign } from './assign.ts'
import type { Assignment, Cell, RecordSet } from './cell.ts'
import { valueIn } from './column-score.ts'
import { columnsOf, withHeaderNames } from './columns.ts'
import { findSequences, findSimilarElements, headingScoreAbove, spansBelowHeading } from './groups.ts'
import { findPairFields, type PairGroup, pairGroups } from './pairs.ts'
import { splitLines, tablesOf } from './tables.ts'

export type RecordsSpec = ListSpec & { item: ObjectSpec }

/** `stated` is the list in structured data. For the schema of a single item, lists of other items are rejected. */
export function readRecords(
  page: ReadablePage,
  spec: RecordsSpec,
  stated: MaybeValue,
  isItemSchema: boolean,
): MaybeValue {
  const knownList = stated ?? findItemList(page, spec) ?? findStateList(page, spec)
  const shownList = findShownRecords(page, spec, isItemSchema)
  if (!knownList || !shownList) return knownList ?? shownList
  // Structured data is more reliable, unless the page shows considerably more values.
  return countValues(shownList) > countValues(knownList) * 1.3 ? shownList : knownList
}

function countValues({ inner }: ExtractedValue): number {
  return [...(inner?.values() ?? [])].reduce((sum, record) => sum + (record.inner?.size ?? 1), 0)
}

function findItemList({ sources, context }: ReadablePage, spec: RecordsSpec): MaybeValue {
  let best: ExtractedValue | undefined
  for (const { reader, entities, trust } of sources) {
    const groups = Map.groupBy(entities.flatMap(listEntries).slice(0, 2000), ({ types }) => types[0] ?? '')
    for (const [path, group] of groups) {
      if (group.length < 2) continue
      const source = { path, reader, trust, page: context }
      const records = group.flatMap((entity) => objectOf({ ...source, entity }, spec.item) ?? [])
      const found = toList(records, spec, { reader, score: trust })
      if (found && (!best || countValues(found) > countValues(best))) best = found
    }
  }
  return best
}

const stateTrust = 0.8
const minShownShare = 0.6

function findStateList({ state, context, lines }: ReadablePage, spec: RecordsSpec) {
  const getShownValues = shownValues(lines, context.language)
  const source = { reader: 'state', trust: stateTrust, page: context } as const
  let best: ExtractedValue | undefined
  const phrases = new Set(leafFieldsOf(spec.item).flatMap(({ names }) => [...names.phrases.keys()]))
  for (const entities of state.lists.slice(0, maxLists)) {
    const [first] = entities
    if (!first || countNamedProperties(first, phrases) < 2) continue
    const records = entities
      .slice(0, maxRecords)
      .flatMap((entity) => objectOf({ ...source, entity, path: entity.types[0] ?? '' }, spec.item) ?? [])
    const found = toList(records, spec, { reader: 'state', score: stateTrust })
    if (records.length < 2 || !found || (best && countValues(found) <= countValues(best))) continue
    const flags = records
      .flatMap(({ inner }) => [...(inner?.values() ?? [])])
      .map(({ value }) => isShown(value, getShownValues()))
      .filter((flag) => flag !== undefined)
    if (flags.filter(Boolean).length >= flags.length * minShownShare && flags.length > 0) best = found
  }
  return best
}

const maxLists = 60

function listEntries(entity: StructuredItem): StructuredItem[] {
  const entries = (entity.properties.get('itemListElement') ?? []).filter(isStructuredItem)
  if (entries.length === 0) return [entity]
  if (entity.types.includes('BreadcrumbList')) return []
  return entries.map((entry) => entry.properties.get('item')?.find(isStructuredItem) ?? entry)
}

const maxRecords = 2000
const minFilledShare = 0.34

type ListSource = Pick<ExtractedValue, 'reader' | 'score'>

function toList(records: readonly ExtractedValue[], spec: RecordsSpec, source: ListSource): MaybeValue {
  const { size } = spec.item.fields
  const complete = records
    .filter(({ inner }) => (inner?.size ?? 0) >= Math.min(2, size))
    .slice(0, Math.min(spec.maxItems, maxRecords))
  const valueCount = complete.reduce((sum, { inner }) => sum + (inner?.size ?? 0), 0)
  if (complete.length === 0 || valueCount < complete.length * size * minFilledShare) return undefined
  const inner = new Map(complete.map((record, index) => [`[${index}]`, record]))
  return { ...source, value: complete.map(({ value }) => value), text: '', inner }
}

const minHeadingScore = 0.55
/** A group with a lower weight is probably outside of the main content. */
const minWeight = 0.5
/** Minimum score of a column whose name matches; a lower score is based on the format of the values alone. */
const minNamedScore = 0.55

function findShownRecords(page: ReadablePage, spec: RecordsSpec, isItemSchema: boolean) {
  const fields = leafFieldsOf(spec.item)
  const pairFields = findPairFields(fields)
  const pairList = pairFields && findShownPairs(page, spec, pairFields)
  if (pairFields?.isNamed || pairList) return pairList
  let best: { found: ExtractedValue; rank: number } | undefined
  const { lines } = page
  const elements = [...findSimilarElements(lines), ...findSequences(lines)]
    .flatMap((spans) => [spans, ...spansBelowHeading(spec, lines, spans)])
    .map((spans) => withHeaderNames(lines, columnsOf(lines, spans), fields))
  for (const set of [...tablesOf(lines), ...elements, ...splitLines(lines, spec, fields)]) {
    const assignments = assign(set, fields, page.context)
    if (assignments.length < Math.min(2, fields.length)) continue
    const records = set.nodes.flatMap((_, record) => readRecord(set, assignments, record, page) ?? [])
    const found = toList(records, spec, { reader: set.reader, score: 0.7 * set.weight })
    if (!found || (records.length < 2 && set.reader !== 'section')) continue
    const totalScore = assignments.reduce((sum, { score }) => sum + score, 0)
    const headingScore = set.reader === 'section' ? 1 : headingScoreAbove(spec, lines, set.nodes[0] ?? 0)
    // Ignore lists of other items on a page about a single item.
    const namedCount = assignments.filter(({ score }) => score >= minNamedScore).length
    if (!isSpecific(assignments, fields) && headingScore < minHeadingScore) continue
    if (isItemSchema && headingScore < minHeadingScore && (set.weight < minWeight || namedCount < 2)) continue
    const rank = totalScore * Math.sqrt(countValues(found)) * set.weight * (1 + headingScore)
    if (!best || rank > best.rank) best = { found, rank }
  }
  return best?.found
}

const genericConcepts = new Set(['title', 'url', 'image', 'description', 'body', 'published', 'logo'])

function isSpecific(assignments: readonly Assignment[], fields: readonly SchemaField[]): boolean {
  const isSpecificField = ({ names }: SchemaField) => !genericConcepts.has(names.concept ?? '')
  return assignments.some(({ field }) => isSpecificField(field)) || !fields.some(isSpecificField)
}

type PairFields = NonNullable<ReturnType<typeof findPairFields>>

function findShownPairs(page: ReadablePage, spec: RecordsSpec, { key, value, isNamed }: PairFields) {
  let best: { group: PairGroup; rank: number } | undefined
  for (const group of pairGroups(page.lines)) {
    const headingScore = headingScoreAbove(spec, page.lines, group.first)
    if (!isNamed && headingScore < minHeadingScore) continue
    const rank =
      Math.log2(1 + group.pairs.length) * (page.lines.weights[group.first] ?? 1) * (1 + 2 * headingScore)
    if (!best || rank > best.rank) best = { group, rank }
  }
  if (!best || best.group.pairs.length < 2) return undefined
  const source = { reader: 'table', score: 0.7 } as const
  const toPart = ({ path }: SchemaField, cell: Cell) =>
    [path, { ...source, ...cell, value: cell.text }] as const
  const records = best.group.pairs.map(([label, text]) =>
    toRecord(new Map([toPart(key, label), toPart(value, text)]), 'table'),
  )
  return toList(records, spec, { reader: 'table', score: 0.6 })
}

function readRecord(set: RecordSet, assignments: readonly Assignment[], record: number, page: ReadablePage) {
  const inner = new Map<string, ExtractedValue>()
  for (const { field, column, more, score } of assignments) {
    const cell = [column, ...more].find(({ cells }) => cells.has(record))?.cells.get(record)
    const value = cell && valueIn(field, cell, page.context)
    if (!cell || value === undefined) continue
    inner.set(field.path, { value, text: cell.text, node: cell.node, reader: set.reader, score })
  }
  return inner.size === 0 ? undefined : toRecord(inner, set.reader)
}

function toRecord(inner: Map<string, ExtractedValue>, reader: RecordSet['reader']): ExtractedValue {
  const value: Record<string, unknown> = {}
  for (const [path, part] of inner) setValue(value, path.split('.'), part.value)
  return { value, text: '', inner, reader, score: 1 }
}

function setValue(object: Record<string, unknown>, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    define(object, name, value)
    return
  }
  const inner = Object.hasOwn(object, name) ? object[name] : {}
  define(object, name, inner)
  setValue(inner as Record<string, unknown>, rest, value)
}
