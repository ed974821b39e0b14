import { attr, tag } from '../../content/tree/names.ts'
import { attribute, endOf, isText, type Node, type Tree, tagOf } from '../../content/tree/tree.ts'
import type { Lines } from '../fields/lines.ts'
import { shownText } from '../fields/shown-text.ts'
import type { Column, RecordSet } from './cell.ts'

const mostTables = 40
const mostRows = 2000
const mostColumns = 60

/** Tables as records: a row each, and the cells of the first row as the names of the columns. */
export function tablesOf({ tree, weights }: Lines): RecordSet[] {
  const sets: RecordSet[] = []
  for (let node = 1; node < tree.count && sets.length < mostTables; node += 1) {
    if (tagOf(tree, node) !== tag.table || (weights[node] ?? 0) < 0.3) continue
    const set = tableAt(tree, node, weights[node] ?? 1)
    if (set) sets.push(set)
  }
  return sets
}

function tableAt(tree: Tree, table: Node, weight: number): RecordSet | undefined {
  const rows = rowsOf(tree, table)
  const [head, ...body] = rows
  if (!head || body.length < 1 || head.cells.length < 2) return undefined
  const isHead =
    head.cells.every((cell) => tagOf(tree, cell) === tag.th) || head.isInHead || looksLikeHead(tree, rows)
  if (!isHead) return undefined
  const nodes: Node[] = []
  const columns = head.cells.slice(0, mostColumns).map(
    (cell, order): Column => ({
      names: [shownText(tree, cell)],
      form: 'text',
      cells: new Map(),
      ...{ isHeading: false, isLink: false, isStruck: false, isWhole: false },
      order,
    }),
  )
  const links = columns.map((column): Column => ({ ...column, form: 'link', cells: new Map() }))
  for (const { node, cells } of body) {
    // A row that spans the table is a heading of those below.
    if (cells.length < Math.max(2, columns.length * 0.6)) continue
    const record = nodes.push(node) - 1
    for (const [place, cell] of cells.entries()) {
      const text = shownText(tree, cell)
      if (text !== '') columns[place]?.cells.set(record, { text, node: cell })
      const href = linkIn(tree, cell)
      if (href) links[place]?.cells.set(record, { text: href, node: cell })
    }
  }
  return nodes.length === 0
    ? undefined
    : {
        nodes,
        columns: [...columns, ...links.filter(({ cells }) => cells.size > 0)],
        reader: 'table',
        weight,
      }
}

interface Row {
  node: Node
  cells: Node[]
  isInHead: boolean
}

function rowsOf(tree: Tree, table: Node): Row[] {
  const rows: Row[] = []
  let isInHead = 0
  const end = endOf(tree, table)
  for (let node = table + 1; node < end && rows.length < mostRows; node += 1) {
    const name = tagOf(tree, node)
    if (name === tag.thead) isInHead = endOf(tree, node)
    if (name === tag.table) {
      node = endOf(tree, node) - 1
      continue
    }
    if (name !== tag.tr) continue
    rows.push({ node, cells: cellsOf(tree, node), isInHead: node < isInHead })
    node = endOf(tree, node) - 1
  }
  return rows.filter(({ cells }) => cells.length > 0)
}

/** A cell over several columns stands in each of them. */
function cellsOf(tree: Tree, row: Node): Node[] {
  const cells: Node[] = []
  for (let node = row + 1; node < endOf(tree, row); node = endOf(tree, node)) {
    const name = isText(tree, node) ? 0 : tagOf(tree, node)
    if (name !== tag.td && name !== tag.th) continue
    const span = Math.min(Number.parseInt(attribute(tree, node, attr.colspan) ?? '1', 10) || 1, mostColumns)
    for (let times = 0; times < span && cells.length < mostColumns; times += 1) cells.push(node)
  }
  return cells
}

/** Without marks of their own, names of columns are short, without digits, and unlike the rows below. */
function looksLikeHead(tree: Tree, rows: readonly Row[]): boolean {
  const [head, first] = rows
  if (!head || !first || rows.length < 3 || head.cells.length !== first.cells.length) return false
  const texts = head.cells.map((cell) => shownText(tree, cell))
  const below = first.cells.map((cell) => shownText(tree, cell))
  const isPlain = texts.every((text) => text.length <= 40 && !/\d{2}/.test(text))
  return isPlain && below.some((text) => /\d/.test(text)) && texts.filter(Boolean).length >= 2
}

function linkIn(tree: Tree, cell: Node): string | undefined {
  for (let node = cell + 1; node < endOf(tree, cell); node += 1)
    if (tagOf(tree, node) === tag.a) return attribute(tree, node, attr.href)
  return undefined
}
