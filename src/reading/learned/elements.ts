import { attr, tag, tagSet } from '../../content/tree/names.ts'
import {
  attribute,
  endOf,
  isText,
  type Node,
  none,
  parentOf,
  type Tree,
  tagName,
  tagOf,
} from '../../content/tree/tree.ts'
import type { Lines } from '../fields/lines.ts'
import { shownText } from '../fields/shown-text.ts'
import { hashText, joinHashes } from './hash.ts'
import type { LocatorKind } from './memory.ts'

/** The elements of a page by the ways in which they are found again. */
export interface Elements {
  tree: Tree
  /** Elements that may hold a value, in order. */
  list: Node[]
  keyOf(kind: LocatorKind, node: Node): number
  /** Elements with this key, in order. */
  withKey(kind: LocatorKind, key: number): readonly Node[]
  /** The short text before an element; empty where there is none. */
  labelOf(node: Node): string
  textOf(node: Node): string
}

const mostElements = 60_000
const longestLabel = 60
/** Nodes of an element that is a label. */
const mostInLabel = 12
/** How many elements around an element tell it from others. */
const levels = { path: 4, near: 2, tags: 5, label: 1 } as const

export function readElements({ tree, weights }: Lines): Elements {
  const list: Node[] = []
  const previous = new Int32Array(tree.count).fill(none)
  const last = new Int32Array(tree.count).fill(none)
  const steps = new Uint32Array(tree.count)
  const tags = new Uint32Array(tree.count)
  /** The nearest element with an id. */
  const scopes = new Uint32Array(tree.count)
  const known = new Map<string, number>()
  for (let node = 1; node < tree.count; node += 1) {
    if (isText(tree, node)) continue
    const parent = parentOf(tree, node)
    previous[node] = last[parent] ?? none
    last[parent] = node
    tags[node] = hashed(known, tagName(tree, node))
    steps[node] = hashed(known, stepOf(tree, node))
    scopes[node] = plainId(tree, node) ? (steps[node] ?? 0) : (scopes[parent] ?? 0)
    if ((weights[node] ?? 0) > 0 && !isUnread(tree, node) && list.length < mostElements) list.push(node)
  }
  const texts = new Map<Node, string>()
  const textOf = (node: Node) => remembered(texts, node, () => shownText(tree, node))
  const labels = new Map<Node, string>()
  const labelOf = (node: Node) =>
    remembered(labels, node, () => {
      const before = previous[node] ?? none
      const parent = parentOf(tree, node)
      const above = before === none && parent > 0 ? (previous[parent] ?? none) : before
      return above === none || endOf(tree, above) - above > mostInLabel ? '' : labelIn(textOf(above))
    })
  const keyOf = (kind: LocatorKind, node: Node) => {
    const names = kind === 'tags' ? tags : steps
    let [key, at] = [hashText(kind), node]
    for (let level = 0; level < levels[kind] && at > 0; level += 1) {
      key = joinHashes(key, names[at] ?? 0)
      at = parentOf(tree, at)
    }
    if (kind === 'path') return joinHashes(key, scopes[node] ?? 0)
    return kind === 'label' ? joinHashes(key, hashText(labelOf(node))) : key
  }
  const indexes = new Map<LocatorKind, Map<number, Node[]>>()
  return {
    ...{ tree, list, keyOf, labelOf, textOf },
    withKey(kind, key) {
      const index = remembered(indexes, kind, () => Map.groupBy(list, (node) => keyOf(kind, node)))
      return index.get(key) ?? []
    },
  }
}

function remembered<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  const memo = known.get(key)
  if (memo !== undefined) return memo
  const made = make()
  known.set(key, made)
  return made
}

const hashed = (known: Map<string, number>, text: string) => remembered(known, text, () => hashText(text))

/** What the head and scripts say is read by other readers. */
function isUnread(tree: Tree, node: Node): boolean {
  const name = tagOf(tree, node)
  return unread[name] === 1 || tagOf(tree, parentOf(tree, node)) === tag.head
}

const unread = tagSet('html head body script style template noscript')

function plainId(tree: Tree, node: Node): boolean {
  const id = attribute(tree, node, attr.id) ?? ''
  return id !== '' && id.length <= 60 && !isNumbered.test(id)
}

const mostClasses = 4
/** Such names are of one page alone. */
const isNumbered = /\d{3}/

/** A tag with the names that it has. */
function stepOf(tree: Tree, node: Node): string {
  const classes = (attribute(tree, node, attr.class) ?? '')
    .slice(0, 300)
    .split(/\s+/)
    .filter((name) => name !== '' && name.length <= 60 && !isNumbered.test(name))
  const named = [attr.id, attr.itemprop, attr.name, attr.property, attr.rel].map((name) => {
    const value = attribute(tree, node, name) ?? ''
    return value.length > 60 || isNumbered.test(value) ? '' : value
  })
  return [tagName(tree, node), ...classes.slice(0, mostClasses).sort(), ...named].join('|')
}

/** A label is short and says nothing in numbers. */
export function labelIn(text: string): string {
  return text.length > longestLabel || /\d/.test(text)
    ? ''
    : text
        .toLowerCase()
        .replace(/[\s:：]+/g, ' ')
        .trim()
}
