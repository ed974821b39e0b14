import { tag, tagSet } from '../../content/tree/names.ts'
import {
  attributeNamed,
  endOf,
  hasEndTag,
  type Node,
  type Tree,
  tagOf,
  textAt,
} from '../../content/tree/tree.ts'
import type { PageFacts } from './page-facts.ts'
import { refreshOf } from './tag-facts.ts'
import { textLength } from './text-length.ts'

/**
 * Whether what an element holds is not markup, or is not shown. One that was never closed holds the rest of the page, unless all of
 * that is text to a browser.
 */
export function isUnread(tree: Tree, node: Node): boolean {
  const name = tagOf(tree, node)
  if (holdsText[name] === 1) return true
  if (unread[name] !== 1 || !hasEndTag(tree, node)) return false
  return name !== tag.template || attributeNamed(tree, node, 'shadowrootmode') === undefined
}

const holdsText = tagSet('iframe noembed noframes script style textarea title xmp')
const unread = tagSet('audio canvas noscript object select svg template video')

/** Most of these hold only styles, or pictures that count visits. */
export function readNoscript(facts: PageFacts, noscript: Node): void {
  const { tree } = facts
  const end = endOf(tree, noscript)
  for (let node = noscript + 1; node < end; ) {
    const name = tagOf(tree, node)
    if (name === 0) {
      const text = textAt(tree, node)
      if (textLength(text) > 0) facts.noscript += `${text} `
    }
    if (name === tag.meta) facts.noscriptRefresh ??= refreshOf(tree, node)
    node = isUnread(tree, node) ? endOf(tree, node) : node + 1
  }
}
