import { endOf, type Node } from '../tree/tree.ts'
import { writeInside } from './block-writer.ts'
import type { Context, Writer } from './writer.ts'

/** The text of a footnote, where it stands on the page. */
export function writeFootnote(writer: Writer, node: Node, label: string, context: Context): void {
  const inner = { ...context, level: context.level + 1, isInItem: false }
  writeInside(writer.output, `[^${label}]: `, '    ', () =>
    writer.blocks(node + 1, endOf(writer.tree, node), inner),
  )
}
