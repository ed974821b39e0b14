import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, type Tree } from '../tree/tree.ts'
import { type Choice, change } from './block-selection.ts'
import { type Blocks, blocksIn } from './blocks.ts'
import { type Evidence, elementOfBlock } from './page-analysis.ts'
import { isHeading } from './page-facts.ts'

/** If this share of a table is kept, the whole table is content; lost cells are worse than a few extra ones. */
const enough = 0.3

/** A table with holes is worth less than a whole one or none. */
export function keepWholeTables(choice: Choice, { tree, blocks }: Evidence): void {
  for (let node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] !== tag.table || !isOfData(tree, blocks, node)) continue
    const [from, to] = blocksIn(tree, blocks, node)
    let [kept, all] = [0, 0]
    for (let block = from; block < to; block += 1) {
      const words = Math.max(1, blocks.words[block] ?? 0)
      all += words
      if (choice.kept[block] === 1) kept += words
    }
    for (let block = from; block < to; block += 1) change(choice, block, kept >= all * enough, 'whole table')
    node = (tree.ends[node] ?? 0) - 1
  }
}

/** A cell that says more than this is a part of a page. */
const longestCell = 120

/** Tables that arrange a page hold other tables, headings or long texts, or have one column. */
export function isOfData(tree: Tree, blocks: Blocks, table: Node): boolean {
  const role = attribute(tree, table, attr.role)
  if (role === 'presentation' || role === 'none') return false
  const end = tree.ends[table] ?? 0
  let [rows, cells] = [0, 0]
  for (let node = table + 1; node < end; node += 1) {
    const name = tree.tags[node] ?? 0
    if (name === tag.table) return false
    if (name === tag.tr) rows += 1
    else if (name === tag.td || name === tag.th) cells += 1
  }
  if (rows < 2 || cells < rows * 1.5) return false
  for (let block = blocks.before[table] ?? 0; block < (blocks.before[end] ?? 0); block += 1) {
    if ((blocks.words[block] ?? 0) > longestCell || isHeading(tree.tags[elementOfBlock(blocks, block)] ?? 0))
      return false
  }
  return true
}
