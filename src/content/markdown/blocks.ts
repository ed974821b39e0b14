import { tag, tagSet } from '../tree/names.ts'
import { childrenOf, classOf, endOf, findOnlyChild, type Node, none, type Tree } from '../tree/tree.ts'
import { writeBlock, writeInside, writeLines } from './block-writer.ts'
import { readCallout, writeCallout } from './callout.ts'
import { isConstructor, isControl } from './code.ts'
import { writeDefinitions } from './definitions.ts'
import {
  blockBit,
  calloutBit,
  formulaBit,
  gridBit,
  listingBit,
  noteBit,
  signatureBit,
  silentBit,
} from './facts.ts'
import { writeFootnote } from './footnotes.ts'
import { writeInline } from './inline.ts'
import {
  type BreakStyle,
  emphasis,
  finish,
  link as linkMark,
  type SurroundingText,
  strikethrough,
  strong,
} from './inline-writer.ts'
import { findHeadingIn, hasUnevenBrackets, isHeading, targetOfLink } from './link.ts'
import { lists, writeList } from './list.ts'
import { declaration, isLinkedDeclaration, listing, renderSignatureListing, tooltip } from './listing.ts'
import { formula, renderFrame } from './media.ts'
import { hasText, isBlank } from './scan.ts'
import { writeGrid, writeTable } from './table.ts'
import { type Context, maxLevel, type Writer } from './writer.ts'

/** Writes runs of inline content as paragraphs. The parser bounds the depth of a tree, so recursion is safe. */
export function writeBlocks(writer: Writer, from: Node, end: Node, context: Context): void {
  const { tree, facts } = writer
  const { ends, tags } = tree
  let runStart = none
  let at = from
  while (at < end) {
    const fact = facts[at] ?? 0
    if ((fact & blockBit) !== 0) {
      if (runStart !== none) writeParagraphs(writer, runStart, at, context)
      runStart = none
      writeElement(writer, at, fact, context)
    } else if (runStart === none && (fact & silentBit) === 0 && (tags[at] !== 0 || !isBlank(tree, at)))
      runStart = at
    at = ends[at] ?? end
  }
  if (runStart !== none) writeParagraphs(writer, runStart, end, context)
}

function writeParagraphs(writer: Writer, from: Node, end: Node, context: Context): void {
  const { tree, facts, output, inline } = writer
  const { count } = output
  const { link } = context
  // If a link around blocks has text, its text carries the link, else its image does.
  const isUnwritten = link !== none && writer.writtenLink !== link
  const hasLink =
    isUnwritten && (hasText(tree, facts, from, end) || !hasText(tree, facts, link + 1, endOf(tree, link)))
  writer.runEnd = end
  writeInline(writer, from, end, createSurroundings(writer, context.marks, hasLink ? link : none))
  const text = finish(inline)
  if (text !== '') writeBlock(output, text)
  if (hasLink && output.count > count) writer.writtenLink = link
}

function createSurroundings(writer: Writer, marks: number, link: Node): SurroundingText {
  if (link === none) return { marks: marks & ~linkMark, link, target: '', escapesBrackets: false }
  const target = targetOfLink(writer, link)
  return { marks: marks | linkMark, link, target, escapesBrackets: hasUnevenBrackets(writer.tree, link) }
}

function writeLine(writer: Writer, node: Node, style: BreakStyle, context: Context): string {
  const { inline } = writer
  inline.style = style
  writer.runEnd = endOf(writer.tree, node)
  writeInline(writer, node + 1, writer.runEnd, createSurroundings(writer, context.marks, context.link))
  const text = finish(inline)
  inline.style = 'lines'
  return text
}

const listings = tagSet('pre listing xmp plaintext')

const markByTag = new Map<number, number>([
  [tag.b, strong],
  [tag.strong, strong],
  [tag.i, emphasis],
  [tag.em, emphasis],
  [tag.s, strikethrough],
  [tag.del, strikethrough],
  [tag.summary, strong],
])

const specialBits = noteBit | formulaBit | listingBit | calloutBit | signatureBit | gridBit

function writeElement(writer: Writer, node: Node, fact: number, context: Context): void {
  const { tree, output } = writer
  const name = tree.tags[node] ?? 0
  const end = endOf(tree, node)
  const isTooDeep = context.level >= maxLevel
  const label = writer.labels.size > 0 ? writer.labels.get(node) : undefined
  if (label !== undefined)
    writeIfAny(writer, writeLine(writer, label, 'spaces', { ...context, marks: strong, link: none }))
  if ((fact & specialBits) !== 0 && writeSpecial(writer, node, fact, context)) return
  if (isHeading(tree, node)) writeHeading(writer, node, context, name - tag.h1 + 1 - writer.headingShift)
  else if (lists[name] === 1 && !isTooDeep) writeList(writer, node, context)
  else if (name === tag.li && !isTooDeep) writeStrayItem(writer, node, context)
  else if (name === tag.dl && !isTooDeep) writeDefinitions(writer, node, context)
  else if (name === tag.table) writeTable(writer, node, context)
  else if (listings[name] === 1) writeListing(writer, node, context)
  else if (name === tag.blockquote && !isTooDeep && !isIndent(writer, node)) writeQuote(writer, node, context)
  // In an item, a rule of hyphens would be parsed as bullets.
  else if (name === tag.hr) writeBlock(output, output.markers === '' ? '---' : '___')
  else if (name === tag.iframe) writeIfAny(writer, renderFrame(writer, node))
  else if (name === tag.a) writeLinked(writer, node, context)
  else if (name !== tag.button || !isControl(tree, node)) {
    const mark = markByTag.get(name)
    const inner = mark === undefined ? context : { ...context, marks: context.marks | mark }
    writeBlocks(writer, node + 1, end, inner)
  }
}

export function writeTerm(writer: Writer, term: Node, context: Context): string {
  return isDeclared(writer, term) ? declaration(writer, term) : writeLine(writer, term, 'spaces', context)
}

export function writeCell(writer: Writer, cell: Node, context: Context): string {
  const isCode = isDeclared(writer, cell) && !isConstructor(writer.tree, cell)
  return isCode ? declaration(writer, cell) : writeLine(writer, cell, 'tags', context)
}

const isDeclared = ({ facts }: Writer, node: Node) => ((facts[node] ?? 0) & signatureBit) !== 0

function writeIfAny({ output }: Writer, text: string): void {
  if (text !== '') writeBlock(output, text)
}

function writeListing(writer: Writer, node: Node, context: Context): void {
  const text = listing(writer, node)
  if (text !== '') writeLines(writer.output, text)
  for (const at of childrenOf(writer.tree, node))
    if (classOf(writer.tree, at) === tooltip) writeIfAny(writer, writeLine(writer, at, 'spaces', context))
}

function writeSpecial(writer: Writer, node: Node, fact: number, context: Context): boolean {
  const { tree, output } = writer
  const label = (fact & noteBit) !== 0 ? writer.notes.labels.get(node) : undefined
  if (label !== undefined) writeFootnote(writer, node, label, context)
  else if ((fact & formulaBit) !== 0) {
    const { text, isTex } = formula(tree, node)
    if (text !== '') writeLines(output, isTex ? `$$\n${text}\n$$` : text)
  } else if ((fact & listingBit) !== 0) writeListing(writer, node, context)
  else if ((fact & signatureBit) !== 0) {
    if (isHeading(tree, node)) return false
    const text = renderSignatureListing(writer, node)
    if (text !== '') writeLines(output, text)
  } else if ((fact & gridBit) !== 0) {
    return writeGrid(writer, node, context)
  } else {
    const callout = context.level < maxLevel ? readCallout(tree, node) : undefined
    if (callout === undefined) return false
    writeCallout(writer, node, callout, context)
  }
  return true
}

export function writeTitle(writer: Writer, node: Node, context: Context): void {
  writer.isInTitle = true
  if (writeHeading(writer, node, context, 1)) writer.facts[node] = silentBit
  writer.isInTitle = false
}

function writeHeading(writer: Writer, node: Node, context: Context, level: number): boolean {
  const { headingLink } = writer
  const isLinkedHeading = headingLink.heading === node
  const surroundingLink = isLinkedHeading
    ? headingLink.link
    : writer.writtenLink === context.link
      ? none
      : context.link
  const isSelfLink = surroundingLink !== none && targetOfLink(writer, surroundingLink).startsWith(writer.page)
  const link = isSelfLink ? none : surroundingLink
  const inner = { ...context, marks: 0, link }
  writer.isInHeading = true
  const headingText = isLinkedDeclaration(writer, node)
    ? declaration(writer, node)
    : writeTerm(writer, node, inner)
  writer.isInHeading = false
  // For a heading that contains only a link without text, use the label of the link.
  const text = headingText === '' ? writeLine(writer, node, 'spaces', inner) : headingText
  if (text === '') return false
  const escaped = text.replace(/(^|\s)(#+)$/, '$1\\$2')
  writeBlock(writer.output, `${'#'.repeat(level)} ${escaped}`)
  return true
}

function writeStrayItem(writer: Writer, node: Node, context: Context): void {
  const { output, tree } = writer
  const inner = { ...context, level: context.level + 1, isInItem: true }
  if (output.lastList.count === output.count && output.markers === '' && output.count > 0) output.gap = 1
  writeInside(output, '- ', '  ', () => writeBlocks(writer, node + 1, endOf(tree, node), inner))
  output.gap = 2
  output.lastList = { count: output.count, sign: '-', isOfTerms: false }
}

function isIndent({ tree, facts }: Writer, quote: Node): boolean {
  const end = endOf(tree, quote)
  let listingCount = 0
  for (let at = quote + 1; at < end; ) {
    if (((facts[at] ?? 0) & silentBit) !== 0 || isIgnoredText(tree, at)) at = endOf(tree, at)
    else if (((facts[at] ?? 0) & (listingBit | signatureBit)) !== 0 || listings[tree.tags[at] ?? 0] === 1) {
      listingCount += 1
      at = endOf(tree, at)
    } else if (wrapperTags[tree.tags[at] ?? 0] === 1) at += 1
    else return false
  }
  return listingCount > 0
}

const wrapperTags = tagSet('blockquote div p table tbody td tr')

const isIgnoredText = (tree: Tree, node: Node) => tree.tags[node] === 0 && isBlank(tree, node)

function writeQuote(writer: Writer, outer: Node, context: Context): void {
  const { tree } = writer
  let node = outer
  // A quote with only another quote inside is written once.
  for (let only = outer; tree.tags[only] === tag.blockquote; only = findOnlyChild(tree, only, isIgnoredText))
    node = only
  const inner = { ...context, level: context.level + 1, isInItem: false }
  writeInside(writer.output, '> ', '> ', () => writeBlocks(writer, node + 1, endOf(tree, node), inner))
}

/** Markdown has no link around blocks, such as a card, so its heading or first text carries the link. */
function writeLinked(writer: Writer, node: Node, context: Context): void {
  const { tree } = writer
  const hasTarget = targetOfLink(writer, node) !== ''
  const heading = hasTarget ? findHeadingIn(tree, node) : none
  if (heading !== none) writer.headingLink = { heading, link: node }
  const link = heading !== none ? none : hasTarget ? node : context.link
  writeBlocks(writer, node + 1, endOf(tree, node), { ...context, link })
}
