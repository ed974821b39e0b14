import { type ChildNode, type Element, isTag, isText } from 'domhandler'
import { elementsOf } from '../dom.ts'
import { spanned } from './table-grid.ts'
import { isHeading } from './tags.ts'
import type { Block, Context, Writer } from './writer.ts'

/** A table in Markdown, or its contents one after another when it only arranges a page. */
export function writeTable(table: Element, context: Context, writer: Writer): Block[] {
  const shape: TableShape = { rows: [], outside: [] }
  readRows(table, false, shape)
  if (isForLayout(table, shape.rows, writer)) return writer.blocks(table.children, context)

  const grid = spanned(
    shape.rows.map(({ cells }) =>
      cells.map((cell) => ({
        text: writer.cell(cell.children, context),
        columns: span(cell.attribs.colspan, 1000),
        rows: span(cell.attribs.rowspan, shape.rows.length),
      })),
    ),
  )
  const lines = grid.filter((cells) => cells.some((text) => text !== ''))
  const before = writer.blocks(shape.outside, context)
  if (lines.length === 0) return before
  const hasHead = shape.rows[grid.indexOf(lines[0] ?? [])]?.isHead ?? false
  return [...before, { text: gridText(hasHead ? lines : [[], ...lines]), isList: false }]
}

interface TableShape {
  rows: { cells: Element[]; isHead: boolean }[]
  /** The caption, and what a page misplaced between its cells. */
  outside: ChildNode[]
}

function readRows(parent: Element, isInHead: boolean, shape: TableShape): void {
  for (const child of parent.children) {
    if (!isTag(child)) {
      if (isText(child) && child.data.trim() !== '') shape.outside.push(child)
    } else if (child.name === 'tr') {
      const cells = readCells(child, shape)
      if (cells.length > 0) shape.rows.push({ cells, isHead: isInHead || cells.every(isHeadCell) })
    } else if (/^(?:thead|tbody|tfoot|form)$/.test(child.name)) {
      readRows(child, child.name === 'thead', shape)
    } else shape.outside.push(child)
  }
}

function readCells(row: Element, shape: TableShape): Element[] {
  const cells: Element[] = []
  for (const child of row.children) {
    if (isTag(child) && (child.name === 'td' || child.name === 'th')) cells.push(child)
    else if (isTag(child) && child.name === 'form') cells.push(...readCells(child, shape))
    else if (!isText(child) || child.data.trim() !== '') shape.outside.push(child)
  }
  return cells
}

const isHeadCell = (cell: Element) => cell.name === 'th'

function isForLayout(table: Element, rows: TableShape['rows'], writer: Writer): boolean {
  if (/^(?:presentation|none)$/.test(table.attribs.role ?? '') || writer.layout.holdsTable(table)) return true
  if (rows.some((row) => row.isHead || row.cells.some(isHeadCell))) return false
  if (rows.every((row) => row.cells.length < 2)) return true
  const isOneHigh =
    rows.length === 1 && rows[0]?.cells.some((cell) => cell.children.some(writer.layout.isBlock))
  return isOneHigh || holdsSections(table)
}

function holdsSections(table: Element): boolean {
  for (const element of elementsOf(table)) if (isHeading(element) || element.name === 'pre') return true
  return false
}

/** How far a cell reaches; zero means to the end. */
function span(attribute: string | undefined, most: number): number {
  const value = Number.parseInt(attribute ?? '1', 10)
  if (Number.isNaN(value) || value < 0) return 1
  return value === 0 ? most : Math.min(value, most)
}

function gridText(lines: readonly string[][]): string {
  const width = lines.reduce((widest, cells) => Math.max(widest, cells.length), 0)
  const slots = lines.reduce((count, cells) => count + cells.length, 0)
  // One wide row in a long table must not widen every other; a short row is legal.
  const isEven = lines.length * width <= slots * 4 + 1000
  const written = lines.map((cells, index) => {
    const missing = index === 0 || isEven ? width - cells.length : 0
    return `|${[...cells, ...Array<string>(missing).fill('')].map((text) => ` ${text} |`).join('')}`
  })
  written.splice(1, 0, `|${' --- |'.repeat(width)}`)
  return written.join('\n')
}
