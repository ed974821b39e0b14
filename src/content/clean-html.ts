import { render } from 'dom-serializer'
import { type ChildNode, Document, Element, isTag, isText, type ParentNode, Text } from 'domhandler'
import { absoluteUrl, type Parts } from './dom.ts'
import { imageSource, largestCandidate } from './image-source.ts'

/**
 * A copy of these parts for readers: no code, no metadata, every address absolute. The original is left
 * alone.
 */
export function cleanTree(parts: Parts, base: string): Document {
  const clean = new Document([])
  const keepsNoscript = isWrittenInNoscript(parts.kept)
  copyInto(clean, parts.kept, { base, dropped: parts.dropped, keepsNoscript })
  return clean
}

export function writeHtml(tree: Document): string {
  return render(tree, { encodeEntities: 'utf8' }).trim()
}

interface CopyRules {
  base: string
  dropped: ReadonlySet<ChildNode>
  keepsNoscript: boolean
}

const unread = new Set(['base', 'head', 'link', 'meta', 'noscript', 'script', 'style', 'template', 'title'])

// The parser bounds the depth of a tree, so recursion is safe here.
function copyInto(parent: ParentNode, nodes: readonly ChildNode[], rules: CopyRules): void {
  for (const node of nodes) {
    if (rules.dropped.has(node)) continue
    if (isText(node)) append(parent, new Text(node.data))
    if (!isTag(node)) continue
    if (node.name === 'noscript' && rules.keepsNoscript) copyInto(parent, node.children, rules)
    if (unread.has(node.name)) continue
    const copy = new Element(node.name, cleanAttributes(node, rules.base))
    append(parent, copy)
    copyInto(copy, node.children, rules)
  }
}

function append(parent: ParentNode, node: Element | Text): void {
  const previous = parent.children.at(-1)
  if (previous) {
    previous.next = node
    node.prev = previous
  }
  node.parent = parent
  parent.children.push(node)
}

function cleanAttributes(element: Element, base: string): Record<string, string> {
  const { href, src, srcset, poster } = element.attribs
  if (element.name === 'img') {
    const { srcset: _, ...attributes } = element.attribs
    const source = imageSource(element)
    return source === undefined ? attributes : { ...attributes, src: absoluteUrl(source, base) ?? source }
  }
  if (href === undefined && src === undefined && srcset === undefined && poster === undefined) {
    return element.attribs
  }
  const attributes = { ...element.attribs }
  // In a drawing an address such as "#arrow" names a part of the same drawing.
  if (href !== undefined && element.name !== 'use') attributes.href = absoluteUrl(href, base) ?? href
  if (src !== undefined) attributes.src = absoluteUrl(src, base) ?? src
  if (poster !== undefined) attributes.poster = absoluteUrl(poster, base) ?? poster
  const largest = largestCandidate(srcset)
  if (largest !== undefined) attributes.srcset = absoluteUrl(largest, base) ?? largest
  return attributes
}

/**
 * Some forums send their pages twice: for scripts, and as text inside noscript. Only the second can be read.
 */
function isWrittenInNoscript(nodes: readonly ChildNode[]): boolean {
  const lengths = { inside: 0, outside: 0 }
  measure(nodes, 'outside', lengths)
  return lengths.inside >= 200 && lengths.inside > lengths.outside * 2
}

type Place = 'inside' | 'outside'

function measure(nodes: readonly ChildNode[], place: Place, lengths: Record<Place, number>): void {
  for (const node of nodes) {
    if (isText(node)) lengths[place] += node.data.trim().length
    else if (isTag(node) && node.name === 'noscript') measure(node.children, 'inside', lengths)
    else if (isTag(node) && !unread.has(node.name)) measure(node.children, place, lengths)
  }
}
