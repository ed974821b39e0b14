import { _compileUnsafe, selectAll } from 'css-select'
import { parse, type Selector, SelectorType } from 'css-what'
import { bounds } from '../platform/bounds.ts'
import { lazy } from '../platform/functions.ts'
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

type SelectResult = { ok: true; nodes: Node[] } | { ok: false; reason: 'invalid' | 'costly' }

/** Steps already used on each page, because the limit applies to all selectors of a page together. */
const usedSteps = new WeakMap<Tree, number>()

type CountSteps = (steps: number) => void

export function select(tree: Tree, selector: string): SelectResult {
  let steps = 0
  const previousSteps = usedSteps.get(tree) ?? 0
  const maxSteps = bounds.MAX_SELECTOR_STEPS.most - previousSteps
  const count = (added: number) => {
    steps += added
    if (steps > maxSteps) throw new Error('the selector takes too many steps')
  }
  try {
    const matches = new Uint8Array(tree.count)
    for (const tokens of parse(selector)) {
      const compounds = splitCompounds(tokens)
      const added = compounds ? matchInPasses(tree, compounds, count) : matchByLibrary(tree, tokens, count)
      for (let node = 0; node < added.length; node += 1) if (added[node] === 1) matches[node] = 1
    }
    return { ok: true, nodes: [...matches.keys()].filter((node) => matches[node] === 1) }
  } catch {
    return { ok: false, reason: steps > maxSteps ? 'costly' : 'invalid' }
  } finally {
    usedSteps.set(tree, previousSteps + steps)
  }
}

export function findInvalidSelector(selectors: readonly string[]): number | undefined {
  const index = selectors.findIndex((selector) => selector.trim() === '' || !isValid(selector))
  return index === -1 ? undefined : index
}

const emptyTree = lazy(() => parseHtml('<p>'))

function isValid(selector: string): boolean {
  const options = { adapter: createAdapter(emptyTree(), () => {}) }
  try {
    for (const tokens of parse(selector)) {
      const compounds = splitCompounds(tokens)?.map((compound) => compound.tokens)
      for (const part of compounds ?? [tokens]) _compileUnsafe<Handle, Handle>([part], options)
    }
    return true
  } catch {
    return false
  }
}

interface Compound {
  combinator: SelectorType | undefined
  tokens: Selector[]
}

const { Descendant, Child, Sibling, Adjacent } = SelectorType
const combinators = new Set<SelectorType>([Descendant, Child, Sibling, Adjacent])

/** Returns undefined for a selector that only the library can match: a relative one, or one with `:scope`. */
function splitCompounds(tokens: readonly Selector[]): Compound[] | undefined {
  const compounds: Compound[] = [{ combinator: undefined, tokens: [] }]
  for (const token of tokens) {
    if (token.type === SelectorType.Pseudo && token.name === 'scope') return undefined
    if (combinators.has(token.type)) compounds.push({ combinator: token.type, tokens: [] })
    else compounds.at(-1)?.tokens.push(token)
  }
  return compounds.every((compound) => compound.tokens.length > 0) ? compounds : undefined
}

/** Matches in one pass per compound: the library tries all combinations, so a dozen `~` would take years. */
function matchInPasses(tree: Tree, compounds: readonly Compound[], count: CountSteps): Uint8Array {
  const handles = getHandles(tree, count)
  let matched = new Uint8Array(tree.count)
  for (const { combinator, tokens } of compounds) {
    count(tree.count)
    const isMatch = _compileUnsafe<Handle, Handle>([tokens], { adapter: createAdapter(tree, count) })
    const isReached = createReachedPredicate(tree, matched, combinator)
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

/** The predicate must be called for all elements, in document order. */
function createReachedPredicate(tree: Tree, matched: Uint8Array, combinator: SelectorType | undefined) {
  if (combinator === undefined) return () => true
  if (combinator === SelectorType.Child) return (node: Node) => matched[parentOf(tree, node)] === 1
  if (combinator === SelectorType.Descendant) {
    let descendantsEnd = 0
    return (node: Node) => {
      const isBelow = node < descendantsEnd
      if (matched[node] === 1) descendantsEnd = Math.max(descendantsEnd, endOf(tree, node))
      return isBelow
    }
  }
  /** Per parent: 1 if its latest element, or any of its elements so far, matches. */
  const matchedBefore = new Uint8Array(tree.count)
  const isAdjacent = combinator === SelectorType.Adjacent
  return (node: Node) => {
    const parent = parentOf(tree, node)
    const isAfter = matchedBefore[parent] === 1
    if (isAdjacent || matched[node] === 1) matchedBefore[parent] = matched[node] ?? 0
    return isAfter
  }
}

function matchByLibrary(tree: Tree, tokens: Selector[], count: CountSteps): Uint8Array {
  const matched = new Uint8Array(tree.count)
  const adapter = createAdapter(tree, count)
  for (const { node } of selectAll<Handle, Handle>([tokens], rootHandle(tree), { adapter })) matched[node] = 1
  return matched
}

/** A node as an object, because css-select caches its results per object. */
interface Handle {
  node: Node
  parent: Handle | null
  index: number
  children: Handle[] | undefined
  attributes: Map<string, string> | undefined
}

const rootHandles = new WeakMap<Tree, Handle>()

function rootHandle(tree: Tree): Handle {
  const handle = rootHandles.get(tree) ?? createHandle(root, null, 0)
  rootHandles.set(tree, handle)
  return handle
}

const handleLists = new WeakMap<Tree, Handle[]>()

function getHandles(tree: Tree, count: CountSteps): Handle[] {
  const cached = handleLists.get(tree)
  if (cached) return cached
  count(tree.count)
  const handles: Handle[] = [rootHandle(tree)]
  for (let node = root; node < tree.count; node += 1) {
    const handle = handles[node]
    if (handle) for (const child of getChildren(tree, handle)) handles[child.node] = child
  }
  handleLists.set(tree, handles)
  return handles
}

function createHandle(node: Node, parent: Handle | null, index: number): Handle {
  return { node, parent, index, children: undefined, attributes: undefined }
}

function createAdapter(tree: Tree, count: CountSteps) {
  return {
    isTag(handle: Handle): handle is Handle {
      count(1)
      return tree.tags[handle.node] !== 0
    },
    getName: ({ node }: Handle) => tagName(tree, node),
    getParent: ({ parent }: Handle) => parent,
    getChildren: (handle: Handle) => getChildren(tree, handle),
    getSiblings: (handle: Handle) => getSiblings(tree, handle),
    prevElementSibling(handle: Handle): Handle | null {
      const siblings = getSiblings(tree, handle)
      let index = handle.index - 1
      while (index >= 0 && isText(tree, siblings[index]?.node ?? root)) index -= 1
      count(handle.index - index)
      return siblings[index] ?? null
    },
    getText({ node }: Handle): string {
      count(endOf(tree, node) - node)
      return getShownText(tree, node)
    },
    getAttributeValue: (handle: Handle, name: string) => getAttributeValue(tree, handle, name),
    hasAttrib: (handle: Handle, name: string) => getAttributeValue(tree, handle, name) !== undefined,
    // Searches start only at the root, which has no ancestor.
    removeSubsets: (handles: Handle[]) => handles,
  }
}

const noChildren: Handle[] = []

function getChildren(tree: Tree, handle: Handle): Handle[] {
  if (handle.children) return handle.children
  const end = endOf(tree, handle.node)
  if (handle.node + 1 === end) return noChildren
  const children: Handle[] = []
  for (let node = handle.node + 1; node < end; node = endOf(tree, node)) {
    children.push(createHandle(node, handle, children.length))
  }
  handle.children = children
  return children
}

const getSiblings = (tree: Tree, handle: Handle): Handle[] =>
  handle.parent ? getChildren(tree, handle.parent) : [handle]

function getShownText(tree: Tree, from: Node): string {
  let text = ''
  const end = endOf(tree, from)
  for (let node = from; node < end; node += 1) {
    if (isText(tree, node)) text += textAt(tree, node)
    else if (tree.tags[node] === tag.br) text += '\n'
  }
  return text
}

/** An element may have thousands of attributes, and each element inside it may query one of them. */
const maxLinearAttributes = 16

function getAttributeValue(tree: Tree, handle: Handle, name: string): string | undefined {
  const { node } = handle
  if ((tree.stops[node] ?? 0) - (tree.starts[node] ?? 0) <= maxLinearAttributes) {
    return attributeNamed(tree, node, name)
  }
  handle.attributes ??= attributesOf(tree, node)
  return handle.attributes.get(name)
}
