import { attr, tag } from '../../content/tree/names.ts'
import { attribute, endOf, findTag, isText, type Node, type Tree, tagOf } from '../../content/tree/tree.ts'
import { sectionAfter } from '../fields/from-sections.ts'
import type { Line, Lines } from '../fields/lines.ts'
import type { SchemaField } from '../fields/schema-fields.ts'
import { shownText } from '../fields/shown-text.ts'
import type { ListSpec } from '../schema/field-spec.ts'
import { type Column, plainColumn, type RecordSet } from './cell.ts'
import { headingScore } from './groups.ts'

const maxTables = 40
const maxRows = 2000
const maxColumns = 60

/** Tables as records: a row each, and the cells of the first row as the names of the columns. */
export function tablesOf({ tree, weights }: Lines): RecordSet[] {
  const sets: RecordSet[] = []
  for (let node = 1; node < tree.count && sets.length < maxTables; node += 1) {
    if (tagOf(tree, node) !== tag.table || (weights[node] ?? 0) < 0.3) continue
    const set = tableAt(tree, node, weights[node] ?? 1)
    if (set) sets.push(set)
    const turned = turnedTableAt(tree, node, weights[node] ?? 1)
    if (turned) sets.push(turned)
  }
  return sets
}

function tableAt(tree: Tree, table: Node, weight: number): RecordSet | undefined {
  const rows = rowsOf(tree, table)
  const heads = headRows(tree, rows)
  const body = rows.slice(heads.length)
  const names = columnNames(tree, heads)
  if (heads.length === 0 || body.length < 1 || names.length < 2) return undefined
  const nodes: Node[] = []
  const columns = names
    .slice(0, maxColumns)
    .map((own, order): Column => ({ ...plainColumn(order), names: own }))
  const links = columns.map((column): Column => ({ ...column, form: 'link', cells: new Map() }))
  for (const [at, { node, cells }] of body.entries()) {
    if (at > 1 && at === body.length - 1 && total.test(shownText(tree, cells[0] ?? node))) continue
    // A row that spans the table is a heading of those below.
    if (new Set(cells).size < Math.max(2, columns.length * 0.6)) continue
    const record = nodes.push(node) - 1
    for (const [place, cell] of cells.entries()) {
      const text = shownText(tree, cell)
      if (text !== '') columns[place]?.cells.set(record, { text, node: cell })
      const href = attribute(tree, findTag(tree, tag.a, cell + 1, endOf(tree, cell)), attr.href)
      if (href) links[place]?.cells.set(record, { text: href, node: cell })
    }
  }
  if (nodes.length === 0) return undefined
  const linked = links.filter(({ cells }) => cells.size > 0)
  for (const link of linked) {
    const [label, ...others] = new Set([...link.cells.values()].map(({ node }) => shownText(tree, node)))
    // A link that is called the same in every row is named so.
    if (label && others.length === 0 && nodes.length > 1) link.names = [...link.names, label]
  }
  return { nodes, columns: [...columns, ...linked], reader: 'table', isHeaded: true, weight }
}

/** A table that compares things: a column each, and names in front of the rows. */
function turnedTableAt(tree: Tree, table: Node, weight: number): RecordSet | undefined {
  const rows = rowsOf(tree, table)
  const [first] = rows
  const width = first?.cells.length ?? 0
  if (!first || width < 3 || rows.length < 3 || rows.some(({ cells }) => cells.length !== width))
    return undefined
  const labels = rows.map(({ cells }) => shownText(tree, cells[0] ?? 0))
  if (labels.slice(1).some((label) => label === '' || label.length > longestLabel || /\d{2}/.test(label)))
    return undefined
  const columns = rows.map(({ cells }, order): Column => {
    const [, ...values] = cells.map((cell) => ({ text: shownText(tree, cell), node: cell }))
    const stated = values.flatMap((cell, at) => (cell.text === '' ? [] : [[at, cell] as const]))
    // The first row has what the things are called.
    const isHeading = order === 0
    const names = [labels[order] ?? ''].filter(Boolean)
    return { ...plainColumn(order), names, isHeading, cells: new Map(stated) }
  })
  return { nodes: first.cells.slice(1), columns, reader: 'table', isHeaded: true, weight }
}

const longestLabel = 40

/** What the last row of a table begins with that sums up the others. */
const total =
  /^(?:(?:grand |sub)?totals?|sum|summe|gesamt|insgesamt|somme|suma|totale|totaal|average|durchschnitt|moyenne|合計)\b/iu
const maxHeads = 3

/** The rows that name the columns: those of the head, or the first where it looks like one. */
function headRows(tree: Tree, rows: readonly Row[]): Row[] {
  const [first] = rows
  if (!first || first.cells.length < 2) return []
  const marked = rows.findIndex(
    ({ cells, isInHead }) => !isInHead && !cells.every((cell) => tagOf(tree, cell) === tag.th),
  )
  if (marked > 0) return rows.slice(0, Math.min(marked, maxHeads))
  return looksLikeHead(tree, rows) ? [first] : []
}

/** The names of each column, the narrowest last; a cell over several rows is in all of them. */
function columnNames(tree: Tree, heads: readonly Row[]): string[][] {
  const names: string[][] = []
  const below: number[] = []
  for (const { cells } of heads) {
    let place = 0
    const own = new Set<number>()
    for (const cell of cells) {
      while ((below[place] ?? 0) > 0 && !own.has(place)) place += 1
      const rows = Number.parseInt(attribute(tree, cell, attr.rowspan) ?? '1', 10) || 1
      const name = shownText(tree, cell)
      const bare = name.replace(/\s*[[(][^\])]{1,20}[\])]\s*$/, '')
      names[place] = [...(names[place] ?? []), name, ...(bare === name ? [] : [bare])]
      below[place] = rows
      own.add(place)
      place += 1
    }
    for (let at = 0; at < names.length; at += 1) below[at] = Math.max(0, (below[at] ?? 0) - 1)
  }
  return names.map((own) => (own ?? []).filter(Boolean))
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
  for (let node = table + 1; node < end && rows.length < maxRows; node += 1) {
    const name = tagOf(tree, node)
    if (name === tag.thead) isInHead = endOf(tree, node)
    if (name === tag.tr) rows.push({ node, cells: cellsOf(tree, node), isInHead: node < isInHead })
    // Its foot sums up, and a table inside has rows of its own.
    if (name === tag.tr || name === tag.tfoot || name === tag.table) node = endOf(tree, node) - 1
  }
  return rows.filter(({ cells }) => cells.length > 0)
}

/** A cell over several columns stands in each of them. */
function cellsOf(tree: Tree, row: Node): Node[] {
  const cells: Node[] = []
  for (let node = row + 1; node < endOf(tree, row); node = endOf(tree, node)) {
    const name = isText(tree, node) ? 0 : tagOf(tree, node)
    if (name !== tag.td && name !== tag.th) continue
    const span = Math.min(Number.parseInt(attribute(tree, node, attr.colspan) ?? '1', 10) || 1, maxColumns)
    for (let times = 0; times < span && cells.length < maxColumns; times += 1) cells.push(node)
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

const minHeading = 0.6
const maxLines = 200
const longest = 240
const separators: readonly RegExp[] = [/\s*,\s+/, /\s+[–—|·•-]\s+/, /\s*[:：]\s+/]

/** Lines below a heading that names the list, whose parts are its fields: "B.A., Ashby College, 1991". */
export function splitLines(lines: Lines, spec: ListSpec, slots: readonly SchemaField[]): RecordSet[] {
  const sets: RecordSet[] = []
  for (const [at, line] of lines.list.entries()) {
    if (line.level === 0 || line.words.length > 6 || headingScore(spec, line) < minHeading) continue
    const section = sectionAfter(lines, at).slice(0, maxLines)
    for (const separator of separators) {
      const set = partsOf(section, separator, slots.length)
      if (set) sets.push({ ...set, weight: line.weight })
    }
  }
  return sets
}

function partsOf(section: readonly Line[], separator: RegExp, size: number): RecordSet | undefined {
  const rows = section
    .filter(({ text }) => text.length <= longest)
    .map((line) => ({ line, parts: line.text.split(separator).filter(Boolean) }))
    .filter(({ parts }) => parts.length === size)
  if (rows.length === 0 || size < 2 || rows.length < section.length * 0.7) return undefined
  const columns = Array.from({ length: size }, (_, order): Column => plainColumn(order))
  for (const [record, { line, parts }] of rows.entries())
    for (const [place, text] of parts.entries()) columns[place]?.cells.set(record, { text, node: line.first })
  return { nodes: rows.map(({ line }) => line.holder), columns, reader: 'section', weight: 1 }
}
