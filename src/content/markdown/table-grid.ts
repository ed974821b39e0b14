import { attr, tag } from '../tree/names.ts'
import { attribute, attributeNamed, type Node, type Tree } from '../tree/tree.ts'

export type Alignment = 'right' | 'center' | undefined

export function getColumnAlignments(tree: Tree, rows: readonly (readonly Node[])[]): Alignment[] {
  if (rows.every((cells) => cells.every((cell) => hasNoAttributes(tree, cell)))) return []
  const columns: (Alignment | 'mixed')[] = []
  const heads: Alignment[] = []
  for (const cells of rows) {
    if (cells.some((cell) => isSpan(tree, cell, attr.rowspan))) return []
    if (cells.some((cell) => isSpan(tree, cell, attr.colspan))) continue
    const isHead = cells.every((cell) => tree.tags[cell] === tag.th)
    for (const [index, cell] of cells.entries()) {
      const alignment = getAlignment(tree, cell)
      if (isHead) heads[index] ??= alignment
      else if (!(index in columns)) columns[index] = alignment
      else if (columns[index] !== alignment) columns[index] = 'mixed'
    }
  }
  return Array.from({ length: Math.max(columns.length, heads.length) }, (_, index) => {
    const column = columns[index] ?? heads[index]
    return column === 'mixed' ? undefined : column
  })
}

const hasNoAttributes = (tree: Tree, cell: Node) => tree.starts[cell] === tree.stops[cell]

function isSpan(tree: Tree, cell: Node, name: number): boolean {
  return Number.parseInt(attribute(tree, cell, name) ?? '1', 10) !== 1
}

const alignmentClass =
  /(?:^|\s)(?:(?:text|halign|align|has-text-align|ta|cell)-)(right|center|centered)(?:\s|$)/

function getAlignment(tree: Tree, cell: Node): Alignment {
  if (hasNoAttributes(tree, cell)) return undefined
  const alignment =
    attribute(tree, cell, attr.style)?.match(/(?:^|[;\s])text-align\s*:\s*(right|center)/i)?.[1] ??
    attributeNamed(tree, cell, 'align') ??
    attribute(tree, cell, attr.class)?.match(alignmentClass)?.[1]
  const side = alignment?.trim().toLowerCase()
  if (side === 'right') return 'right'
  return side === 'center' || side === 'centered' ? 'center' : undefined
}

export const getColumnDelimiter = (alignment: Alignment) =>
  alignment === 'right' ? '---:' : alignment === 'center' ? ':---:' : '---'

interface TableCell {
  text: string
  columns: number
  rows: number
  namesColumns: boolean
}

/** Cells that span columns are followed by empty ones, except headers. Cells that span rows are repeated in each. */
export function toGrid(rows: readonly TableCell[][]): string[][] {
  const cellCount = rows.reduce((count, cells) => count + cells.length, 0)
  // Bounds the number of filler cells, so that a few spans of a thousand do not fill a table.
  let budget = cellCount * 3 + 1000
  let spanningCells: ({ text: string; remainingRows: number } | undefined)[] = []
  return rows.map((cells) => {
    const line: string[] = []
    const nextSpanningCells: typeof spanningCells = []
    const addSpanning = (text: string, remainingRows: number) => {
      if (remainingRows > 0) nextSpanningCells[line.length] = { text, remainingRows }
    }
    const writeSpanningCells = () => {
      for (let cell = spanningCells[line.length]; cell && budget > 0; cell = spanningCells[line.length]) {
        budget -= 1
        addSpanning(cell.text, cell.remainingRows - 1)
        line.push(cell.text)
      }
    }
    for (const cell of cells) {
      writeSpanningCells()
      const columns = Math.min(cell.columns, budget + 1)
      for (let column = 0; column < columns; column += 1) {
        const text = column === 0 || cell.namesColumns ? cell.text : ''
        addSpanning(text, cell.rows - 1)
        line.push(text)
      }
      budget -= columns - 1
    }
    writeSpanningCells()
    spanningCells = nextSpanningCells
    return line
  })
}
