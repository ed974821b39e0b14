import { endOf, type Node, parentOf, type Tree } from '../../content/tree/tree.ts'
import { labelWords } from '../fields/labels-of.ts'
import type { Lines } from '../fields/lines.ts'
import { nearness, type SchemaField } from '../fields/schema-fields.ts'
import { phraseOf } from '../vocabulary/words.ts'
import type { Column, RecordSet } from './cell.ts'
import { entriesOf } from './entries.ts'
import { childrenOf } from './groups.ts'

const longestName = 40
const minNearness = 0.6
/** At least this many texts of a row are names of fields, if it names the columns. */
const leastNamed = 2

/** Rows that are no table have names of their columns as well: in the first of them, or in what stands before it. */
export function withHead(lines: Lines, set: RecordSet, slots: readonly SchemaField[]): RecordSet {
  if (set.nodes.length < 2) return set
  const columns = set.columns.filter(({ form, isWhole, isList }) => form === 'text' && !isWhole && !isList)
  const own = columns.map(({ cells }) => cells.get(0)?.text ?? '')
  // Labels that every record has are no head.
  const isRepeated = columns.some(
    ({ cells }) => cells.get(0) !== undefined && cells.get(0)?.text === cells.get(1)?.text,
  )
  if (set.nodes.length > 2 && !isRepeated && isHead(own, slots))
    return withoutFirst(withNames(set, columns, own))
  const before = previousOf(lines.tree, set.nodes[0] ?? 0)
  if (before === undefined) return set
  const span = { node: before, end: endOf(lines.tree, before), base: before }
  const names = entriesOf(lines, span).filter(({ form, isWhole }) => form === 'text' && isWhole !== true)
  const usual = columns.filter(({ cells }) => cells.size >= set.nodes.length * 0.8)
  const texts = names.map(({ text }) => text)
  return texts.length === usual.length && isHead(texts, slots) ? withNames(set, usual, texts) : set
}

function isHead(texts: readonly string[], slots: readonly SchemaField[]): boolean {
  const said = texts.filter((text) => text !== '')
  if (said.length < leastNamed || said.some((text) => text.length > longestName || /\d{2}/.test(text)))
    return false
  const named = said.filter((text) => {
    const label = labelWords(text)
    const phrase = phraseOf(label)
    return slots.some(({ names }) => names.phrases.has(phrase) || nearness(names, label) >= minNearness)
  })
  return named.length >= Math.max(leastNamed, said.length * 0.4)
}

function withNames(set: RecordSet, columns: readonly Column[], texts: readonly string[]): RecordSet {
  const named = new Map(columns.map((column, at) => [column, texts[at] ?? '']))
  return {
    ...set,
    isHeaded: true,
    columns: set.columns.map((column) => {
      const name = named.get(column)
      return name ? { ...column, names: [...column.names, name] } : column
    }),
  }
}

function withoutFirst(set: RecordSet): RecordSet {
  const columns = set.columns.map((column) => {
    const cells = [...column.cells].filter(([record]) => record > 0)
    return { ...column, cells: new Map(cells.map(([record, cell]) => [record - 1, cell])) }
  })
  return { ...set, nodes: set.nodes.slice(1), columns: columns.filter(({ cells }) => cells.size > 0) }
}

function previousOf(tree: Tree, node: Node): Node | undefined {
  return childrenOf(tree, parentOf(tree, node)).findLast((child) => child < node)
}
