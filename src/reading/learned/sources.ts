import { imageSource } from '../../content/image-source.ts'
import { attr, tag } from '../../content/tree/names.ts'
import {
  attributeName,
  attributeNamed,
  attributeValue,
  endOf,
  firstChild,
  isText,
  type Node,
  none,
  type Tree,
  tagOf,
} from '../../content/tree/tree.ts'
import type { Elements } from './elements.ts'

/** A text of an element: what it shows, or what an attribute says. */
export interface Source {
  node: Node
  /** Empty for what it shows. */
  attribute: string
  text: string
}

/** What holds more is a part of the page and not a value. */
const mostNodes = 60
const longestAttribute = 300
const stated = new Set<number>([
  ...[attr.content, attr.datetime, attr.title, attr.alt, attr['aria-label'], attr.value],
])

/** Every text that may be a value. */
export function* sourcesOf({ tree, list, textOf }: Elements): Generator<Source> {
  for (const node of list) {
    if (endOf(tree, node) - node <= mostNodes && !isWrapper(tree, node)) {
      const text = textOf(node)
      if (text !== '') yield { node, attribute: '', text }
    }
    yield* attributesIn(tree, node)
  }
}

/** Around one element and nothing else: that one is meant. */
function isWrapper(tree: Tree, node: Node): boolean {
  const child = firstChild(tree, node)
  return child !== none && !isText(tree, child) && endOf(tree, child) === endOf(tree, node)
}

function* attributesIn(tree: Tree, node: Node): Generator<Source> {
  if (tagOf(tree, node) === tag.img) {
    const text = imageSource(tree, node)
    if (text) yield { node, attribute: 'src', text }
  }
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    const name = tree.attributes.names[at] ?? 0
    const called = name === 0 ? attributeName(tree, at) : ''
    if (name !== attr.href && !stated.has(name) && !called.startsWith('data-')) continue
    const text = attributeValue(tree, at)
    if (text !== '' && text.length <= (name === attr.href ? 4000 : longestAttribute))
      yield { node, attribute: called || attributeName(tree, at), text }
  }
}

/** What stands at a place of the page that is known. */
export function sourceAt({ tree, textOf }: Elements, node: Node, name: string): Source | undefined {
  const text =
    name === ''
      ? textOf(node)
      : name === 'src' && tagOf(tree, node) === tag.img
        ? imageSource(tree, node)
        : attributeNamed(tree, node, name)
  return text ? { node, attribute: name, text } : undefined
}

/** Addresses stand in these, and nothing else does. */
export const holdsAddress = ({ attribute: name }: Source) => name === 'href' || name === 'src'
