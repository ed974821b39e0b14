import { attr, tag } from '../tree/names.ts'
import { attribute, attributeNamed, type Node, type Tree } from '../tree/tree.ts'

export type Alignment = 'right' | 'center' | undefined

/** How each column is aligned: as all cells below its head say, or as its head does where they say nothing. */
export function columnAlignments(tree: Tree, rows: readonly (readonly Node[])[]): Alignment[] {
  if (rows.every((cells) => cells.every((cell) => isPlain(tree, cell)))) return []
  const columns: (Alignment | 'mixed')[] = []
  const heads: Alignment[] = []
  for (const cells of rows) {
    // What spans rows or columns moves the others out of their place.
    if (cells.some((cell) => isSpan(tree, cell, attr.rowspan))) return []
    if (cells.some((cell) => isSpan(tree, cell, attr.colspan))) continue
    const isHead = cells.every((cell) => tree.tags[cell] === tag.th)
    for (const [index, cell] of cells.entries()) {
      const alignment = alignmentOf(tree, cell)
      if (isHead) heads[index] ??= alignment
      else if (!(index in columns)) columns[index] = alignment
      else if (columns[index] !== alignment) columns[index] = 'mixed'
    }
  }
  const width = Math.max(columns.length, heads.length)
  return Array.from({ length: width }, (_, index) => {
    const column = columns[index] ?? heads[index]
    return column === 'mixed' ? undefined : column
  })
}

const isPlain = (tree: Tree, cell: Node) => tree.starts[cell] === tree.stops[cell]

function isSpan(tree: Tree, cell: Node, name: number): boolean {
  return Number.parseInt(attribute(tree, cell, name) ?? '1', 10) !== 1
}

const classNames = /(?:^|\s)(?:(?:text|halign|align|has-text-align|ta|cell)-)(right|center|centered)(?:\s|$)/

function alignmentOf(tree: Tree, cell: Node): Alignment {
  if (isPlain(tree, cell)) return undefined
  const said =
    attribute(tree, cell, attr.style)?.match(/(?:^|[;\s])text-align\s*:\s*(right|center)/i)?.[1] ??
    attributeNamed(tree, cell, 'align') ??
    attribute(tree, cell, attr.class)?.match(classNames)?.[1]
  const side = said?.trim().toLowerCase()
  if (side === 'right') return 'right'
  return side === 'center' || side === 'centered' ? 'center' : undefined
}

export const delimiterOf = (alignment: Alignment) =>
  alignment === 'right' ? '---:' : alignment === 'center' ? ':---:' : '---'

export interface TableCell {
  text: string
  columns: number
  rows: number
  /** It names its columns, so each of them has its text. */
  namesColumns?: boolean
}

/**
 * Rows of cells as a grid. A cell that spans columns is followed by empty ones, unless it names them; one
 * that spans rows is repeated, so that each row can be read by itself.
 */
export function spanned(rows: readonly TableCell[][]): string[][] {
  const real = rows.reduce((count, cells) => count + cells.length, 0)
  // A few spans of a thousand must not make a table that is all filling.
  let budget = real * 3 + 1000
  let hanging: (Hanging | undefined)[] = []
  return rows.map((cells) => {
    const line: string[] = []
    const below: (Hanging | undefined)[] = []
    const hang = (text: string, rowsLeft: number) => {
      if (rowsLeft > 0) below[line.length] = { text, rowsLeft }
    }
    const takeHanging = () => {
      for (let cell = hanging[line.length]; cell && budget > 0; cell = hanging[line.length]) {
        budget -= 1
        hang(cell.text, cell.rowsLeft - 1)
        line.push(cell.text)
      }
    }
    for (const cell of cells) {
      takeHanging()
      const columns = Math.min(cell.columns, budget + 1)
      for (let column = 0; column < columns; column += 1) {
        const text = column === 0 || cell.namesColumns === true ? cell.text : ''
        hang(text, cell.rows - 1)
        line.push(text)
      }
      budget -= columns - 1
    }
    takeHanging()
    hanging = below
    return line
  })
}

interface Hanging {
  text: string
  rowsLeft: number
}
