import { imageSource } from '../../content/image-source.ts'
import { attr, tag, tagSet } from '../../content/tree/names.ts'
import { attribute, isText, type Node, parentOf, type Tree, tagOf, textAt } from '../../content/tree/tree.ts'
import { findAncestor, type Line, type Lines } from '../fields/lines.ts'
import type { Column } from './cell.ts'
import { type Span, styleOf } from './groups.ts'

const maxNodes = 600
const maxEntries = 160
const maxLevels = 10

export interface Entry {
  form: Column['form']
  /** Position of the text: its form, the styles of its ancestors in the record, and the index of a part of a line. */
  key: string
  text: string
  node: Node
  /** Term of a definition, or head of a table row. */
  label?: string | undefined
  isHeading?: boolean
  link?: Node | undefined
  isStruck?: boolean
  /** True if the text is a complete line whose parts are also entries. */
  isFullLine?: boolean
  isLinePart?: boolean
}

/** Returns all entries of a record: images, links and dates first, then its lines and their parts. */
export function entriesOf(lines: Lines, span: Span): Entry[] {
  const { tree, list, linesBefore } = lines
  const entries: Entry[] = []
  const addEntry = (entry: Omit<Entry, 'key'>, part = '') => {
    if (entry.text === '' || entries.length >= maxEntries) return
    entries.push({ ...entry, key: `${entry.form} ${getPath(tree, entry.node, span)}${part}` })
  }
  const end = Math.min(span.end, span.node + maxNodes)
  addAttributes(lines, span.node, end, addEntry)
  let term: Line | undefined
  for (let at = linesBefore[span.node] ?? 0; at < (linesBefore[end] ?? list.length); at += 1) {
    const line = list[at]
    if (!line) continue
    const name = tagOf(tree, line.holder)
    if (name === tag.dt || name === tag.th) term = line
    else {
      const isTermed = term !== undefined && (name === tag.dd || name === tag.td)
      addLine(tree, line, addEntry, isTermed ? term?.text.replace(/\s*[:：]$/, '') : undefined)
    }
  }
  return entries
}

type AddEntry = (entry: Omit<Entry, 'key'>, part?: string) => void

function addAttributes({ tree, weights }: Lines, from: Node, end: Node, addEntry: AddEntry): void {
  for (let node = from; node < end; node += 1) {
    if (isText(tree, node) || (weights[node] ?? 1) === 0) continue
    const name = tagOf(tree, node)
    if (name === tag.img) addEntry({ form: 'image', text: imageSource(tree, node) ?? '', node })
    if (name === tag.a) addEntry({ form: 'link', text: attribute(tree, node, attr.href) ?? '', node })
    const labelText = attribute(tree, node, attr['aria-label']) ?? attribute(tree, node, attr.title)
    if (labelText && /\d/.test(labelText) && labelText.length <= 60)
      addEntry({ form: 'text', text: labelText, node }, ' said')
    if (name === tag.time || attribute(tree, node, attr.datetime))
      addEntry({ form: 'date', text: attribute(tree, node, attr.datetime) ?? '', node })
  }
}

function addLine(tree: Tree, line: Line, addEntry: AddEntry, label: string | undefined): void {
  const { pieces, segments, isStruck, text } = line
  const isHeading = line.level > 0
  // The parent of a text has more specific class names than the block element of the line.
  const isSinglePiece = pieces.length === 1
  const node = isSinglePiece && isText(tree, line.first) ? parentOf(tree, line.first) : line.holder
  const lineLink = linkAround(tree, line.first)
  const link = isSinglePiece || isHeading ? lineLink : undefined
  // A dash in a title does not separate values.
  const isTitle = isHeading || lineLink !== undefined
  const isFullLine = !isSinglePiece || (segments.length > 1 && !isTitle)
  addEntry(
    { form: 'text', text, node, isHeading, isStruck, isFullLine, link, label },
    (isStruck ? ' struck' : '') + (isSinglePiece ? '' : ' whole'),
  )
  if (isSinglePiece && segments.length > 1)
    for (const [at, segment] of segments.entries())
      addEntry({ form: 'text', text: segment, node: line.holder, isStruck, isLinePart: true }, ` part ${at}`)
  if (pieces.length < 2 || pieces.length > 12) return
  let at = line.first
  for (const piece of pieces) {
    while (at < tree.count && !(isText(tree, at) && textAt(tree, at).replace(/\s+/g, ' ').trim() === piece))
      at += 1
    if (at >= tree.count) return
    const text = piece.replace(/^[\s•·|]+|[\s•·|]+$/g, '')
    const flags = { isHeading, isStruck, isLinePart: true, link: linkAround(tree, at) }
    addEntry({ form: 'text', text, node: parentOf(tree, at), ...flags }, isStruck ? ' struck' : '')
    at += 1
  }
}

const linkTags = tagSet('a')

export const linkAround = (tree: Tree, node: Node) => findAncestor(tree, node, linkTags, 4)

function getPath(tree: Tree, at: Node, { base }: Span): string {
  let path = ''
  for (let node = at, up = 0; node > base && up < maxLevels; node = parentOf(tree, node), up += 1)
    path = `${styleOf(tree, node)}/${path}`
  return path
}
