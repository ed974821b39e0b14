import type { PageContext } from '../fields/extracted-value.ts'
import type { SchemaField } from '../fields/schema-fields.ts'
import type { Assignment, Column, RecordSet } from './cell.ts'
import { isDistinct, isValue, isWord, linksToPerson, maxSampled, scoreOf, valueIn } from './column-score.ts'

const minScore = 0.3
const minScoreShare = 0.6

export function assign(set: RecordSet, fields: readonly SchemaField[], page: PageContext): Assignment[] {
  const pairs: Assignment[] = []
  for (const field of fields) {
    for (const column of set.columns) {
      const score = scoreOf(field, column, set, page)
      if (score >= minScore) pairs.push({ field, column, more: [], score })
    }
  }
  pairs.sort((one, other) => other.score - one.score)
  const assignedTo = new Map<SchemaField | Column, Assignment>()
  for (const pair of pairs) {
    const current = assignedTo.get(pair.field)
    const other = assignedTo.get(pair.column)
    if (other && !(current === undefined && canShare(pair, other))) continue
    if (!current) assignedTo.set(pair.field, pair).set(pair.column, other ?? pair)
    else if (pair.score >= current.score * minScoreShare && fillsGaps(current, pair.column)) {
      current.more.push(pair.column)
      assignedTo.set(pair.column, current)
    }
  }
  const chosen = applyRelations([...new Set(assignedTo.values())], set)
  const context: AssignmentContext = { set, fields, page }
  const all = [...chosen, ...findTitleColumn(context, chosen)]
  if (set.reader === 'section') {
    const taken = new Set(columnsIn(all))
    const remaining = fields.filter((field) => !all.some((assignment) => assignment.field === field))
    const free = set.columns.filter((column) => !taken.has(column))
    const areWords = remaining.every(({ spec, names }) => spec.kind === 'text' && isWord(names))
    // The parts of a line are in schema order, if it has as many parts as there are fields.
    const parts = areWords ? pairInOrder(remaining, free) : []
    if (parts.length > 0) return [...all, ...parts]
  }
  return [...all, ...assignRemaining(context, all)]
}

interface AssignmentContext {
  set: RecordSet
  fields: readonly SchemaField[]
  page: PageContext
}

const columnsIn = (assignments: readonly Assignment[]) =>
  assignments.flatMap(({ column, more }) => [column, ...more])

function canShare({ field }: Assignment, { field: other }: Assignment): boolean {
  const [one, two] = [field.names, other.names]
  if (field.spec.kind === 'boolean' || other.spec.kind === 'boolean') return true
  if (one.bound !== undefined && two.bound !== undefined) return one.bound !== two.bound
  const kinds = [one.kind, two.kind]
  if (kinds.includes('date') && kinds.includes('time')) return true
  return kinds.includes('price') && (one.concept === 'currency' || two.concept === 'currency')
}

function fillsGaps({ column, more }: Assignment, other: Column): boolean {
  if (other.form !== column.form || more.length > 2) return false
  return [...other.cells.keys()].every((record) => ![column, ...more].some(({ cells }) => cells.has(record)))
}

const titleScore = 0.45

function findTitleColumn({ set, fields, page }: AssignmentContext, chosen: Assignment[]): Assignment[] {
  const { columns, nodes, reader } = set
  const field = fields.find(({ names }) => names.concept === 'title') ?? fields[0]
  if (field?.spec.kind !== 'text' || !isWord(field.names) || reader === 'section' || chosen.length === 0)
    return []
  if (chosen.some((assignment) => assignment.field === field)) return []
  const taken = new Set(columnsIn(chosen))
  const free = columns.filter(
    (candidate) =>
      !taken.has(candidate) &&
      !candidate.isSharedHeading &&
      (reader === 'records' || candidate.isHeading) &&
      isVaried({ ...candidate, isFullLine: false }, nodes.length) &&
      isDistinct(candidate),
  )
  const isTitle = field.names.concept === 'title' || field.names.concept === undefined
  const column =
    free.find((candidate) => candidate.isHeading || candidate.isLink) ??
    (isTitle ? (free.find((candidate) => candidate.isStrong) ?? free.find(isShort)) : undefined)
  const fits =
    column && [...column.cells.values()].slice(0, maxSampled).every((cell) => isValue(field, cell, page))
  return fits ? [{ field, column, more: [], score: titleScore }] : []
}

function isShort({ cells, isFullLine }: Column): boolean {
  const sample = [...cells.values()]
  return !isFullLine && sample.every(({ text }) => text.length <= 80 && !/\d/.test(text))
}

const orderScore = 0.35

function pairInOrder(fields: readonly SchemaField[], columns: readonly Column[]): Assignment[] {
  if (fields.length !== columns.length) return []
  return fields.flatMap((field, at) => {
    const column = columns[at]
    return column ? { field, column, more: [], score: orderScore } : []
  })
}

/** The URL of a record is the link of its title, and a description does not repeat the title. */
function applyRelations(chosen: readonly Assignment[], set: RecordSet): Assignment[] {
  const title = chosen.find(({ field }) => field.names.concept === 'title')
  if (!title) return [...chosen]
  return chosen.flatMap((assignment) => {
    const { concept } = assignment.field.names
    if (assignment.score >= minNamedScore) return [assignment]
    if (concept === 'description') return repeatsTitle(assignment.column, title.column) ? [] : [assignment]
    if (concept !== 'url') return [assignment]
    const link = set.columns.find(
      (column) => column.form === 'link' && isLinkAroundTitle(column, title.column),
    )
    return [link ? { ...assignment, column: link, more: [] } : assignment]
  })
}

const minNamedScore = 0.65

function repeatsTitle({ cells }: Column, title: Column): boolean {
  const sample = [...cells].slice(0, maxSampled)
  return sample.every(([record, { text }]) => text.includes(title.cells.get(record)?.text ?? '\n'))
}

function isLinkAroundTitle({ cells }: Column, title: Column): boolean {
  const sample = [...title.cells].slice(0, maxSampled)
  const matching = sample.filter(
    ([record, { link }]) => link !== undefined && link === cells.get(record)?.node,
  )
  return matching.length >= sample.length * 0.8
}

const maxInOrder = 3

/** Assigns only lists and names that link to a person: the page may have no value for any other field. */
function assignRemaining(context: AssignmentContext, chosen: Assignment[]): Assignment[] {
  const { set, fields, page } = context
  const listed = assignList(context, chosen)
  // A column with a name has a known meaning, so it is not assigned to another field.
  if (chosen.length === 0 || set.hasColumnNames) return listed
  const taken = new Set(columnsIn([...chosen, ...listed]))
  const personFields = fields.filter(
    (field) => isPersonField(field) && !chosen.some((assignment) => assignment.field === field),
  )
  const free = set.columns.filter(
    (column) =>
      !taken.has(column) &&
      !column.isSharedHeading &&
      column.hrefWords.some(linksToPerson) &&
      isVaried(column, set.nodes.length) &&
      !isContainedIn(column, [...taken]),
  )
  return [...assignInOrder(personFields, free, page), ...listed]
}

function assignList({ set, fields, page }: AssignmentContext, chosen: Assignment[]): Assignment[] {
  const { columns, nodes } = set
  const lists = fields.filter(({ spec }) => spec.kind === 'list')
  const [field] = lists
  if (!field || lists.length > 1 || chosen.some((assignment) => assignment.field === field)) return []
  const taken = columnsIn(chosen)
  const free = columns.filter(
    (column) =>
      column.isList &&
      isDistinct(column) &&
      column.cells.size >= nodes.length * 0.6 &&
      !taken.some((takenColumn) => isContainedIn(takenColumn, [column])),
  )
  return assignInOrder([field], free, page)
}

const personConcepts = new Set(['author', 'user', 'publisher', 'director', 'agent', 'seller', 'organizer'])

function isPersonField({ spec, names }: SchemaField): boolean {
  const isPlainText = spec.kind === 'text' && !spec.choices && spec.format === undefined
  return isPlainText && isWord(names) && personConcepts.has(names.concept ?? '')
}

function assignInOrder(fields: readonly SchemaField[], columns: readonly Column[], page: PageContext) {
  const pairs = fields.length > maxInOrder ? [] : pairInOrder(fields, columns)
  const fit = pairs.every(({ field, column }) =>
    [...column.cells.values()].slice(0, maxSampled).every((cell) => valueIn(field, cell, page) !== undefined),
  )
  return fit ? pairs : []
}

function isVaried({ form, cells, isFullLine, isStruck, isList }: Column, records: number): boolean {
  if (form !== 'text' || isFullLine || isStruck || isList || cells.size < records * 0.8) return false
  const texts = [...cells.values()].map(({ text }) => text)
  return texts.every((text) => /\p{L}{2}/u.test(text) && text.length <= 200) && new Set(texts).size > 1
}

function isContainedIn({ cells }: Column, others: readonly Column[]): boolean {
  return others.some((other) =>
    [...cells]
      .slice(0, maxSampled)
      .every(([record, { text }]) => other.cells.get(record)?.text.includes(text)),
  )
}
