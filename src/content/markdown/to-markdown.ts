import { type ChildNode, type Element, isTag, type ParentNode } from 'domhandler'
import { elementsOf, textOf } from '../dom.ts'
import { codeBlock } from './code.ts'
import { destination } from './escape.ts'
import { writeDefinitions, writeList } from './list.ts'
import { collectPieces, type Link, linkOf, type MarkdownOptions, type Marks, noMarks } from './pieces.ts'
import { writeTable } from './table.ts'
import { isHeading, isSilent, readLayout } from './tags.ts'
import { writePieces } from './write-pieces.ts'
import { type Block, type Context, indented, joinBlocks, type Writer } from './writer.ts'

/**
 * A tree of HTML as Markdown (GFM). Addresses are written as they are, so the tree should hold absolute ones.
 */
export function toMarkdown(root: ParentNode, options: MarkdownOptions): string {
  const writer = createWriter(root, options)
  return joinBlocks(writer.blocks(root.children, { marks: noMarks, level: 0 }))
}

/** Deeper lists and quotes are written flat: every level prefixes each line below it. */
const maxLevel = 16

interface BlockWriter extends Writer {
  options: MarkdownOptions
  /** Links around blocks, by the heading that carries them. */
  headingLinks: Map<Element, Link>
  /** Links around blocks without a heading, once their first text has carried them. */
  spentLinks: Set<Link>
}

function createWriter(root: ParentNode, options: MarkdownOptions): BlockWriter {
  const writer: BlockWriter = {
    options,
    layout: readLayout(root),
    headingLinks: new Map(),
    spentLinks: new Set(),
    blocks(nodes, context) {
      const blocks: Block[] = []
      addBlocks(nodes, context, writer, blocks)
      return blocks
    },
    line: (nodes, { marks }) => writePieces(collectPieces(nodes, marks, writer), 'spaces').join(' '),
    cell: (nodes, { marks }) =>
      writePieces(collectPieces(nodes, marks, writer), 'tags')
        .join('<br>')
        .replaceAll('|', '\\|'),
  }
  return writer
}

// The parser bounds the depth of a tree, so recursion is safe here. All blocks go to one list, and no text is
// copied on the way up, so the time is linear however deep they lie.
function addBlocks(
  nodes: readonly ChildNode[],
  context: Context,
  writer: BlockWriter,
  blocks: Block[],
): void {
  let run: ChildNode[] = []
  for (const node of nodes) {
    if (isSilent(node)) continue
    if (!isTag(node) || !writer.layout.isBlock(node)) {
      run.push(node)
      continue
    }
    addParagraphs(run, context, writer, blocks)
    run = []
    const write = blockWriters.get(node.name)
    if (write) write(node, context, writer, blocks)
    else addBlocks(node.children, context, writer, blocks)
  }
  addParagraphs(run, context, writer, blocks)
}

function addParagraphs(run: ChildNode[], context: Context, writer: BlockWriter, blocks: Block[]): void {
  if (run.length === 0) return
  const { link } = context.marks
  const isSpent = link !== undefined && writer.spentLinks.has(link)
  const marks = isSpent ? { ...context.marks, link: undefined } : context.marks
  const paragraphs = writePieces(collectPieces(run, marks, writer), 'lines')
  for (const text of paragraphs) blocks.push({ text, isList: false })
  if (link && paragraphs.length > 0) writer.spentLinks.add(link)
}

type WriteBlock = (element: Element, context: Context, writer: BlockWriter, blocks: Block[]) => void

const marked =
  (change: Partial<Marks>): WriteBlock =>
  (element, context, writer, blocks) =>
    addBlocks(element.children, { ...context, marks: { ...context.marks, ...change } }, writer, blocks)

const blockWriters = new Map<string, WriteBlock>([
  ['h1', addHeading],
  ['h2', addHeading],
  ['h3', addHeading],
  ['h4', addHeading],
  ['h5', addHeading],
  ['h6', addHeading],
  ['ul', addList],
  ['ol', addList],
  ['menu', addList],
  ['dir', addList],
  ['li', addStrayItem],
  ['dl', addDefinitions],
  ['table', (table, context, writer, blocks) => addAll(blocks, writeTable(table, context, writer))],
  ['pre', (pre, _context, _writer, blocks) => add(blocks, codeBlock(pre))],
  ['listing', (pre, _context, _writer, blocks) => add(blocks, codeBlock(pre))],
  ['xmp', (pre, _context, _writer, blocks) => add(blocks, codeBlock(pre))],
  ['blockquote', addQuote],
  ['hr', (_hr, _context, _writer, blocks) => add(blocks, '---')],
  ['iframe', addFrame],
  ['a', addLinked],
  ['b', marked({ isStrong: true })],
  ['strong', marked({ isStrong: true })],
  ['i', marked({ isEmphasis: true })],
  ['em', marked({ isEmphasis: true })],
  ['s', marked({ isStruck: true })],
  ['del', marked({ isStruck: true })],
])

function add(blocks: Block[], text: string, isList = false): void {
  if (text !== '') blocks.push({ text, isList })
}

function addAll(blocks: Block[], more: readonly Block[]): void {
  for (const block of more) blocks.push(block)
}

function addHeading(heading: Element, context: Context, writer: BlockWriter, blocks: Block[]): void {
  const marks = { ...noMarks, link: writer.headingLinks.get(heading) ?? context.marks.link }
  const pieces = collectPieces(heading.children, marks, writer).map((piece) => ({
    ...piece,
    // A heading is bold already.
    marks: { ...piece.marks, isStrong: false },
  }))
  const text = writePieces(pieces, 'spaces').join(' ')
  if (text === '') return
  const level = Number(heading.name.charAt(1))
  add(blocks, `${'#'.repeat(level)} ${text.replace(/(^|\s)(#+)$/, '$1\\$2')}`)
}

function addList(list: Element, context: Context, writer: BlockWriter, blocks: Block[]): void {
  if (context.level >= maxLevel) addBlocks(list.children, context, writer, blocks)
  else add(blocks, writeList(list, context, writer), true)
}

/** An item without a list, or one too deep to be indented. */
function addStrayItem(item: Element, context: Context, writer: BlockWriter, blocks: Block[]): void {
  if (context.level >= maxLevel) {
    addBlocks(item.children, context, writer, blocks)
    return
  }
  const text = joinBlocks(writer.blocks(item.children, { ...context, level: context.level + 1 }), true)
  if (text !== '') add(blocks, `- ${indented(text, '  ')}`, true)
}

function addDefinitions(list: Element, context: Context, writer: BlockWriter, blocks: Block[]): void {
  if (context.level >= maxLevel) addBlocks(list.children, context, writer, blocks)
  else add(blocks, writeDefinitions(list, context, writer))
}

function addQuote(quote: Element, context: Context, writer: BlockWriter, blocks: Block[]): void {
  if (context.level >= maxLevel) {
    addBlocks(quote.children, context, writer, blocks)
    return
  }
  const text = joinBlocks(writer.blocks(quote.children, { ...context, level: context.level + 1 }))
  if (text !== '') add(blocks, text.replace(/^/gm, '> ').replace(/^> $/gm, '>'))
}

/** An embedded page is worth a link when a reader would see it. */
function addFrame(frame: Element, _context: Context, _writer: BlockWriter, blocks: Block[]): void {
  const { src, title, width, height } = frame.attribs
  const url = URL.parse(src ?? '')
  if (!url || !/^https?:$/.test(url.protocol) || /^[01]$/.test(width ?? '') || /^[01]$/.test(height ?? ''))
    return
  const label = (title?.replace(/\s+/g, ' ').trim() || url.hostname).replace(/[[\]\\]/g, '\\$&')
  add(blocks, `[${label}](${destination(url.href)})`)
}

/**
 * A link around blocks, as cards have it: Markdown has no such thing, so its heading or first text carries
 * it.
 */
function addLinked(anchor: Element, context: Context, writer: BlockWriter, blocks: Block[]): void {
  const link = linkOf(anchor)
  const heading = link && headingIn(anchor)
  if (link && heading) writer.headingLinks.set(heading, link)
  const carried = heading ? undefined : (link ?? context.marks.link)
  addBlocks(anchor.children, { ...context, marks: { ...context.marks, link: carried } }, writer, blocks)
}

/** The heading of a card stands near its start; a link around a whole page is not worth a longer search. */
function headingIn(anchor: Element): Element | undefined {
  let seen = 0
  for (const element of elementsOf(anchor)) {
    if (isHeading(element) && textOf(element).trim() !== '') return element
    seen += 1
    if (seen > 200) return undefined
  }
  return undefined
}
