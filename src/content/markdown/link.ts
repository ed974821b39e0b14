import { absoluteUrl } from '../addresses.ts'
import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  classOf,
  endOf,
  findNode,
  findTag,
  type Node,
  none,
  parentOf,
  type Tree,
  textAt,
} from '../tree/tree.ts'
import { beginningOf } from './code.ts'
import { destination } from './escape.ts'
import { permalinkBit } from './facts.ts'
import type { Writer } from './writer.ts'

export function createTargets(base: string): Writer['targetOf'] {
  const targets = new Map<string, string>()
  return (href) => {
    if (!href) return ''
    let target = targets.get(href)
    if (target === undefined) {
      const url = absoluteUrl(href, base)
      target = url === undefined ? '' : destination(url)
      targets.set(href, target)
    }
    return target
  }
}

export function targetOfLink(writer: Writer, anchor: Node): string {
  return writer.targetOf(attribute(writer.tree, anchor, attr.href))
}

const headings = tagSet('h1 h2 h3 h4 h5 h6')

export const isHeading = (tree: Tree, node: Node) => headings[tree.tags[node] ?? 0] === 1

/** Also matches the arrow to a quoted post, and a link within the page without text. */
export function isPermalinkTo(
  { tree, facts, page, isInHeading }: Writer,
  anchor: Node,
  target: string,
): boolean {
  const hasPermalinkClass = ((facts[anchor] ?? 0) & permalinkBit) !== 0
  const isInHeadingElement = isHeading(tree, parentOf(tree, anchor)) && target.includes('#')
  const isInPage = target.startsWith(page)
  if (target.includes('#') && isArrow(tree, anchor)) return true
  if (!isInHeadingElement && !isInPage) return false
  const text = beginningOf(tree, anchor, 60).replace(/[\s\u200b\u2060\ufeff]/g, '')
  if (text === '')
    return hasPermalinkClass || findTag(tree, tag.img, anchor + 1, endOf(tree, anchor)) === none
  if (!isInPage) return false
  if (/^(?:[#¶§🔗⚓∞🔖]\ufe0f?|permalink)$/iu.test(text)) return true
  if (isInHeading && !/[\p{L}\p{N}]/u.test(text)) return true
  return hasPermalinkClass && /^(?:\W{1,2}|(?:perma|direct|anchor|copy|section)?link(?:to\w+)?)$/iu.test(text)
}

const isArrow = (tree: Tree, anchor: Node) =>
  endOf(tree, anchor) === anchor + 2 && /^\s*↑\s*$/.test(textAt(tree, anchor + 1))

/** The word "source" alone requires a matching class, because it may be part of the text. */
export function isSourceLink(tree: Tree, anchor: Node): boolean {
  const text = beginningOf(tree, anchor, 30).trim()
  if (/^(?:\[\s*(?:source|src)\s*\]|view\s+(?:source|src)(?:\s+code)?)$/i.test(text)) return true
  return /^(?:source|src)$/i.test(text) && /(?:src|source|link)/i.test(classOf(tree, anchor) ?? '')
}

const openingBracket = 91
const closingBracket = 93
const openingParenthesis = 40

export function hasUnevenBrackets(tree: Tree, anchor: Node): boolean {
  const end = endOf(tree, anchor)
  let depth = 0
  for (let at = anchor + 1; at < end; at += 1) {
    if (tree.tags[at] !== 0) continue
    const start = tree.starts[at] ?? 0
    const text = start < 0 ? textAt(tree, at) : tree.html
    const stop = start < 0 ? text.length : (tree.stops[at] ?? 0)
    for (let index = Math.max(start, 0); index < stop; index += 1) {
      const code = text.charCodeAt(index)
      if (code === openingBracket) depth += 1
      else if (code === closingBracket) {
        depth -= 1
        if (depth < 0 || text.charCodeAt(index + 1) === openingParenthesis) return true
      }
    }
  }
  return depth !== 0
}

export function findHeadingIn(tree: Tree, anchor: Node): Node {
  const end = Math.min(endOf(tree, anchor), anchor + 400)
  const isHeadingWithText = (at: Node) => isHeading(tree, at) && beginningOf(tree, at, 60).trim() !== ''
  return findNode(anchor + 1, end, isHeadingWithText)
}
