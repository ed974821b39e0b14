import { selectAll } from 'css-select'
import { tag } from './tree/names.ts'
import { parseHtml } from './tree/parse.ts'
import {
  attributeNamed,
  attributesOf,
  endOf,
  isText,
  type Node,
  root,
  type Tree,
  tagName,
  textAt,
} from './tree/tree.ts'

export type Selected = { ok: true; nodes: Node[] } | { ok: false; reason: 'invalid' | 'costly' }

/** Some selectors compare every element with all its siblings; on a long table that would take minutes. */
const maxSteps = 50_000_000
/** For all selectors on one page together: a hundred that are each just affordable are not. */
const maxStepsOfPage = 4 * maxSteps
const stepsTaken = new WeakMap<Tree, number>()

/** Elements that match a CSS selector, in document order. */
export function select(tree: Tree, selector: string): Selected {
  let steps = 0
  const before = stepsTaken.get(tree) ?? 0
  const most = Math.min(maxSteps, maxStepsOfPage - before)
  const count = (more: number) => {
    steps += more
    if (steps > most) throw new Error('the selector takes too many steps')
  }
  try {
    const adapter = adapterOf(tree, count)
    const found = selectAll<Handle, Handle>(selector, rootHandle(tree), { adapter })
    return { ok: true, nodes: found.map(({ node }) => node) }
  } catch {
    return { ok: false, reason: steps > most ? 'costly' : 'invalid' }
  } finally {
    stepsTaken.set(tree, before + steps)
  }
}

/** The first of these that is not a CSS selector. */
export function invalidSelector(selectors: string[]): string | undefined {
  const tree = parseHtml('<p>')
  return selectors.find((selector) => selector.trim() === '' || !select(tree, selector).ok)
}

/** A node as an object, because the search remembers what it found out about each. */
interface Handle {
  node: Node
  parent: Handle | null
  /** Its place among its siblings. */
  index: number
  children: Handle[] | undefined
  attributes: Map<string, string> | undefined
}

/** Pages on which nothing is selected need none, and several selectors on one page share them. */
const rootHandles = new WeakMap<Tree, Handle>()

function rootHandle(tree: Tree): Handle {
  const known = rootHandles.get(tree)
  if (known) return known
  const handle = newHandle(root, null, 0)
  rootHandles.set(tree, handle)
  return handle
}

function newHandle(node: Node, parent: Handle | null, index: number): Handle {
  return { node, parent, index, children: undefined, attributes: undefined }
}

function adapterOf(tree: Tree, count: (steps: number) => void) {
  return {
    isTag(handle: Handle): handle is Handle {
      count(1)
      return tree.tags[handle.node] !== 0
    },
    getName: ({ node }: Handle) => tagName(tree, node),
    getParent: ({ parent }: Handle) => parent,
    getChildren: (handle: Handle) => childrenOf(tree, handle),
    getSiblings: (handle: Handle) => siblingsOf(tree, handle),
    prevElementSibling(handle: Handle): Handle | null {
      const siblings = siblingsOf(tree, handle)
      let index = handle.index - 1
      while (index >= 0 && isText(tree, siblings[index]?.node ?? root)) index -= 1
      count(handle.index - index)
      return siblings[index] ?? null
    },
    getText({ node }: Handle): string {
      count(endOf(tree, node) - node)
      return shownText(tree, node)
    },
    getAttributeValue: (handle: Handle, name: string) => valueNamed(tree, handle, name),
    hasAttrib: (handle: Handle, name: string) => valueNamed(tree, handle, name) !== undefined,
    // Searches begin at the root alone, which is in nothing else.
    removeSubsets: (handles: Handle[]) => handles,
  }
}

const noChildren: Handle[] = []

function childrenOf(tree: Tree, handle: Handle): Handle[] {
  if (handle.children) return handle.children
  const end = endOf(tree, handle.node)
  if (handle.node + 1 === end) return noChildren
  const children: Handle[] = []
  for (let node = handle.node + 1; node < end; node = endOf(tree, node)) {
    children.push(newHandle(node, handle, children.length))
  }
  handle.children = children
  return children
}

function siblingsOf(tree: Tree, handle: Handle): Handle[] {
  return handle.parent ? childrenOf(tree, handle.parent) : [handle]
}

function shownText(tree: Tree, from: Node): string {
  let text = ''
  const end = endOf(tree, from)
  for (let node = from; node < end; node += 1) {
    if (isText(tree, node)) text += textAt(tree, node)
    else if (tree.tags[node] === tag.br) text += '\n'
  }
  return text
}

/** An element may have thousands of attributes and be asked for one of them once for each element inside it. */
const fewAttributes = 16

function valueNamed(tree: Tree, handle: Handle, name: string): string | undefined {
  const { node } = handle
  if ((tree.stops[node] ?? 0) - (tree.starts[node] ?? 0) <= fewAttributes) {
    return attributeNamed(tree, node, name)
  }
  handle.attributes ??= attributesOf(tree, node)
  return handle.attributes.get(name)
}
