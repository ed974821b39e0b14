import { imageSource } from '../../content/image-source.ts'
import { attr, tag } from '../../content/tree/names.ts'
import { attribute, isText, type Node, parentOf, type Tree, tagOf, textAt } from '../../content/tree/tree.ts'
import type { Line, Lines } from '../fields/lines.ts'
import type { Column } from './cell.ts'
import { type Span, styleOf } from './groups.ts'

const maxNodes = 600
const maxEntries = 160
const maxLevels = 10

/** One thing that a record says, and where in the record it says it. */
export interface Entry {
  form: Column['form']
  /** The elements from the record down to it, and which part of a line it is. */
  place: string
  text: string
  node: Node
  /** What the page writes in front of it as its name: the term of a definition. */
  label?: string
  isHeading?: boolean
  /** The link around a text. */
  link?: Node
  isStruck?: boolean
  isWhole?: boolean
  /** Whether it is a part of a line. */
  isPiece?: boolean
}

/** Everything that a record says: pictures, links and dates first, then its lines and the parts of them. */
export function entriesOf(lines: Lines, span: Span): Entry[] {
  const { tree, list, before } = lines
  const entries: Entry[] = []
  const put = (entry: Omit<Entry, 'place'>, part = '') => {
    if (entry.text === '' || entries.length >= maxEntries) return
    entries.push({ ...entry, place: `${entry.form} ${placeOf(tree, entry.node, span)}${part}` })
  }
  const end = Math.min(span.end, span.node + maxNodes)
  putAttributes(lines, span.node, end, put)
  let term: Line | undefined
  for (let at = before[span.node] ?? 0; at < (before[end] ?? list.length); at += 1) {
    const line = list[at]
    if (!line) continue
    const name = tagOf(tree, line.holder)
    if (name === tag.dt || name === tag.th) term = line
    else {
      const isTermed = term !== undefined && (name === tag.dd || name === tag.td)
      putLine(tree, line, put, isTermed ? term?.text.replace(/\s*[:：]$/, '') : undefined)
    }
  }
  return entries
}

type Put = (entry: Omit<Entry, 'place'>, part?: string) => void

function putAttributes({ tree, weights }: Lines, from: Node, end: Node, put: Put): void {
  for (let node = from; node < end; node += 1) {
    if (isText(tree, node) || (weights[node] ?? 1) === 0) continue
    const name = tagOf(tree, node)
    if (name === tag.img) put({ form: 'image', text: imageSource(tree, node) ?? '', node })
    if (name === tag.a) put({ form: 'link', text: attribute(tree, node, attr.href) ?? '', node })
    const said = attribute(tree, node, attr['aria-label']) ?? attribute(tree, node, attr.title)
    if (said && /\d/.test(said) && said.length <= 60) put({ form: 'text', text: said, node }, ' said')
    if (name === tag.time || attribute(tree, node, attr.datetime))
      put({ form: 'date', text: attribute(tree, node, attr.datetime) ?? '', node })
  }
}

/** Puts a line of several pieces in pieces as well: "$5" and "4 left" may share one. */
function putLine(tree: Tree, line: Line, put: Put, label: string | undefined): void {
  const { pieces, segments, isStruck, text } = line
  const isHeading = line.level > 0
  const labelled = label === undefined ? {} : { label }
  // The element around a text has more to say about it than the box that it stands in.
  const node = pieces.length === 1 && isText(tree, line.first) ? parentOf(tree, line.first) : line.holder
  const around = linkAround(tree, line.first)
  const isOne = pieces.length === 1
  const link = around === undefined || (!isOne && !isHeading) ? {} : { link: around }
  // A dash in a title parts nothing.
  const isTitle = isHeading || around !== undefined
  const isWhole = !isOne || (segments.length > 1 && !isTitle)
  put(
    { form: 'text', text, node, isHeading, isStruck, isWhole, ...link, ...labelled },
    (isStruck ? ' struck' : '') + (isOne ? '' : ' whole'),
  )
  if (isOne && segments.length > 1)
    for (const [at, segment] of segments.entries())
      put({ form: 'text', text: segment, node: line.holder, isStruck, isPiece: true }, ` part ${at}`)
  if (pieces.length < 2 || pieces.length > 12) return
  let at = line.first
  for (const piece of pieces) {
    while (at < tree.count && !(isText(tree, at) && textAt(tree, at).replace(/\s+/g, ' ').trim() === piece))
      at += 1
    if (at >= tree.count) return
    const inLink = linkAround(tree, at)
    const text = piece.replace(/^[\s•·|]+|[\s•·|]+$/g, '')
    const isPiece = true
    const own = { isHeading, isStruck, isPiece, ...(inLink === undefined ? {} : { link: inLink }) }
    put({ form: 'text', text, node: parentOf(tree, at), ...own }, isStruck ? ' struck' : '')
    at += 1
  }
}

export function linkAround(tree: Tree, node: Node): Node | undefined {
  for (let at = node, up = 0; at > 0 && up < 4; at = parentOf(tree, at), up += 1)
    if (tagOf(tree, at) === tag.a) return at
  return undefined
}

function placeOf(tree: Tree, at: Node, { base }: Span): string {
  let place = ''
  for (let node = at, up = 0; node > base && up < maxLevels; node = parentOf(tree, node), up += 1)
    place = `${styleOf(tree, node)}/${place}`
  return place
}
