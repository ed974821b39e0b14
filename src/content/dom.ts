import { selectAll } from 'css-select'
import {
  type AnyNode,
  type ChildNode,
  type Document,
  type Element,
  hasChildren,
  isTag,
  isText,
  type ParentNode,
} from 'domhandler'
import * as DomUtils from 'domutils'
import type { Tree } from './open-elements.ts'
import { buildTree, type TreeOptions } from './tree-builder.ts'

/** Deep enough for any page made for people; browsers stop at the same depth. */
const usualOptions: TreeOptions = { maxDepth: 512, maxNodes: 1_000_000, isXhtml: false }

export function parseHtml(html: string, options: Partial<TreeOptions> = {}): Tree {
  const clean = /[\r\0]/.test(html) ? html.replace(/\r\n?/g, '\n').replaceAll('\0', '') : html
  return buildTree(clean, { ...usualOptions, ...options })
}

/** The address that relative links start from: the first `<base href>`, else the page itself. */
export function baseUrl(root: Document, pageUrl: string): string {
  for (const element of elementsOf(root)) {
    if (element.name !== 'base' || element.attribs.href === undefined) continue
    const url = absoluteUrl(element.attribs.href, pageUrl)
    return url && /^https?:/.test(url) ? url : pageUrl
  }
  return pageUrl
}

/** An address made absolute. Nothing for one that is empty, invalid, a script or carries its own bytes. */
export function absoluteUrl(href: string | undefined, base: string): string | undefined {
  const trimmed = href?.trim()
  if (!trimmed) return undefined
  const url = URL.parse(trimmed, base)
  if (!url || /^(?:javascript|vbscript|data):$/.test(url.protocol)) return undefined
  return url.href
}

/** Parts of a tree: whole subtrees in document order, and what is left out inside them. */
export interface Parts {
  kept: readonly ChildNode[]
  dropped: ReadonlySet<ChildNode>
}

export type Selected = { ok: true; elements: Element[] } | { ok: false; reason: 'invalid' | 'costly' }

/** Some selectors compare every element with all its siblings; on a long table that would take minutes. */
const maxSteps = 50_000_000

/** Elements that match a CSS selector, in document order. */
export function select(root: Document, selector: string): Selected {
  let steps = 0
  const countedIsTag = (node: AnyNode): node is Element => {
    steps += 1
    if (steps > maxSteps) throw new Error('the selector takes too many steps')
    return isTag(node)
  }
  try {
    const options = { adapter: { ...DomUtils, isTag: countedIsTag } }
    return { ok: true, elements: selectAll<AnyNode, Element>(selector, root, options) }
  } catch {
    return { ok: false, reason: steps > maxSteps ? 'costly' : 'invalid' }
  }
}

/** The first of these that is not a CSS selector. */
export function invalidSelector(selectors: string[]): string | undefined {
  const { root } = parseHtml('<p>')
  return selectors.find((selector) => selector.trim() === '' || !select(root, selector).ok)
}

/** Every node below, in document order, without recursion. */
export function* nodesOf(root: ParentNode): Generator<ChildNode> {
  let node = root.children[0]
  while (node) {
    yield node
    node = following(node, root)
  }
}

/** The next node in document order, inside the root. */
export function following(
  node: ChildNode,
  root: ParentNode,
  { skipsChildren }: { skipsChildren: boolean } = { skipsChildren: false },
): ChildNode | undefined {
  if (!skipsChildren && hasChildren(node) && node.children[0]) return node.children[0]
  let current: ChildNode = node
  while (current !== root) {
    if (current.next) return current.next
    current = current.parent ?? root
  }
  return undefined
}

export function* elementsOf(root: ParentNode): Generator<Element> {
  for (const node of nodesOf(root)) if (isTag(node)) yield node
}

/** All text below, as written. */
export function textOf(root: ParentNode): string {
  const parts: string[] = []
  for (const node of nodesOf(root)) if (isText(node)) parts.push(node.data)
  return parts.join('')
}
