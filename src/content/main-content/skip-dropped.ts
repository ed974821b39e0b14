import { tag } from '../tree/names.ts'
import { classOf, type Node, root, type Tree } from '../tree/tree.ts'
import type { Blocks } from './blocks.ts'

/**
 * The nodes that go with the blocks that are left out: whole elements where nothing in them is kept, else the
 * texts themselves. What holds no text, as an image, stays where the text beside it stays.
 */
export function skipDropped(tree: Tree, blocks: Blocks, kept: Uint8Array): Uint8Array {
  const skipped = new Uint8Array(tree.count)
  const keptBefore = new Int32Array(blocks.count + 1)
  for (let block = 0; block < blocks.count; block += 1) {
    keptBefore[block + 1] = (keptBefore[block] ?? 0) + (kept[block] ?? 0)
  }
  for (let node = 1; node < tree.count; node += 1) {
    const end = tree.ends[node] ?? 0
    const from = blocks.before[node] ?? 0
    const to = blocks.before[end] ?? 0
    if (tree.tags[node] === 0) skipped[node] = isKeptText(blocks, kept, node) ? 0 : 1
    else if (from < to) skipped[node] = keptBefore[from] === keptBefore[to] ? 1 : 0
    else if (isInKept(blocks, kept, node)) continue
    else skipped[node] = isBesideKept(tree, blocks, kept, node) && !isLabelledStep(tree, node) ? 0 : 1
    if (skipped[node] === 1) node = end - 1
  }
  return skipped
}

/** A text belongs to the block that began last, unless that has ended; then it is blank and does no harm. */
function isKeptText(blocks: Blocks, kept: Uint8Array, node: number): boolean {
  const block = (blocks.before[node + 1] ?? 0) - 1
  return block < 0 || (blocks.lasts[block] ?? 0) <= node || kept[block] === 1
}

/** Everything between the first and the last text of a block is part of it, at any depth. */
function isInKept(blocks: Blocks, kept: Uint8Array, node: number): boolean {
  const block = (blocks.before[node] ?? 0) - 1
  return block >= 0 && (blocks.lasts[block] ?? 0) > node && kept[block] === 1
}

/** Site builders put a picture into wrappers of its own, one for each of their grids; the text beside it stands further up. */
const levelsAround = 12

/** Whether the text before or behind an element without text is kept and stands in the same element. */
function isBesideKept(tree: Tree, blocks: Blocks, kept: Uint8Array, node: number): boolean {
  const next = blocks.before[node] ?? 0
  let parent = tree.parents[node] ?? root
  for (let level = 0; level < levelsAround; level += 1) {
    const from = blocks.before[parent] ?? 0
    const to = blocks.before[tree.ends[parent] ?? 0] ?? 0
    if (from < to) {
      return (next - 1 >= from && kept[next - 1] === 1) || (next < to && kept[next] === 1)
    }
    parent = tree.parents[parent] ?? root
  }
  return false
}

const stepNames = /(?:^|[\s_-])(?:prev(?:ious)?|next)(?:$|[\s_-])/i

/** A link to the page before or the next one that shows a sign and says in a label where it leads. */
function isLabelledStep(tree: Tree, node: Node): boolean {
  return tree.tags[node] === tag.a && stepNames.test(classOf(tree, node) ?? '')
}
