import { _compileUnsafe, selectAll } from 'css-select'
import { parse, type Selector, SelectorType } from 'css-what'
import { bounds } from '../platform/bounds.ts'
import { once } from '../platform/functions.ts'
import { tag } from './tree/names.ts'
import { parseHtml } from './tree/parse.ts'
import {
  attributeNamed,
  attributesOf,
  endOf,
  isText,
  type Node,
  parentOf,
  root,
  type Tree,
  tagName,
  textAt,
} from './tree/tree.ts'

type Selected = { ok: true; nodes: Node[] } | { ok: false; reason: 'invalid' | 'costly' }

/** Steps that were used on each page, because the bound holds for all selectors of a page together. */
const stepsTaken = new WeakMap<Tree, number>()

type CountSteps = (steps: number) => void

/** Elements that match a CSS selector, in document order. */
export function select(tree: Tree, selector: string): Selected {
  let steps = 0
  const before = stepsTaken.get(tree) ?? 0
  const most = bounds.MAX_SELECTOR_STEPS.most - before
  const count = (more: number) => {
    steps += more
    if (steps > most) throw new Error('the selector takes too many steps')
  }
  try {
    const matches = new Uint8Array(tree.count)
    for (const tokens of parse(selector)) addMatches(tree, { tokens, matches, count })
    return { ok: true, nodes: [...matches.keys()].filter((node) => matches[node] === 1) }
  } catch {
    return { ok: false, reason: steps > most ? 'costly' : 'invalid' }
  } finally {
    stepsTaken.set(tree, before + steps)
  }
}

/** The index of the first of these that is not a CSS selector. */
export function findInvalidSelector(selectors: readonly string[]): number | undefined {
  const index = selectors.findIndex((selector) => selector.trim() === '' || !isValid(selector))
  return index === -1 ? undefined : index
}

const emptyTree = once(() => parseHtml('<p>'))

/** Compiles a selector without matching it. */
function isValid(selector: string): boolean {
  const options = { adapter: adapterOf(emptyTree(), () => {}) }
  try {
    for (const tokens of parse(selector)) {
      const compounds = compoundsOf(tokens)?.map((compound) => compound.tokens)
      for (const part of compounds ?? [tokens]) _compileUnsafe<Handle, Handle>([part], options)
    }
    return true
  } catch {
    return false
  }
}

interface Alternative {
  tokens: Selector[]
  /** 1 for each node that matches this alternative or an earlier one. */
  matches: Uint8Array
  count: CountSteps
}

function addMatches(tree: Tree, { tokens, matches, count }: Alternative): void {
  const compounds = compoundsOf(tokens)
  const found = compounds ? matchInPasses(tree, compounds, count) : matchByLibrary(tree, tokens, count)
  for (let node = 0; node < found.length; node += 1) if (found[node] === 1) matches[node] = 1
}

/** A part of a selector without combinators, and the combinator before it. */
interface Compound {
  combinator: SelectorType | undefined
  tokens: Selector[]
}

const combinators = new Set([
  ...[SelectorType.Descendant, SelectorType.Child, SelectorType.Sibling, SelectorType.Adjacent],
])

/** Undefined for a selector that only the library can match: a relative one, or one with `:scope`. */
function compoundsOf(tokens: readonly Selector[]): Compound[] | undefined {
  const compounds: Compound[] = [{ combinator: undefined, tokens: [] }]
  for (const token of tokens) {
    if (token.type === SelectorType.Pseudo && token.name === 'scope') return undefined
    if (combinators.has(token.type)) compounds.push({ combinator: token.type, tokens: [] })
    else compounds.at(-1)?.tokens.push(token)
  }
  return compounds.every((compound) => compound.tokens.length > 0) ? compounds : undefined
}

/**
 * Matches one compound after the other, each in one pass over the page. The library tries every combination of elements instead,
 * so that a dozen `~` would take years on a page of some kilobytes.
 */
function matchInPasses(tree: Tree, compounds: readonly Compound[], count: CountSteps): Uint8Array {
  const handles = handlesOf(tree, count)
  let matched = new Uint8Array(tree.count)
  for (const { combinator, tokens } of compounds) {
    count(tree.count)
    const isMatch = _compileUnsafe<Handle, Handle>([tokens], { adapter: adapterOf(tree, count) })
    const isReached = reachedFrom(tree, matched, combinator)
    const next = new Uint8Array(tree.count)
    for (let node = root + 1; node < tree.count; node += 1) {
      if (isText(tree, node) || !isReached(node)) continue
      count(1)
      const handle = handles[node]
      if (handle && isMatch(handle)) next[node] = 1
    }
    matched = next
  }
  return matched
}

/** Whether the combinator leads from a matched element to an element. It is asked about all elements, in document order. */
function reachedFrom(tree: Tree, matched: Uint8Array, combinator: SelectorType | undefined) {
  if (combinator === undefined) return () => true
  if (combinator === SelectorType.Child) return (node: Node) => matched[parentOf(tree, node)] === 1
  if (combinator === SelectorType.Descendant) {
    let end = 0
    return (node: Node) => {
      const isBelow = node < end
      if (matched[node] === 1) end = Math.max(end, endOf(tree, node))
      return isBelow
    }
  }
  /** For each parent: whether its latest element, or any of its elements so far, is matched. */
  const earlier = new Uint8Array(tree.count)
  const isAdjacent = combinator === SelectorType.Adjacent
  return (node: Node) => {
    const parent = parentOf(tree, node)
    const isAfter = earlier[parent] === 1
    if (isAdjacent || matched[node] === 1) earlier[parent] = matched[node] ?? 0
    return isAfter
  }
}

function matchByLibrary(tree: Tree, tokens: Selector[], count: CountSteps): Uint8Array {
  const matched = new Uint8Array(tree.count)
  const adapter = adapterOf(tree, count)
  for (const { node } of selectAll<Handle, Handle>([tokens], rootHandle(tree), { adapter })) matched[node] = 1
  return matched
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

const handleLists = new WeakMap<Tree, Handle[]>()

/** The handle of each node. */
function handlesOf(tree: Tree, count: CountSteps): Handle[] {
  const known = handleLists.get(tree)
  if (known) return known
  count(tree.count)
  const handles: Handle[] = [rootHandle(tree)]
  for (let node = root; node < tree.count; node += 1) {
    const handle = handles[node]
    if (handle) for (const child of childrenOf(tree, handle)) handles[child.node] = child
  }
  handleLists.set(tree, handles)
  return handles
}

function newHandle(node: Node, parent: Handle | null, index: number): Handle {
  return { node, parent, index, children: undefined, attributes: undefined }
}

function adapterOf(tree: Tree, count: CountSteps) {
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
