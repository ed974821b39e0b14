import type { Blocks } from '../../src/content/main-content/blocks.ts'
import { isText, type Tree, textAt } from '../../src/content/tree/tree.ts'

/** Returns the text of a block as in the page. */
export function blockText(tree: Tree, blocks: Blocks, block: number): string {
  let text = ''
  const last = blocks.lasts[block] ?? 0
  for (let node = blocks.firsts[block] ?? 0; node < last; node += 1) {
    if (isText(tree, node)) text += textAt(tree, node)
  }
  return text
}
