import { endOf, parentOf } from '../../content/tree/tree.ts'
import { labelWords } from '../fields/labels-of.ts'
import type { Lines } from '../fields/lines.ts'
import { labelSimilarity, type SchemaField } from '../fields/schema-fields.ts'
import { phraseOf } from '../vocabulary/words.ts'
import type { Column, RecordSet } from './cell.ts'
import { entriesOf } from './entries.ts'
import { childrenOf } from './groups.ts'

const maxNameLength = 40
const minSimilarity = 0.6
const minNamedTexts = 2

/** Adds column names to rows that are not a table, if the first row or the element before it is a header. */
export function withHeaderNames(lines: Lines, set: RecordSet, fields: readonly SchemaField[]): RecordSet {
  if (set.nodes.length < 2) return set
  const columns = set.columns.filter(
    ({ form, isFullLine, isList }) => form === 'text' && !isFullLine && !isList,
  )
  const firstTexts = columns.map(({ cells }) => cells.get(0)?.text ?? '')
  // A text that the first two rows share is a label, and not a header.
  const isRepeated = columns.some(
    ({ cells }) => cells.get(0) !== undefined && cells.get(0)?.text === cells.get(1)?.text,
  )
  if (set.nodes.length > 2 && !isRepeated && isHeader(firstTexts, fields))
    return removeFirst(addNames(set, columns, firstTexts))
  const [first = 0] = set.nodes
  const previous = childrenOf(lines.tree, parentOf(lines.tree, first)).findLast((child) => child < first)
  if (previous === undefined) return set
  const entries = entriesOf(lines, { node: previous, end: endOf(lines.tree, previous), base: previous })
  const names = entries.filter(({ form, isFullLine }) => form === 'text' && isFullLine !== true)
  const regularColumns = columns.filter(({ cells }) => cells.size >= set.nodes.length * 0.8)
  const texts = names.map(({ text }) => text)
  return texts.length === regularColumns.length && isHeader(texts, fields)
    ? addNames(set, regularColumns, texts)
    : set
}

function isHeader(texts: readonly string[], fields: readonly SchemaField[]): boolean {
  const filled = texts.filter((text) => text !== '')
  if (filled.some((text) => text.length > maxNameLength || /\d{2}/.test(text))) return false
  const matching = filled.filter((text) => {
    const label = labelWords(text)
    const isNamed = ({ names }: SchemaField) =>
      names.phrases.has(phraseOf(label)) || labelSimilarity(names, label) >= minSimilarity
    return fields.some(isNamed)
  })
  return matching.length >= Math.max(minNamedTexts, filled.length * 0.4)
}

function addNames(set: RecordSet, columns: readonly Column[], texts: readonly string[]): RecordSet {
  const nameByColumn = new Map(columns.map((column, at) => [column, texts[at] ?? '']))
  return {
    ...set,
    hasColumnNames: true,
    columns: set.columns.map((column) => {
      const name = nameByColumn.get(column)
      return name ? { ...column, names: [...column.names, name] } : column
    }),
  }
}

function removeFirst(set: RecordSet): RecordSet {
  const columns = set.columns.map((column) => {
    const cells = [...column.cells].filter(([record]) => record > 0)
    return { ...column, cells: new Map(cells.map(([record, cell]) => [record - 1, cell])) }
  })
  return { ...set, nodes: set.nodes.slice(1), columns: columns.filter(({ cells }) => cells.size > 0) }
}
