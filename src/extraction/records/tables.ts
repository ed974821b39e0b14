import { attr, tag } from '../../content/tree/names.ts'
import { attribute, endOf, findTag, type Node, type Tree, tagOf } from '../../content/tree/tree.ts'
import { sectionAfter } from '../fields/from-sections.ts'
import type { Line, Lines } from '../fields/lines.ts'
import type { SchemaField } from '../fields/schema-fields.ts'
import { shownText } from '../fields/shown-text.ts'
import { findHeaderRows, listRows, maxColumns, type Row } from '../fields/table-rows.ts'
import type { ListSpec } from '../schema/field-spec.ts'
import { type Column, plainColumn, type RecordSet } from './cell.ts'
import { headingScore } from './groups.ts'

const maxTables = 40

export function tablesOf({ tree, weights }: Lines): RecordSet[] {
  const sets: RecordSet[] = []
  for (let node = 1; node < tree.count && sets.length < maxTables; node += 1) {
    if (tagOf(tree, node) !== tag.table || (weights[node] ?? 0) < 0.3) continue
    const rows = listRows(tree, node)
    for (const read of [readTable, readTransposedTable]) {
      const set = read(tree, rows, weights[node] ?? 1)
      if (set) sets.push(set)
    }
  }
  return sets
}

function readTable(tree: Tree, rows: readonly Row[], weight: number): RecordSet | undefined {
  const headerRows = findHeaderRows(tree, rows)
  const body = rows.slice(headerRows.length)
  const names = readColumnNames(tree, headerRows)
  if (headerRows.length === 0 || body.length < 1 || names.length < 2) return undefined
  const nodes: Node[] = []
  const columns = names
    .slice(0, maxColumns)
    .map((columnTexts, order): Column => ({ ...plainColumn(order), names: columnTexts }))
  const links = columns.map((column): Column => ({ ...column, form: 'link', cells: new Map() }))
  for (const [at, { node, cells }] of body.entries()) {
    if (at > 1 && at === body.length - 1 && totalRow.test(shownText(tree, cells[0] ?? node))) continue
    // Skip a row with a cell over most columns, which is a heading of the rows below.
    if (new Set(cells).size < Math.max(2, columns.length * 0.6)) continue
    const record = nodes.push(node) - 1
    for (const [columnIndex, cell] of cells.entries()) {
      const text = shownText(tree, cell)
      if (text !== '') columns[columnIndex]?.cells.set(record, { text, node: cell })
      const href = attribute(tree, findTag(tree, tag.a, cell + 1, endOf(tree, cell)), attr.href)
      if (href) links[columnIndex]?.cells.set(record, { text: href, node: cell })
    }
  }
  if (nodes.length === 0) return undefined
  const linked = links.filter(({ cells }) => cells.size > 0)
  for (const link of linked) {
    const [label, ...others] = new Set([...link.cells.values()].map(({ node }) => shownText(tree, node)))
    if (label && others.length === 0 && nodes.length > 1) link.names = [...link.names, label]
  }
  return { nodes, columns: [...columns, ...linked], reader: 'table', hasColumnNames: true, weight }
}

/** Reads a table that compares items: one record per column, with names from the first column. */
function readTransposedTable(tree: Tree, rows: readonly Row[], weight: number): RecordSet | undefined {
  const [first] = rows
  const width = first?.cells.length ?? 0
  if (!first || width < 3 || rows.length < 3 || rows.some(({ cells }) => cells.length !== width))
    return undefined
  const labels = rows.map(({ cells }) => shownText(tree, cells[0] ?? 0))
  if (labels.slice(1).some((label) => label === '' || label.length > maxLabelLength || /\d{2}/.test(label)))
    return undefined
  const columns = rows.map(({ cells }, order): Column => {
    const values = cells.slice(1).map((node) => ({ text: shownText(tree, node), node }))
    const filled = [...values.entries()].filter(([, { text }]) => text !== '')
    const names = [labels[order] ?? ''].filter(Boolean)
    return { ...plainColumn(order), names, isHeading: order === 0, cells: new Map(filled) }
  })
  return { nodes: first.cells.slice(1), columns, reader: 'table', hasColumnNames: true, weight }
}

const maxLabelLength = 40

const totalRow =
  /^(?:(?:grand |sub)?totals?|sum|summe|gesamt|insgesamt|somme|suma|totale|totaal|average|durchschnitt|moyenne|合計)\b/iu

/** Returns the names of each column, widest header cell first. A cell over several rows names its column once. */
function readColumnNames(tree: Tree, headerRows: readonly Row[]): string[][] {
  const names: string[][] = []
  const openRows: number[] = []
  for (const { cells } of headerRows) {
    let columnIndex = 0
    const rowColumns = new Set<number>()
    for (const cell of cells) {
      while ((openRows[columnIndex] ?? 0) > 0 && !rowColumns.has(columnIndex)) columnIndex += 1
      const rows = Number.parseInt(attribute(tree, cell, attr.rowspan) ?? '1', 10) || 1
      const name = shownText(tree, cell)
      const plainName = name.replace(/\s*[[(][^\])]{1,20}[\])]\s*$/, '')
      names[columnIndex] = [...(names[columnIndex] ?? []), name, ...(plainName === name ? [] : [plainName])]
      openRows[columnIndex] = rows
      rowColumns.add(columnIndex)
      columnIndex += 1
    }
    for (let at = 0; at < names.length; at += 1) openRows[at] = Math.max(0, (openRows[at] ?? 0) - 1)
  }
  return names.map((columnTexts) => (columnTexts ?? []).filter(Boolean))
}

const minHeadingScore = 0.6
const maxLines = 200
const maxLineLength = 240
const separators: readonly RegExp[] = [/\s*,\s+/, /\s+[–—|·•-]\s+/, /\s*[:：]\s+/]

/** Splits the lines below a heading that names the list into columns: "B.A., Ashby College, 1991". */
export function splitLines(lines: Lines, spec: ListSpec, fields: readonly SchemaField[]): RecordSet[] {
  const sets: RecordSet[] = []
  for (const [at, line] of lines.list.entries()) {
    if (line.level === 0 || line.words.length > 6 || headingScore(spec, line) < minHeadingScore) continue
    const section = sectionAfter(lines, at).slice(0, maxLines)
    for (const separator of separators) {
      const set = splitSection(section, separator, fields.length)
      if (set) sets.push({ ...set, weight: line.weight })
    }
  }
  return sets
}

function splitSection(section: readonly Line[], separator: RegExp, size: number): RecordSet | undefined {
  const rows = section
    .filter(({ text }) => text.length <= maxLineLength)
    .map((line) => ({ line, parts: line.text.split(separator).filter(Boolean) }))
    .filter(({ parts }) => parts.length === size)
  if (rows.length === 0 || size < 2 || rows.length < section.length * 0.7) return undefined
  const columns = Array.from({ length: size }, (_, order): Column => plainColumn(order))
  for (const [record, { line, parts }] of rows.entries())
    for (const [columnIndex, text] of parts.entries())
      columns[columnIndex]?.cells.set(record, { text, node: line.first })
  return { nodes: rows.map(({ line }) => line.holder), columns, reader: 'section', weight: 1 }
}
