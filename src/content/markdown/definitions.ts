import { tag, tagSet } from '../tree/names.ts'
import {
  endOf,
  findChild,
  findNode,
  findOnlyChild,
  isBlankText,
  type Node,
  none,
  type Tree,
} from '../tree/tree.ts'
import { writeBlock, writeInside } from './block-writer.ts'
import { escapeLineStart } from './escape.ts'
import { noteBit, silentBit } from './facts.ts'
import { writeFootnote } from './footnotes.ts'
import { isHeading } from './link.ts'
import { listMarker } from './list.ts'
import type { Context, Writer } from './writer.ts'

interface Definitions {
  /** Bullet of terms inside a definition. Two indents instead would make later paragraphs code blocks. */
  bullet: string
  hasTerm: boolean
  isAfterDefinition: boolean
  entries: number
}

/** Writes terms on separate lines, and each definition after a colon, which is Markdown definition list syntax. */
export function writeDefinitions(writer: Writer, node: Node, context: Context): void {
  if (isContents(writer, node)) {
    writeContents(writer, node, { ...context, level: context.level + 1, isInItem: true })
    return
  }
  const { output } = writer
  const { lastList } = output
  // API references have a separate list of terms for each member of a class: write them as one list.
  const continuesList = lastList.isOfTerms && lastList.count === output.count
  const character = continuesList ? lastList.sign : listMarker(output, false)
  const bullet = context.isInDefinition ? `${character} ` : ''
  writeTerms(writer, node, { bullet, hasTerm: false, isAfterDefinition: true, entries: 0 }, context)
  output.gap = 2
  if (bullet !== '') output.lastList = { count: output.count, sign: character, isOfTerms: true }
}

function writeTerms(writer: Writer, parent: Node, definitions: Definitions, context: Context): void {
  const { tree, facts, output } = writer
  const end = endOf(tree, parent)
  let otherStart = none
  for (let at = parent + 1; at < end; at = endOf(tree, at)) {
    const name = tree.tags[at] ?? 0
    if (((facts[at] ?? 0) & silentBit) !== 0 || isBlankText(tree, at)) continue
    const isTerm = name === tag.dt || name === tag.dd || containsTerms(tree, at)
    if (!isTerm) {
      if (otherStart === none) otherStart = at
      continue
    }
    if (otherStart !== none) {
      writeOther(writer, otherStart, at, context)
      definitions.isAfterDefinition = true
    }
    otherStart = none
    const label =
      name === tag.dd && ((facts[at] ?? 0) & noteBit) !== 0 ? writer.notes.labels.get(at) : undefined
    if (label !== undefined) {
      output.gap = 2
      writeFootnote(writer, at, label, context)
    } else if (name === tag.dt && startsWithHeading(tree, at)) {
      writeOther(writer, at + 1, endOf(tree, at), context)
      definitions.hasTerm = false
    } else if (name === tag.dt) {
      const text = writer.writeTerm(at, context)
      if (text === '') continue
      if (definitions.entries > 0) output.gap = definitions.isAfterDefinition ? 2 : 1
      const marker = definitions.isAfterDefinition ? definitions.bullet : getIndent(definitions)
      writeInside(output, marker, getIndent(definitions), () => writeBlock(output, escapeLineStart(text)))
      definitions.entries += 1
      definitions.hasTerm = true
      definitions.isAfterDefinition = false
    } else if (name === tag.dd) {
      if (definitions.entries > 0) output.gap = definitions.hasTerm ? 1 : 2
      writeDefinition(writer, at, definitions, context)
      definitions.entries += 1
      definitions.isAfterDefinition = true
    } else writeTerms(writer, at, definitions, context)
  }
  writeOther(writer, otherStart, end, context)
}

/** Terms of a table of contents define nothing. The parser bounds the depth of a tree, so recursion is safe. */
function isContents(writer: Writer, node: Node): boolean {
  const { tree, facts } = writer
  const end = endOf(tree, node)
  let terms = 0
  for (let at = node + 1; at < end; at = endOf(tree, at)) {
    const name = tree.tags[at] ?? 0
    if (((facts[at] ?? 0) & silentBit) !== 0 || isBlankText(tree, at)) continue
    if (name === tag.dt && !startsWithHeading(tree, at)) terms += 1
    else if (name !== tag.dd) return false
    else {
      const inner = findOnlyTerms(tree, at)
      if (inner === none || !isContents(writer, inner)) return false
    }
  }
  return terms > 0
}

function findOnlyTerms(tree: Tree, definition: Node): Node {
  const terms = findOnlyChild(tree, definition)
  return tree.tags[terms] === tag.dl ? terms : none
}

function writeContents(writer: Writer, node: Node, context: Context): void {
  const { tree, facts, output } = writer
  const end = endOf(tree, node)
  const start = output.count
  if (context.level > 1 && output.markers === '') output.gap = 1
  for (let at = node + 1; at < end; at = endOf(tree, at)) {
    if (((facts[at] ?? 0) & silentBit) !== 0 || isBlankText(tree, at)) continue
    if (output.count > start) output.gap = 1
    if (tree.tags[at] === tag.dd) {
      const indent = output.count > start ? '  ' : ''
      const inner = { ...context, level: context.level + 1 }
      writeInside(output, indent, indent, () => writeContents(writer, findOnlyTerms(tree, at), inner))
      continue
    }
    const text = writer.writeTerm(at, context)
    if (text !== '') writeInside(output, '- ', '  ', () => writeBlock(output, escapeLineStart(text)))
  }
  output.gap = 2
  output.lastList = { count: output.count, sign: '-', isOfTerms: false }
}

const startsWithHeading = (tree: Tree, term: Node) =>
  isHeading(
    tree,
    findChild(tree, term, (at) => !isBlankText(tree, at)),
  )

const maxWrapperNodes = 400

function containsTerms(tree: Tree, node: Node): boolean {
  const end = Math.min(endOf(tree, node), node + maxWrapperNodes)
  return findNode(node + 1, end, (at) => tree.tags[at] === tag.dt || tree.tags[at] === tag.dd) !== none
}

function writeOther(writer: Writer, from: Node, end: Node, context: Context): void {
  if (from === none) return
  writer.output.gap = 2
  writer.writeBlocks(from, end, context)
  writer.output.gap = 2
}

const blocksWithMarkers = tagSet('pre table ul ol menu dir dl blockquote h1 h2 h3 h4 h5 h6')

function writeDefinition(writer: Writer, node: Node, definitions: Definitions, context: Context): void {
  const { tree, output } = writer
  const { hasTerm, bullet } = definitions
  const end = endOf(tree, node)
  const isInDefinition = hasTerm || context.isInDefinition
  const inner = { ...context, level: context.level + 1, isInDefinition, isInItem: false }
  const write = () => writer.writeBlocks(node + 1, end, inner)
  let first = node + 1
  while (first < end && (tree.tags[first] === tag.div || isBlankText(tree, first))) first += 1
  const indent = hasTerm ? getIndent(definitions) : ''
  // Without a term, the list only indents its content. After a colon, a code fence would be parsed as text.
  if (!hasTerm || blocksWithMarkers[tree.tags[first] ?? 0] === 1) {
    if (hasTerm) output.gap = 2
    writeInside(output, indent, indent, write)
    return
  }
  writeInside(output, `${indent}: `, bullet === '' ? '  ' : indent, write)
}

const getIndent = ({ bullet }: Definitions) => ' '.repeat(bullet.length)
