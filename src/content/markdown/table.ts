import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  childrenOf,
  classOf,
  endOf,
  findChild,
  findNode,
  isBlankText,
  mergeRanges,
  type Node,
  none,
  parentOf,
  type Tree,
  textAt,
} from '../tree/tree.ts'
import { writeLines } from './block-writer.ts'
import { beginningOf } from './code.ts'
import { blockBit, silentBit, tableAncestorBit } from './facts.ts'
import { isHeading } from './link.ts'
import { listing } from './listing.ts'
import { isBlank } from './scan.ts'
import { type Alignment, getColumnAlignments, getColumnDelimiter, toGrid } from './table-grid.ts'
import type { Context, Writer } from './writer.ts'

const headerNames =
  /(?:^|\s)(?:head(?:er|ing)?|thead|col-?head(?:er)?|t(?:able|bl)[-_]?head(?:er|ing)?|header[-_]?row|head[-_]?row)(?:\s|$)/i

function isUnmarkedHead(tree: Tree, first: readonly Node[], second: readonly Node[] | undefined): boolean {
  const [cell] = first
  if (cell === undefined || second === undefined || first.length < 2) return false
  const isNamed = (node: Node) => headerNames.test(classOf(tree, node) ?? '')
  if (isNamed(parentOf(tree, cell)) || first.every(isNamed)) return true
  if (first.every((other) => attribute(tree, other, attr.role) === 'columnheader')) return true
  return isBold(tree, first) && !isBold(tree, second)
}

function isBold(tree: Tree, cells: readonly Node[]): boolean {
  let boldCells = 0
  for (const cell of cells) {
    const end = endOf(tree, cell)
    let hasBold = false
    for (let at = cell + 1; at < end; ) {
      const isStrong = tree.tags[at] === tag.b || tree.tags[at] === tag.strong
      if (tree.tags[at] === 0 && !isBlank(tree, at)) return false
      if (isStrong) hasBold = true
      at = isStrong ? endOf(tree, at) : at + 1
    }
    if (hasBold) boldCells += 1
  }
  return boldCells > 1
}

/** Removes bold formatting, because header cells are bold by default. */
const withoutStrong = (text: string) => text.replace(/^\*\*((?:[^*\\]|\\.)+)\*\*$/, '$1')

export function writeTable(writer: Writer, table: Node, context: Context): void {
  const { tree } = writer
  const shape: TableShape = { rows: [], outside: [] }
  readRows(writer, table, false, shape)
  if (isCodeInRows(tree, shape)) {
    const code = listing(writer, table)
    if (code !== '') writeLines(writer.output, code)
    return
  }
  if (isLayoutTable(writer, table, shape.rows)) {
    writer.writeBlocks(table + 1, endOf(tree, table), context)
    return
  }
  for (const { from, end } of mergeRanges(tree, shape.outside)) writer.writeBlocks(from, end, context)
  for (const part of splitSections(tree, shape.rows)) {
    if (part.heading !== undefined) writer.writeBlocks(part.heading + 1, endOf(tree, part.heading), context)
    writeRows(writer, part.rows, context)
  }
}

function writeRows(writer: Writer, rows: readonly Row[], context: Context): void {
  const { tree } = writer
  const grid = toGrid(
    rows.map(({ cells, isHead }) =>
      cells.map((cell) => {
        const text = writer.writeCell(cell, context).replaceAll('|', '\\|')
        return {
          text,
          columns: parseSpan(attribute(tree, cell, attr.colspan), 1000),
          rows: parseSpan(attribute(tree, cell, attr.rowspan), rows.length),
          namesColumns: isHead && cells.length > 1 && text.length <= maxNameLength,
        }
      }),
    ),
  )
  const lines = grid.filter((cells) => cells.some((text) => text !== ''))
  if (lines.length === 0) return
  const top = grid.indexOf(lines[0] ?? [])
  const isUnmarked =
    rows.every(({ isHead }) => !isHead) && isUnmarkedHead(tree, rows[top]?.cells ?? [], rows[top + 1]?.cells)
  if (isUnmarked) lines[0] = (lines[0] ?? []).map(withoutStrong)
  const hasHead = isUnmarked || (rows[top]?.isHead ?? false)
  const alignments = getColumnAlignments(
    tree,
    rows.map(({ cells }) => cells),
  )
  writeLines(writer.output, renderGrid(hasHead ? lines : [[], ...lines], alignments))
}

function splitSections(tree: Tree, rows: readonly Row[]) {
  const sections: { heading?: Node; rows: Row[] }[] = [{ rows: [] }]
  for (const row of rows) {
    const heading = findHeading(tree, row)
    if (heading === undefined) sections.at(-1)?.rows.push(row)
    else sections.push({ heading, rows: [] })
  }
  return sections
}

function findHeading(tree: Tree, { cells }: Row): Node | undefined {
  const [cell, another] = cells
  if (cell === undefined || another !== undefined) return undefined
  const isText = (at: Node) => tree.tags[at] === 0 && !isBlankText(tree, at)
  const first = findNode(cell + 1, endOf(tree, cell), (at) => isHeading(tree, at) || isText(at))
  return isHeading(tree, first) ? cell : undefined
}

interface Row {
  cells: Node[]
  isHead: boolean
}

interface TableShape {
  rows: Row[]
  outside: Node[]
}

const sectionTags = tagSet('thead tbody tfoot form')

function readRows(writer: Writer, parent: Node, isInHead: boolean, shape: TableShape): void {
  const { tree, facts } = writer
  const end = endOf(tree, parent)
  for (let at = parent + 1; at < end; at = endOf(tree, at)) {
    const name = tree.tags[at] ?? 0
    if (((facts[at] ?? 0) & silentBit) !== 0) continue
    if (name === tag.tr) {
      const cells: Node[] = []
      readCells(writer, at, cells, shape)
      if (cells.length > 0) {
        shape.rows.push({ cells, isHead: isInHead || cells.every((cell) => isHeadCell(tree, cell)) })
      }
    } else if (sectionTags[name] === 1) readRows(writer, at, name === tag.thead, shape)
    else if (!isBlankText(tree, at)) shape.outside.push(at)
  }
}

function readCells(writer: Writer, row: Node, cells: Node[], shape: TableShape): void {
  const { tree, facts } = writer
  const end = endOf(tree, row)
  for (let at = row + 1; at < end; at = endOf(tree, at)) {
    const name = tree.tags[at] ?? 0
    if (((facts[at] ?? 0) & silentBit) !== 0) continue
    if (name === tag.td || name === tag.th) cells.push(at)
    else if (name === tag.form) readCells(writer, at, cells, shape)
    else if (!isBlankText(tree, at)) shape.outside.push(at)
  }
}

const codeTags = tagSet('code samp tt')

function isCodeInRows(tree: Tree, { rows, outside }: TableShape): boolean {
  if (rows.length < 2 || outside.length > 0) return false
  return rows.every(({ cells: [cell, another], isHead }) => {
    if (cell === undefined || another !== undefined || isHead) return false
    const end = endOf(tree, cell)
    let isCode = false
    for (let at = cell + 1; at < end; ) {
      if (tree.tags[at] === 0 && textAt(tree, at).trim() !== '') return false
      const isCodeElement = codeTags[tree.tags[at] ?? 0] === 1
      isCode ||= isCodeElement
      at = isCodeElement ? endOf(tree, at) : at + 1
    }
    return isCode
  })
}

const isHeadCell = (tree: Tree, cell: Node) => tree.tags[cell] === tag.th

function isLayoutTable({ tree, facts }: Writer, table: Node, rows: TableShape['rows']): boolean {
  const role = attribute(tree, table, attr.role)
  if (role === 'presentation' || role === 'none' || ((facts[table] ?? 0) & tableAncestorBit) !== 0)
    return true
  if (layoutNames.test(classOf(tree, table) ?? '')) return true
  if (rows.some((row) => row.isHead || row.cells.some((cell) => isHeadCell(tree, cell)))) return false
  if (rows.every((row) => row.cells.length < 2)) return true
  const isBlock = (at: Node) => ((facts[at] ?? 0) & blockBit) !== 0
  const hasBlock = rows[0]?.cells.some((cell) => findChild(tree, cell, isBlock) !== none)
  if (rows.length === 1 && hasBlock && !isRecord(tree, rows[0])) return true
  return containsSections(tree, table, rows)
}

const layoutNames = /(?:^|\s)(?:ltx_eqn_table|(?:\w+_)?highlighttable|rouge-table|lntable)(?:\s|$)/
const recordTags = tagSet('a abbr b br code div em i p small span strong td th u var wbr')

function isRecord(tree: Tree, row: Row | undefined): boolean {
  const [first, ...others] = row?.cells ?? []
  if (first === undefined || others.length === 0) return false
  const end = endOf(tree, others.at(-1) ?? first)
  for (let at = first; at < end; at += 1) {
    const name = tree.tags[at] ?? 0
    if (name !== 0 && recordTags[name] !== 1) return false
  }
  const lengths = [first, ...others].map((cell) => beginningOf(tree, cell, maxCellLength + 1).trim().length)
  return (
    (lengths[0] ?? 0) <= maxNameLength && lengths.every((length) => length > 0 && length <= maxCellLength)
  )
}

/** Headings may begin sections of a page. In an even grid of short cells they only name rows and columns. */
function containsSections(tree: Tree, table: Node, rows: TableShape['rows']): boolean {
  const end = endOf(tree, table)
  let headings = 0
  for (let at = table + 1; at < end; at += 1) {
    if (tree.tags[at] === tag.pre) return !isEvenGrid(tree, rows)
    if (isHeading(tree, at)) headings += 1
  }
  const headingRows = rows.filter((row) => findHeading(tree, row) !== undefined).length
  return headings > headingRows && !isEvenGrid(tree, rows)
}

/** Maximum length of a data cell, and of the name of a row or column, in characters. A layout column is longer. */
const maxCellLength = 300
const maxNameLength = 60
const minRows = 3

function isEvenGrid(tree: Tree, rows: TableShape['rows']): boolean {
  const width = rows[0]?.cells.length ?? 0
  if (rows.length < minRows || width < 2 || rows.some(({ cells }) => cells.length !== width)) return false
  return rows.every(({ cells }) =>
    cells.every((cell) => beginningOf(tree, cell, maxCellLength + 1).length <= maxCellLength),
  )
}

/** A style sheet arranges the elements in as many columns as there are headers. Returns false if there are none. */
export function writeGrid(writer: Writer, node: Node, context: Context): boolean {
  const { tree, facts } = writer
  const parts = childrenOf(tree, node).filter((at) => !isBlankText(tree, at))
  if (parts.some((at) => tree.tags[at] === 0)) return false
  const cells = parts.filter((at) => ((facts[at] ?? 0) & silentBit) === 0)
  const isHead = (cell: Node) => /(?:^|\s)table-header(?:\s|$)/.test(classOf(tree, cell) ?? '')
  const headCount = cells.findIndex((cell) => !isHead(cell))
  if (headCount < 2 || cells.length % headCount !== 0) return false
  const rows: Row[] = []
  for (let at = 0; at < cells.length; at += headCount) {
    rows.push({ cells: cells.slice(at, at + headCount), isHead: at === 0 })
  }
  writeRows(writer, rows, context)
  return true
}

function parseSpan(attribute: string | undefined, max: number): number {
  if (attribute === undefined) return 1
  const value = Number.parseInt(attribute, 10)
  if (Number.isNaN(value) || value < 0) return 1
  return value === 0 ? max : Math.min(value, max)
}

function renderGrid(lines: readonly string[][], alignments: readonly Alignment[]): string {
  const width = lines.reduce((widest, cells) => Math.max(widest, cells.length), 0)
  const cellCount = lines.reduce((count, cells) => count + cells.length, 0)
  // One wide row in a long table must not widen all others; a shorter row is valid.
  const padsRows = lines.length * width <= cellCount * 4 + 1000
  let text = ''
  for (const [index, cells] of lines.entries()) {
    if (index > 0) text += '\n'
    text += '|'
    for (const cell of cells) text += ` ${cell} |`
    if (index === 0 || padsRows) text += '  |'.repeat(width - cells.length)
    if (index > 0) continue
    text += '\n|'
    for (let column = 0; column < width; column += 1) text += ` ${getColumnDelimiter(alignments[column])} |`
  }
  return text
}
