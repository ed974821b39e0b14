import { absoluteUrl } from '../addresses.ts'
import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  classOf,
  endOf,
  findTag,
  type Node,
  none,
  parentOf,
  type Tree,
  textAt,
} from '../tree/tree.ts'
import { beginningOf } from './code.ts'
import { destination } from './escape.ts'
import { isPermalink } from './facts.ts'
import type { Writer } from './writer.ts'

/** Addresses repeat on a page; each is resolved once. */
export function createTargets(base: string): Writer['targetOf'] {
  const known = new Map<string, string>()
  return (href) => {
    if (!href) return ''
    let target = known.get(href)
    if (target === undefined) {
      const url = absoluteUrl(href, base)
      target = url === undefined ? '' : destination(url)
      known.set(href, target)
    }
    return target
  }
}

export function targetOfLink(writer: Writer, anchor: Node): string {
  return writer.targetOf(attribute(writer.tree, anchor, attr.href))
}

const headings = tagSet('h1 h2 h3 h4 h5 h6')

export const isHeading = (tree: Tree, node: Node) => headings[tree.tags[node] ?? 0] === 1

/**
 * A sign beside a heading that links to the heading itself, an arrow up to what is answered, or a link within the page that
 * shows nothing.
 */
export function isPermalinkTo(
  { tree, facts, page, isInHeading }: Writer,
  anchor: Node,
  target: string,
): boolean {
  const isMarked = ((facts[anchor] ?? 0) & isPermalink) !== 0
  const isOfHeading = isHeading(tree, parentOf(tree, anchor)) && target.includes('#')
  const isInPage = target.startsWith(page)
  if (target.includes('#') && isArrow(tree, anchor)) return true
  if (!isOfHeading && !isInPage) return false
  const text = beginningOf(tree, anchor, 60).replace(/[\s\u200b\u2060\ufeff]/g, '')
  if (text === '') return isMarked || findTag(tree, tag.img, anchor + 1, endOf(tree, anchor)) === none
  if (!isInPage) return false
  if (/^(?:[#¶§🔗⚓∞🔖]\ufe0f?|permalink)$/iu.test(text)) return true
  if (isInHeading && !/[\p{L}\p{N}]/u.test(text)) return true
  return isMarked && /^(?:\W{1,2}|(?:perma|direct|anchor|copy|section)?link(?:to\w+)?)$/iu.test(text)
}

/** Boards put it behind who is quoted. */
const isArrow = (tree: Tree, anchor: Node) =>
  endOf(tree, anchor) === anchor + 2 && /^\s*↑\s*$/.test(textAt(tree, anchor + 1))

/** A link from a declaration or a heading to the file it was made from; the word alone may be a part of it. */
export function isSourceLink(tree: Tree, anchor: Node): boolean {
  const text = beginningOf(tree, anchor, 30).trim()
  if (/^(?:\[\s*(?:source|src)\s*\]|view\s+(?:source|src)(?:\s+code)?)$/i.test(text)) return true
  return /^(?:source|src)$/i.test(text) && /(?:src|source|link)/i.test(classOf(tree, anchor) ?? '')
}

const openingBracket = 91
const closingBracket = 93
const openingParenthesis = 40

/** Whether the brackets in the text of a link would end it too early, or make another link of it. */
export function hasUnevenBrackets(tree: Tree, anchor: Node): boolean {
  const end = endOf(tree, anchor)
  let depth = 0
  for (let at = anchor + 1; at < end; at += 1) {
    if (tree.tags[at] !== 0) continue
    const start = tree.starts[at] ?? 0
    const text = start < 0 ? textAt(tree, at) : tree.html
    const stop = start < 0 ? text.length : (tree.stops[at] ?? 0)
    for (let place = Math.max(start, 0); place < stop; place += 1) {
      const code = text.charCodeAt(place)
      if (code === openingBracket) depth += 1
      else if (code === closingBracket) {
        depth -= 1
        if (depth < 0 || text.charCodeAt(place + 1) === openingParenthesis) return true
      }
    }
  }
  return depth !== 0
}

/** The heading of a card stands near its start; a link around a whole page is not worth a longer search. */
export function headingIn(tree: Tree, anchor: Node): Node | undefined {
  const end = Math.min(endOf(tree, anchor), anchor + 400)
  for (let at = anchor + 1; at < end; at += 1) {
    if (isHeading(tree, at) && beginningOf(tree, at, 60).trim() !== '') return at
  }
  return undefined
}
