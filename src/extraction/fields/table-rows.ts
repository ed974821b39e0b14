import { attr, tag, tagSet } from '../../content/tree/names.ts'
import { attribute, endOf, type Node, type Tree, tagOf } from '../../content/tree/tree.ts'
import { isKnownLabel } from '../vocabulary/concepts.ts'
import { phraseOf, words } from '../vocabulary/words.ts'
import { shownText } from './shown-text.ts'

const maxRows = 2000
export const maxColumns = 60
const maxHeaderRows = 3
export const cellTags = tagSet('td th')

export interface Row {
  node: Node
  cells: Node[]
  isInHead: boolean
}

/** Returns the rows of a table, without those of its footer and of inner tables. */
export function listRows(tree: Tree, table: Node): Row[] {
  const rows: Row[] = []
  let headEnd = 0
  const end = endOf(tree, table)
  for (let node = table + 1; node < end && rows.length < maxRows; node += 1) {
    const name = tagOf(tree, node)
    if (name === tag.thead) headEnd = endOf(tree, node)
    if (name === tag.tr) rows.push({ node, cells: listCells(tree, node), isInHead: node < headEnd })
    // The table footer contains totals, and an inner table has its own rows.
    if (name === tag.tr || name === tag.tfoot || name === tag.table) node = endOf(tree, node) - 1
  }
  return rows.filter(({ cells }) => cells.length > 0)
}

function listCells(tree: Tree, row: Node): Node[] {
  const cells: Node[] = []
  for (let node = row + 1; node < endOf(tree, row); node = endOf(tree, node)) {
    if (cellTags[tagOf(tree, node)] !== 1) continue
    const span = Math.min(Number.parseInt(attribute(tree, node, attr.colspan) ?? '1', 10) || 1, maxColumns)
    for (let copies = 0; copies < span && cells.length < maxColumns; copies += 1) cells.push(node)
  }
  return cells
}

/** Returns the rows that name the columns: those of the table head, or the first row if it looks like a header. */
export function findHeaderRows(tree: Tree, rows: readonly Row[]): Row[] {
  const [first] = rows
  if (!first || first.cells.length < 2) return []
  const bodyStart = rows.findIndex(
    ({ cells, isInHead }) => !isInHead && !cells.every((cell) => tagOf(tree, cell) === tag.th),
  )
  if (bodyStart > 0) return rows.slice(0, Math.min(bodyStart, maxHeaderRows))
  return looksLikeHeader(tree, rows) ? [first] : []
}

export interface TableCell {
  row: Node
  /** Number of cells of the row that contain text. */
  filledCount: number
  /** Cells below a header cell; undefined for other cells. */
  column?: Node[]
}

export function readTableCells(tree: Tree): Map<Node, TableCell> {
  const tableCells = new Map<Node, TableCell>()
  for (let node = 1; node < tree.count; node += 1) {
    if (tagOf(tree, node) !== tag.table) continue
    const rows = listRows(tree, node)
    const headerCount = countHeaderRows(tree, rows)
    for (const [at, { node: row, cells }] of rows.entries()) {
      const filledCount = new Set(cells.filter((cell) => shownText(tree, cell) !== '')).size
      for (const [index, cell] of cells.entries()) {
        const tableCell = tableCells.get(cell) ?? { row, filledCount }
        tableCells.set(cell, tableCell)
        if (at >= headerCount) continue
        const below = rows.slice(headerCount).flatMap((body) => body.cells[index] ?? [])
        tableCell.column = [...new Set([...(tableCell.column ?? []), ...below])]
      }
    }
  }
  return tableCells
}

/** Counts the header rows of a table. A row of `td` cells may also be the first pair of a label and its value. */
function countHeaderRows(tree: Tree, rows: readonly Row[]): number {
  const headerRows = findHeaderRows(tree, rows)
  const [first] = headerRows
  const isMarked = first && (first.isInHead || first.cells.every((cell) => tagOf(tree, cell) === tag.th))
  if (headerRows.length === 0 || isMarked) return headerRows.length
  const body = rows.slice(1)
  const hasLabels = body.some(({ cells }) =>
    cells.some(
      (cell) => tagOf(tree, cell) === tag.th || isKnownLabel(phraseOf(words(shownText(tree, cell)))),
    ),
  )
  const isWide = (first?.cells.length ?? 0) > 2
  const isNumbered = body.every(({ cells }) => /^\d/.test(shownText(tree, cells[0] ?? 0)))
  return !hasLabels && (isWide || isNumbered) ? 1 : 0
}

/** True if the texts of the first row are short and have no numbers, but the next row has some. */
function looksLikeHeader(tree: Tree, rows: readonly Row[]): boolean {
  const [head, first] = rows
  if (!head || !first || head.cells.length !== first.cells.length) return false
  const texts = head.cells.map((cell) => shownText(tree, cell))
  const firstTexts = first.cells.map((cell) => shownText(tree, cell))
  const isPlain = texts.every((text) => text.length <= 40 && !/\d{2}/.test(text))
  return isPlain && firstTexts.some((text) => /\d/.test(text)) && texts.filter(Boolean).length >= 2
}
