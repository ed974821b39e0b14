import { type ChildNode, type Element, isTag, isText } from 'domhandler'
import { elementsOf, textOf } from '../dom.ts'
import { preformattedText } from './code.ts'
import { imageText } from './image.ts'
import { isHeading, isSilent, type Layout } from './tags.ts'

export interface MarkdownOptions {
  /** Images that carry their own bytes keep their alternative text and lose their address. */
  removeBase64Images: boolean
}

/** Two links are the same only when they are the same object: neighbours with one address stay apart. */
export interface Link {
  href: string
}

export interface Marks {
  link: Link | undefined
  isStrong: boolean
  isEmphasis: boolean
  isStruck: boolean
}

export const noMarks: Marks = { link: undefined, isStrong: false, isEmphasis: false, isStruck: false }

/** A run of inline content. Raw pieces are Markdown already. */
export interface Piece {
  kind: 'text' | 'code' | 'raw' | 'break'
  text: string
  marks: Marks
}

export interface PieceRules {
  options: MarkdownOptions
  layout: Layout
}

/** The inline content of these nodes, in order, each piece with the marks that cover it. */
export function collectPieces(nodes: readonly ChildNode[], marks: Marks, rules: PieceRules): Piece[] {
  const pieces: Piece[] = []
  collect(nodes, marks, { ...rules, pieces, isCode: false })
  return pieces
}

interface Collection extends PieceRules {
  pieces: Piece[]
  isCode: boolean
}

// The parser bounds the depth of a tree, so recursion is safe here.
function collect(nodes: readonly ChildNode[], marks: Marks, collection: Collection): void {
  for (const node of nodes) {
    if (isText(node)) addText(node.data, marks, collection)
    else if (isTag(node) && !isSilent(node)) collectElement(node, marks, collection)
  }
}

function addText(text: string, marks: Marks, { pieces, isCode }: Collection): void {
  const last = pieces.at(-1)
  // The parts of one code element are one span, however they are coloured.
  if (isCode && last?.kind === 'code' && last.marks === marks) last.text += text
  else pieces.push({ kind: isCode ? 'code' : 'text', text, marks })
}

type Collector = (element: Element, marks: Marks, collection: Collection) => void

function collectElement(element: Element, marks: Marks, collection: Collection): void {
  const collector = collectors.get(element.name)
  if (collector) collector(element, marks, collection)
  else if (collection.layout.isBlock(element)) collectBlock(element, marks, collection)
  else collect(element.children, marks, collection)
}

const marked =
  (change: Partial<Marks>): Collector =>
  (element, marks, collection) =>
    collect(element.children, { ...marks, ...change }, collection)

const collectCode: Collector = (element, marks, collection) =>
  collect(element.children, marks, { ...collection, isCode: true })

const collectors = new Map<string, Collector>([
  ['a', collectLink],
  ['b', marked({ isStrong: true })],
  ['strong', marked({ isStrong: true })],
  ['i', marked({ isEmphasis: true })],
  ['em', marked({ isEmphasis: true })],
  ['s', marked({ isStruck: true })],
  ['del', marked({ isStruck: true })],
  ['strike', marked({ isStruck: true })],
  ['code', collectCode],
  ['kbd', collectCode],
  ['samp', collectCode],
  ['tt', collectCode],
  ['br', (_, marks, { pieces }) => pieces.push({ kind: 'break', text: '', marks })],
  ['img', collectImage],
  ['input', collectCheckbox],
  ['math', (element, marks, { pieces }) => pieces.push({ kind: 'raw', text: formula(element), marks })],
  ['button', collectButton],
  ['label', spaced],
  ['q', (element, marks, collection) => between('“', element, marks, collection, '”')],
  ['rt', (element, marks, collection) => between(' (', element, marks, collection, ')')],
  ['sup', collectSuperscript],
])

function collectLink(element: Element, marks: Marks, collection: Collection): void {
  const link = linkOf(element)
  if (!link) {
    collect(element.children, marks, collection)
    return
  }
  if (isPermalink(element)) return
  const { pieces } = collection
  const before = pieces.length
  const linked = { ...marks, link }
  collect(element.children, linked, collection)
  const isEmpty = pieces.slice(before).every((piece) => piece.text.trim() === '')
  const label = element.attribs['aria-label'] ?? element.attribs.title
  if (isEmpty && label) pieces.push({ kind: 'text', text: label, marks: linked })
}

/** The link that an anchor makes, if it leads anywhere. */
export function linkOf(anchor: Element): Link | undefined {
  const href = anchor.attribs.href?.trim()
  return href && !/^(?:javascript|vbscript|data):/i.test(href) ? { href } : undefined
}

/** A sign beside a heading that links to the heading itself. */
function isPermalink(anchor: Element): boolean {
  if (!anchor.attribs.href?.includes('#')) return false
  const text = textOf(anchor).replace(/[\s\u200b]/g, '')
  return (
    /^(?:[#¶§🔗⚓∞]|permalink)$/iu.test(text) ||
    (text === '' && anchor.parent !== null && isHeadingNode(anchor.parent))
  )
}

const isHeadingNode = (node: ChildNode) => isTag(node) && isHeading(node)

function collectImage(element: Element, marks: Marks, { pieces, options }: Collection): void {
  const text = imageText(element, options.removeBase64Images)
  if (text) pieces.push({ kind: 'raw', text, marks })
}

function collectCheckbox(element: Element, marks: Marks, { pieces }: Collection): void {
  if (!isFirstInItem(element)) return
  pieces.push({ kind: 'raw', text: element.attribs.checked === undefined ? '[ ]' : '[x]', marks })
  pieces.push({ kind: 'text', text: ' ', marks })
}

function isFirstInItem(checkbox: Element): boolean {
  let node: Element = checkbox
  while (!node.prev || (isText(node.prev) && node.prev.data.trim() === '' && !node.prev.prev)) {
    const { parent } = node
    if (!parent || !isTag(parent)) return false
    if (parent.name === 'li') return true
    node = parent
  }
  return false
}

/** TeX where the page has it, else the symbols one after another. */
function formula(math: Element): string {
  const mark = math.attribs.display === 'block' ? '$$' : '$'
  for (const element of elementsOf(math)) {
    if (element.name !== 'annotation' || !/tex/i.test(element.attribs.encoding ?? '')) continue
    return `${mark}${textOf(element).replace(/\s+/g, ' ').trim()}${mark}`
  }
  const { alttext } = math.attribs
  return alttext ? `${mark}${alttext.trim()}${mark}` : textOf(math).replace(/\s+/g, ' ').trim()
}

/** Beside a listing a button to copy it says nothing. */
function collectButton(element: Element, marks: Marks, collection: Collection): void {
  if (!/^\s*(?:copy|copied)\b.{0,20}$/is.test(textOf(element))) spaced(element, marks, collection)
}

function spaced(element: Element, marks: Marks, collection: Collection): void {
  between(' ', element, marks, collection, ' ')
}

function between(open: string, element: Element, marks: Marks, collection: Collection, close: string): void {
  addText(open, marks, collection)
  collect(element.children, marks, collection)
  addText(close, marks, collection)
}

/** "10" and a raised "6" must not read as 106. */
function collectSuperscript(element: Element, marks: Marks, collection: Collection): void {
  const last = collection.pieces.at(-1)
  if (last?.kind === 'text' && /\d$/.test(last.text) && /^\s*[-+−]?\d/.test(textOf(element)))
    addText('^', marks, collection)
  collect(element.children, marks, collection)
}

/** A block where only a line is possible, as in a heading or a table cell. */
function collectBlock(element: Element, marks: Marks, collection: Collection): void {
  const { pieces } = collection
  const lineBreak = () => pieces.push({ kind: 'break', text: '', marks })
  lineBreak()
  if (element.name === 'pre') {
    for (const line of preformattedText(element).split('\n')) {
      pieces.push({ kind: 'code', text: line, marks })
      lineBreak()
    }
    return
  }
  if (element.name === 'li') addText('- ', marks, collection)
  collect(element.children, marks, collection)
  lineBreak()
}
