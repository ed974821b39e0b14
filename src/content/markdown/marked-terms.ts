import { tag } from '../tree/names.ts'
import { endOf, type Node, textAt } from '../tree/tree.ts'
import { writeInside } from './block-writer.ts'
import { isSilent } from './facts.ts'
import { signFor } from './list.ts'
import { isBlank } from './visible.ts'
import type { Context, Writer } from './writer.ts'

const bullet = /^[•◦▪‣·*o+–-]$/
const number = /^(\d{1,3})([.)])$/
const letter = /^\(?[a-z\d]{1,4}[.)]$/i

/** The terms and definitions of a list that has the marks of items where terms stand, as man pages have; or nothing. */
export function markedTerms(writer: Writer, list: Node): Node[] | undefined {
  const { tree, facts } = writer
  const end = endOf(tree, list)
  const found: Node[] = []
  let [terms, definitions] = [0, 0]
  for (let at = list + 1; at < end; at = endOf(tree, at)) {
    const name = tree.tags[at] ?? 0
    if (((facts[at] ?? 0) & isSilent) !== 0 || (name === 0 && isBlank(tree, at))) continue
    if (name === tag.dd) definitions += 1
    else if (name !== tag.dt) return undefined
    else {
      const mark = markOf(writer, at)
      if (mark === undefined) return undefined
      if (mark !== '') terms += 1
    }
    found.push(at)
  }
  return terms > 0 && definitions >= terms ? found : undefined
}

/** The mark that is all a term holds, nothing for a term of another kind; a term in bold is one, whatever it says. */
function markOf({ tree }: Writer, term: Node): string | undefined {
  const end = endOf(tree, term)
  let text = ''
  for (let at = term + 1; at < end; at += 1) {
    if (tree.tags[at] !== 0) return undefined
    text += textAt(tree, at)
    if (text.length > 40) return undefined
  }
  const mark = text.trim()
  return mark === '' || bullet.test(mark) || number.test(mark) || letter.test(mark) ? mark : undefined
}

/** Writes such terms and definitions as the items that they are. */
export function writeMarkedTerms(writer: Writer, nodes: readonly Node[], context: Context): void {
  const { tree, output } = writer
  const first = markOf(writer, nodes[0] ?? 0) ?? ''
  const isOrdered = number.test(first)
  const sign = signFor(output, isOrdered)
  const itemSign = isOrdered ? '-' : sign
  const inner = { ...context, level: context.level + 1, isInItem: true }
  let marker = ''
  let indent = ''
  let items = 0
  let isLoose = false
  if (context.isInItem && output.markers === '') output.gap = 1
  for (const node of nodes) {
    if (tree.tags[node] === tag.dt) {
      const mark = markOf(writer, node) ?? ''
      const numbered = number.exec(mark)
      if (mark === '') marker = indent
      else if (numbered !== null && isOrdered) marker = `${Number(numbered[1])}${sign} `
      else marker = bullet.test(mark) ? `${itemSign} ` : `${itemSign} ${mark} `
      if (mark !== '') indent = ' '.repeat(marker.indexOf(' ') + 1)
      continue
    }
    if (items > 0 && marker !== indent) output.gap = isLoose ? 2 : 1
    const before: number = output.emptyLines + (output.gap === 2 && output.count > 0 ? 1 : 0)
    const isWritten = writeInside(output, marker, indent, () =>
      writer.blocks(node + 1, endOf(tree, node), inner),
    )
    if (isWritten) items += 1
    isLoose = output.emptyLines > before
    // A second definition belongs to the same item.
    marker = indent
  }
  output.gap = 2
  output.lastList = { count: output.count, sign }
}
