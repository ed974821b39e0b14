import { tag } from '../tree/names.ts'
import { classOf, endOf, type Node, type Tree, textAt } from '../tree/tree.ts'
import { writeBlock, writeInside } from './block-writer.ts'
import type { Callout } from './callout-kind.ts'
import { isSilent } from './facts.ts'
import { isHeading } from './link.ts'
import { strong } from './marks.ts'
import type { Context, Writer } from './writer.ts'

/** A callout as a quote that says its kind first; a title that says no more than the kind is left out. */
export function writeCallout(writer: Writer, node: Node, callout: Callout, context: Context): void {
  const { tree, output, facts } = writer
  const { kind, title, isTitleSaid } = callout
  const inner = { ...context, level: context.level + 1, isInItem: false }
  writeInside(output, '> ', '> ', () => {
    writeBlock(output, `[!${kind}]`)
    output.gap = 1
    if (title !== undefined) {
      // What finds its way by headings looks for it, whatever it says.
      const isSection = isHeading(tree, title)
      const from = isSection ? title : title + 1
      if (isSection || !isTitleSaid)
        writer.blocks(from, endOf(tree, title), { ...inner, marks: inner.marks | strong })
      facts[title] = isSilent
    }
    const table = tableAround(tree, node)
    if (table === undefined) writer.blocks(node + 1, endOf(tree, node), inner)
    else for (const cell of textCells(writer, table)) writer.blocks(cell + 1, endOf(tree, cell), inner)
  })
  output.gap = 2
}

/** Some put a sign beside the text, in a table of two cells. */
function tableAround(tree: Tree, node: Node): Node | undefined {
  const end = endOf(tree, node)
  let found: Node | undefined
  for (let at = node + 1; at < end; at = endOf(tree, at)) {
    if (tree.tags[at] === 0 && textAt(tree, at).trim() === '') continue
    if (found !== undefined || tree.tags[at] !== tag.table) return undefined
    found = at
  }
  return found
}

function textCells({ tree, facts }: Writer, table: Node): Node[] {
  const cells: Node[] = []
  const end = endOf(tree, table)
  for (let at = table + 1; at < end; ) {
    const isCell = tree.tags[at] === tag.td || tree.tags[at] === tag.th
    const isSilenced = ((facts[at] ?? 0) & isSilent) !== 0
    const isFirst = cells.length === 0
    if (isCell && !isSilenced && !(isFirst && isSign(tree, at))) cells.push(at)
    at = isCell || isSilenced ? endOf(tree, at) : at + 1
  }
  return cells
}

/** The first cell, if it has nothing but a picture of what the kind says. */
function isSign(tree: Tree, cell: Node): boolean {
  if (/(?:^|\s)icon(?:\s|$)/.test(classOf(tree, cell) ?? '')) return true
  const end = endOf(tree, cell)
  for (let at = cell + 1; at < end; at += 1) {
    if (tree.tags[at] === 0 && textAt(tree, at).trim() !== '') return false
  }
  return true
}
