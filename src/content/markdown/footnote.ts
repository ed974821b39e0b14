import { endOf, type Node } from '../tree/tree.ts'
import { writeInside } from './block-writer.ts'
import type { Context, Writer } from './writer.ts'

/** Writes the text of a footnote at its position on the page. */
export function writeFootnote(writer: Writer, node: Node, label: string, context: Context): void {
  const inner = { ...context, level: context.level + 1, isInItem: false }
  writeInside(writer.output, `[^${label}]: `, '    ', () =>
    writer.writeBlocks(node + 1, endOf(writer.tree, node), inner),
  )
}
