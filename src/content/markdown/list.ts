import { attr, tag, tagSet } from '../tree/names.ts'
import { attribute, endOf, findChild, isBlankText, type Node, none, type Tree } from '../tree/tree.ts'
import { type BlockWriter, writeBlock, writeInside } from './block-writer.ts'
import { beginningOf, codeSpan } from './code.ts'
import { blockBit, noteBit, signatureBit, silentBit } from './facts.ts'
import { writeFootnote } from './footnotes.ts'
import { isHeading } from './link.ts'
import { renderSignatureLine } from './listing.ts'
import { hasText } from './scan.ts'
import type { Context, Writer } from './writer.ts'

interface List {
  isOrdered: boolean
  sign: string
  number: number
  indent: string
  items: number
  isLoose: boolean
  hasSections: boolean
}

export function writeList(writer: Writer, node: Node, context: Context): void {
  const { tree, output } = writer
  const isOrdered = tree.tags[node] === tag.ol
  const list: List = {
    isOrdered,
    sign: listMarker(output, isOrdered),
    number: parseListNumber(attribute(tree, node, attr.start)) ?? 1,
    indent: '  ',
    items: 0,
    isLoose: false,
    hasSections:
      findChild(tree, node, (at) => tree.tags[at] === tag.li && isCard(writer, at, minSectionLength)) !==
      none,
  }
  // A list directly follows the text of its item, unless it would be parsed as part of that text.
  const canFollowText = (!isOrdered || list.number === 1) && startsWithText(writer, node)
  if (context.isInItem && output.markers === '' && canFollowText) output.gap = 1
  writeEntries(writer, node, list, { ...context, level: context.level + 1, isInItem: true })
  output.gap = 2
  output.lastList = { count: output.count, sign: list.sign, isOfTerms: false }
}

const enteredBlocks = tagSet('ul ol menu dir li div p section article')

/** Some Markdown parsers fail if an item directly below a text begins with another block. */
function startsWithText({ tree, facts }: Writer, list: Node): boolean {
  const end = endOf(tree, list)
  for (let at = list + 1; at < end; ) {
    const name = tree.tags[at] ?? 0
    const fact = facts[at] ?? 0
    if ((fact & silentBit) !== 0 || isBlankText(tree, at)) at = endOf(tree, at)
    else if (name === tag.ol) return false
    else if ((fact & blockBit) !== 0 && enteredBlocks[name] === 1) at += 1
    else return (fact & blockBit) === 0
  }
  return true
}

/** Directly after another list, a list with the same marker would be parsed as part of it. */
export function listMarker({ lastList, count, markers }: BlockWriter, isOrdered: boolean): string {
  const [usual, other] = isOrdered ? ['.', ')'] : ['-', '*']
  const followsList = count > 0 && lastList.count === count && markers === ''
  return (followsList && lastList.sign === usual ? other : usual) ?? ''
}

export const lists = tagSet('ul ol menu dir')

function writeEntries(writer: Writer, parent: Node, list: List, context: Context): void {
  const { tree, facts, output } = writer
  const end = endOf(tree, parent)
  for (let at = parent + 1; at < end; at = endOf(tree, at)) {
    const name = tree.tags[at] ?? 0
    const fact = facts[at] ?? 0
    if ((fact & silentBit) !== 0 || isBlankText(tree, at)) continue
    const label = (fact & noteBit) !== 0 ? writer.notes.labels.get(at) : undefined
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
      writeInside(output, list.indent, list.indent, () => writer.writeBlocks(at, endOf(tree, at), context))
    } else if (lists[name] !== 1 && containsItems(tree, at)) writeEntries(writer, at, list, context)
    else writeItem(writer, at, endOf(tree, at), at, list, context)
  }
}

/** Writes leading lists as items of the outer list, because two bullets in a row look like an empty item. */
function writeLeadingLists(writer: Writer, item: Node, list: List, context: Context): Node {
  const { tree } = writer
  for (let from = item + 1; ; ) {
    const innerList = findLeadingList(writer, from, endOf(tree, item), list)
    if (innerList === none) return from
    writeEntries(writer, innerList, list, context)
    from = endOf(tree, innerList)
  }
}

function findLeadingList({ tree, facts }: Writer, from: Node, end: Node, { isOrdered }: List): Node {
  for (let at = from; at < end; ) {
    const name = tree.tags[at] ?? 0
    if (((facts[at] ?? 0) & silentBit) !== 0 || isBlankText(tree, at)) at = endOf(tree, at)
    else if (lists[name] === 1) return (name === tag.ol) === isOrdered ? at : none
    else if (name === tag.div || name === tag.p) at += 1
    else return none
  }
  return none
}

const wrappers = tagSet('a article div section header hgroup figure')
const minSectionLength = 250

function isCard({ tree, facts }: Writer, item: Node, minLength: number): boolean {
  const end = endOf(tree, item)
  let heading = none
  for (let at = item + 1; at < end; ) {
    const isIgnored = ((facts[at] ?? 0) & silentBit) !== 0 || isBlankText(tree, at)
    if (heading === none && !isIgnored && isHeading(tree, at)) heading = at
    if (isIgnored || heading === at) at = endOf(tree, at)
    else if (wrappers[tree.tags[at] ?? 0] === 1) at += 1
    else return heading !== none && beginningOf(tree, item, minLength).length >= minLength
  }
  return false
}

function writeSection(writer: Writer, item: Node, list: List, context: Context): void {
  const { tree, output } = writer
  output.gap = 2
  writer.writeBlocks(item + 1, endOf(tree, item), { ...context, isInItem: false })
  output.gap = 2
  list.isLoose = true
  list.number += 1
}

const containsItems = (tree: Tree, node: Node) =>
  findChild(tree, node, (at) => tree.tags[at] === tag.li) !== none

function writeItem(writer: Writer, from: Node, end: Node, item: Node, list: List, context: Context): void {
  const { tree, output } = writer
  const number = parseListNumber(attribute(tree, item, attr.value)) ?? list.number
  const marker = list.isOrdered ? `${number}${list.sign} ` : `${list.sign} `
  const indent = ' '.repeat(marker.length)
  if (list.items > 0) output.gap = list.isLoose ? 2 : 1
  const emptyLinesBefore = output.emptyLines + (output.gap === 2 && output.count > 0 ? 1 : 0)
  const isDeclared = ((writer.facts[item] ?? 0) & signatureBit) !== 0
  const write = isDeclared
    ? () => writeBlock(output, codeSpan(renderSignatureLine(writer, item)))
    : () => writer.writeBlocks(from, end, context)
  if (!writeInside(output, marker, indent, write)) return
  list.items += 1
  list.isLoose = output.emptyLines > emptyLinesBefore
  list.indent = indent
  list.number = number + 1
}

function parseListNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number.parseInt(text, 10) : undefined
}
