import { listedTags } from './names.ts'
import { crossedByListItems, scopeBorders, specialElements } from './rules.ts'
import { contentNamespace, html, type Namespace } from './source.ts'
import { type Node, none, root } from './tree.ts'
import type { TreeWriter } from './tree-writer.ts'

/** Each index stores what stops a search at or below it, so stray end tags at any depth take constant time. */
export type OpenElements = ReturnType<typeof createOpenElements>

export function createOpenElements(writer: TreeWriter) {
  const size = writer.limits.maxDepth + 2
  return {
    writer,
    depth: 0,
    nodes: new Int32Array(size),
    tags: new Uint16Array(size),
    minDepth: 0,
    contentNamespaces: new Uint8Array(size),
    htmls: new Int32Array(size),
    foreigns: new Int32Array(size),
    /** Index that end tags do not reach below, except those of table parts. */
    scopes: new Int32Array(size),
    /** Index that stray end tags of inline elements do not reach below. */
    specials: new Int32Array(size),
    /** Index below which a new list item does not close an item. */
    lists: new Int32Array(size),
    sameNames: new Int32Array(size),
    lastIndexes: new Array<number>(listedTags.length).fill(-1),
  }
}

export const currentNode = (open: OpenElements): Node =>
  open.depth === 0 ? root : (open.nodes[open.depth - 1] ?? root)

export const currentTag = (open: OpenElements) => (open.depth === 0 ? 0 : (open.tags[open.depth - 1] ?? 0))

export function currentNamespace(open: OpenElements): Namespace {
  return open.depth === 0 ? html : (open.contentNamespaces[open.depth - 1] ?? html)
}

export const isForeignContent = (open: OpenElements) => currentNamespace(open) !== html

export function lastIndexOf(open: OpenElements, name: number): number {
  return open.lastIndexes[name] ?? -1
}

export function nearest(open: OpenElements, names: readonly number[]): number {
  let index = -1
  for (const name of names) index = Math.max(index, lastIndexOf(open, name))
  return index
}

type BorderKind = 'scopes' | 'specials' | 'lists' | 'htmls' | 'foreigns'

export function border(open: OpenElements, kind: BorderKind): number {
  return open.depth === 0 ? -1 : (open[kind][open.depth - 1] ?? -1)
}

export function push(open: OpenElements, node: Node, name: number, space: Namespace): void {
  const index = open.depth
  const content = contentNamespace(space, name)
  const isHtml = space === html
  const isSpecial = isHtml ? specialElements[name] === 1 : content === html
  open.nodes[index] = node
  open.tags[index] = name
  open.contentNamespaces[index] = content
  open.htmls[index] = isHtml ? index : border(open, 'htmls')
  open.foreigns[index] = isHtml ? border(open, 'foreigns') : index
  open.scopes[index] = isHtml && scopeBorders[name] === 1 ? index : border(open, 'scopes')
  open.specials[index] = isSpecial ? index : border(open, 'specials')
  open.lists[index] = isSpecial && crossedByListItems[name] !== 1 ? index : border(open, 'lists')
  open.sameNames[index] = lastIndexOf(open, name)
  open.lastIndexes[name] = index
  open.depth = index + 1
}

export function closeCurrent(open: OpenElements): void {
  const index = open.depth - 1
  const node = open.nodes[index] ?? none
  open.lastIndexes[open.tags[index] ?? 0] = open.sameNames[index] ?? -1
  open.writer.tree.ends[node] = open.writer.tree.count
  open.depth = index
}

export function closeTo(open: OpenElements, index: number): void {
  while (open.depth > index && open.depth > 0) closeCurrent(open)
}
