import { attr, tag, tagSet } from '../tree/names.ts'
import { attribute, endOf, type Node, none, type Tree, textAt } from '../tree/tree.ts'
import { type BlockWriter, writeBlock, writeInside } from './block-writer.ts'
import { beginningOf, codeSpan } from './code.ts'
import { isBlock, isNote, isSignature, isSilent } from './facts.ts'
import { writeFootnote } from './footnote.ts'
import { isHeading } from './link.ts'
import { signatureLine } from './listing.ts'
import { hasText } from './scan.ts'
import type { Context, Writer } from './writer.ts'

interface List {
  isOrdered: boolean
  /** What stands behind a number, or for one. */
  sign: string
  number: number
  indent: string
  items: number
  /** The last item has empty lines between its blocks, so one follows it too. */
  isLoose: boolean
  /** One of its items is a long card; all cards of a list are written alike. */
  hasSections: boolean
}

/** A list with its items; nested lists are indented under the item they belong to. */
export function writeList(writer: Writer, node: Node, context: Context): void {
  const { tree, output } = writer
  const isOrdered = tree.tags[node] === tag.ol
  const list: List = {
    isOrdered,
    sign: listMarker(output, isOrdered),
    number: integer(attribute(tree, node, attr.start)) ?? 1,
    indent: '  ',
    items: 0,
    isLoose: false,
    hasSections: hasSection(writer, node),
  }
  // A list follows the text of its item closely, unless it would be read as a part of that text.
  const isClear = (!isOrdered || list.number === 1) && startsWithText(writer, node)
  if (context.isInItem && output.markers === '' && isClear) output.gap = 1
  writeEntries(writer, node, list, { ...context, level: context.level + 1, isInItem: true })
  output.gap = 2
  output.lastList = { count: output.count, sign: list.sign }
}

const openBlocks = tagSet('ul ol menu dir li div p section article')

/** Some readers of Markdown lose their way when an item right below a text begins with another block. */
function startsWithText({ tree, facts }: Writer, list: Node): boolean {
  const end = endOf(tree, list)
  for (let at = list + 1; at < end; ) {
    const name = tree.tags[at] ?? 0
    const fact = facts[at] ?? 0
    if ((fact & isSilent) !== 0 || (name === 0 && textAt(tree, at).trim() === '')) at = endOf(tree, at)
    else if (name === tag.ol) return false
    else if ((fact & isBlock) !== 0 && openBlocks[name] === 1) at += 1
    else return (fact & isBlock) === 0
  }
  return true
}

/** Right below another list one with the same marks would be read as a part of it. */
export function listMarker({ lastList, count, markers }: BlockWriter, isOrdered: boolean): string {
  const [usual, other] = isOrdered ? ['.', ')'] : ['-', '*']
  const isBelow = count > 0 && lastList.count === count && markers === ''
  return (isBelow && lastList.sign === usual ? other : usual) ?? ''
}

const lists = tagSet('ul ol menu dir')

/**
 * Items, and what authors put beside them: a list inside a list without an item, items inside a wrapper, bare
 * text.
 */
function writeEntries(writer: Writer, parent: Node, list: List, context: Context): void {
  const { tree, facts, output } = writer
  const end = endOf(tree, parent)
  for (let at = parent + 1; at < end; at = endOf(tree, at)) {
    const name = tree.tags[at] ?? 0
    const fact = facts[at] ?? 0
    if ((fact & isSilent) !== 0 || (name === 0 && textAt(tree, at).trim() === '')) continue
    const label = (fact & isNote) !== 0 ? writer.notes.labels.get(at) : undefined
    if (label !== undefined) {
      output.gap = 2
      writeFootnote(writer, at, label, context)
    } else if (name === tag.li && list.hasSections && isCard(writer, at, 0))
      writeSection(writer, at, list, context)
    else if (name === tag.li) {
      const from = writeLeadingLists(writer, at, list, context)
      const stop = endOf(tree, at)
      if (from === at + 1 || hasText(tree, facts, from, stop)) {
        writeItem(writer, from, stop, at, list, context)
      }
    } else if (lists[name] === 1 && list.items > 0) {
      output.gap = 1
      writeInside(output, list.indent, list.indent, () => writer.blocks(at, endOf(tree, at), context))
    } else if (lists[name] !== 1 && holdsItems(tree, at)) writeEntries(writer, at, list, context)
    else writeItem(writer, at, endOf(tree, at), at, list, context)
  }
}

/**
 * Writes the items of the lists that an item begins with: a bullet behind a bullet reads as a hole, and they
 * stand for it. Gives the node behind them.
 */
function writeLeadingLists(writer: Writer, item: Node, list: List, context: Context): Node {
  const { tree } = writer
  const end = endOf(tree, item)
  let from = item + 1
  for (let inner = leadingList(writer, from, end, list); inner !== none; ) {
    writeEntries(writer, inner, list, context)
    from = endOf(tree, inner)
    inner = leadingList(writer, from, end, list)
  }
  return from
}

/** The list of the same kind that stands first between two nodes, or `none`. */
function leadingList({ tree, facts }: Writer, from: Node, end: Node, { isOrdered }: List): Node {
  for (let at = from; at < end; ) {
    const name = tree.tags[at] ?? 0
    const isNothing = ((facts[at] ?? 0) & isSilent) !== 0 || (name === 0 && textAt(tree, at).trim() === '')
    if (isNothing) at = endOf(tree, at)
    else if (lists[name] === 1) return (name === tag.ol) === isOrdered ? at : none
    else if (name === tag.div || name === tag.p) at += 1
    else return none
  }
  return none
}

const wrappers = tagSet('a article div section header hgroup figure')

/** Characters from which on a card is too long for an item. */
const longCard = 250

function hasSection(writer: Writer, list: Node): boolean {
  const { tree } = writer
  const end = endOf(tree, list)
  for (let at = list + 1; at < end; at = endOf(tree, at)) {
    if (tree.tags[at] === tag.li && isCard(writer, at, longCard)) return true
  }
  return false
}

/** Whether an item is a card of at least `least` characters: a heading, and more below it. */
function isCard({ tree, facts }: Writer, item: Node, least: number): boolean {
  const end = endOf(tree, item)
  let heading = none
  for (let at = item + 1; at < end; ) {
    const name = tree.tags[at] ?? 0
    const isNothing = ((facts[at] ?? 0) & isSilent) !== 0 || (name === 0 && textAt(tree, at).trim() === '')
    if (heading === none && !isNothing && isHeading(tree, at)) heading = at
    if (isNothing || heading === at) at = endOf(tree, at)
    else if (wrappers[name] === 1) at += 1
    else return heading !== none && beginningOf(tree, item, least).length >= least
  }
  return false
}

/** To many readers a heading behind a bullet is none, so a long card is written as a section. */
function writeSection(writer: Writer, item: Node, list: List, context: Context): void {
  const { tree, output } = writer
  output.gap = 2
  writer.blocks(item + 1, endOf(tree, item), { ...context, isInItem: false })
  output.gap = 2
  list.isLoose = true
  list.number += 1
}

function holdsItems(tree: Tree, node: Node): boolean {
  const end = endOf(tree, node)
  for (let at = node + 1; at < end; at = endOf(tree, at)) if (tree.tags[at] === tag.li) return true
  return false
}

function writeItem(writer: Writer, from: Node, end: Node, item: Node, list: List, context: Context): void {
  const { tree, output } = writer
  const number = integer(attribute(tree, item, attr.value)) ?? list.number
  const marker = list.isOrdered ? `${number}${list.sign} ` : `${list.sign} `
  const indent = ' '.repeat(marker.length)
  if (list.items > 0) output.gap = list.isLoose ? 2 : 1
  const before = output.emptyLines + (output.gap === 2 && output.count > 0 ? 1 : 0)
  const isDeclared = ((writer.facts[item] ?? 0) & isSignature) !== 0
  const write = isDeclared
    ? () => writeBlock(output, codeSpan(signatureLine(writer, item)))
    : () => writer.blocks(from, end, context)
  if (!writeInside(output, marker, indent, write)) return
  list.items += 1
  list.isLoose = output.emptyLines > before
  list.indent = indent
  list.number = number + 1
}

/** Markdown counts from zero upwards, with at most nine digits. */
function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number.parseInt(text, 10) : undefined
}
