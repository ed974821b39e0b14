import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, type Tree } from '../tree/tree.ts'
import { type Choice, setKept } from './block-selection.ts'
import { type Blocks, getBlockRange } from './blocks.ts'
import { type Evidence, elementOfBlock } from './page-analysis.ts'
import { isHeading } from './page-facts.ts'

/** If at least this share is kept, the whole table is: lost cells are worse than a few extra ones. */
const minKeptShare = 0.3

/** Keeps or drops each data table as a whole, because a table with missing cells is misleading. */
export function keepWholeTables(choice: Choice, { tree, blocks }: Evidence): void {
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] !== tag.table || !isDataTable(tree, blocks, node)) continue
    const [from, to] = getBlockRange(tree, blocks, node)
    let [keptWords, totalWords] = [0, 0]
    for (let block = from; block < to; block += 1) {
      const words = Math.max(1, blocks.words[block] ?? 0)
      totalWords += words
      if (choice.kept[block] === 1) keptWords += words
    }
    for (let block = from; block < to; block += 1)
      setKept(choice, block, keptWords >= totalWords * minKeptShare, 'whole table')
    node = (tree.ends[node] ?? 0) - 1
  }
}

const maxCellWords = 120

/** Returns true for a data table. Layout tables contain other tables, headings or long texts, or have one column. */
export function isDataTable(tree: Tree, blocks: Blocks, table: Node): boolean {
  const role = attribute(tree, table, attr.role)
  if (role === 'presentation' || role === 'none') return false
  const end = tree.ends[table] ?? 0
  let [rows, cells] = [0, 0]
  for (let node = table + 1; node < end; node += 1) {
    const tagId = tree.tags[node] ?? 0
    if (tagId === tag.table) return false
    if (tagId === tag.tr) rows += 1
    else if (tagId === tag.td || tagId === tag.th) cells += 1
  }
  if (rows < 2 || cells < rows * 1.5) return false
  for (let block = blocks.before[table] ?? 0; block < (blocks.before[end] ?? 0); block += 1) {
    if ((blocks.words[block] ?? 0) > maxCellWords || isHeading(tree.tags[elementOfBlock(blocks, block)] ?? 0))
      return false
  }
  return true
}
