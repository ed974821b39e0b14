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
