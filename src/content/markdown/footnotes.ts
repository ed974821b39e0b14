import type { Excerpt } from '../select-content.ts'
import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  classOf,
  endOf,
  isInside,
  type Node,
  none,
  parentOf,
  root,
  type Tree,
  textAt,
} from '../tree/tree.ts'
import { beginningOf } from './code.ts'
import { isBlock, isNote, isSilent } from './facts.ts'

export interface Notes {
  /** Labels, by the nodes that refer to a note and by those that hold its text. */
  labels: ReadonlyMap<Node, string>
  /** Texts that begin with the dot behind the number of a note, which is its label now. */
  dotted: ReadonlySet<Node>
}

export const noFootnotes: Notes = { labels: new Map(), dotted: new Set() }

/**
 * Footnotes: a short raised link to a place on the page whose block holds the text. Gives the label of each
 * node that is to be written as a reference, and of each that holds a note; links back are silenced.
 */
export function findFootnotes(excerpt: Excerpt, facts: Uint16Array): Notes {
  const { tree } = excerpt
  const references = new Map<string, Node[]>()
  eachVisible(excerpt, facts, (node) => {
    if (tree.tags[node] !== tag.a || !isReference(tree, node)) return
    const id = fragment(tree, node)
    if (id === '') return
    const known = references.get(id)
    if (known) known.push(node)
    else references.set(id, [node])
  })
  if (references.size === 0) return noFootnotes
  const labels = new Map<Node, string>()
  const dotted = new Set<Node>()
  const taken = new Map<string, number>()
  eachVisible(excerpt, facts, (node) => {
    const id =
      attribute(tree, node, attr.id) ??
      (tree.tags[node] === tag.a ? attribute(tree, node, attr.name) : undefined)
    const links = id === undefined ? undefined : references.get(id)
    if (id === undefined || !links) return
    // Of several elements with one name a link leads to the first.
    references.delete(id)
    const heading = labelBefore(tree, node, links)
    const note = heading === none ? noteAt(tree, facts, node, links) : contentBehind(tree, heading)
    if (note === undefined || note === none || labels.has(note)) return
    // A term is the label now; a heading stays, as what finds its way by headings may look for it.
    if (tree.tags[heading] === tag.dt) facts[heading] = isSilent
    const label = labelFor(tree, links[0] ?? node, taken)
    labels.set(note, label)
    facts[note] = (facts[note] ?? 0) | isNote
    for (const link of links) {
      const whole = wholeReference(tree, link)
      labels.set(whole, label)
      facts[whole] = (facts[whole] ?? 0) | isNote
    }
    const dot = silenceBackLinks(tree, facts, note, label)
    if (dot !== none) dotted.add(dot)
  })
  return { labels, dotted }
}

function eachVisible({ tree, kept }: Excerpt, facts: Uint16Array, see: (node: Node) => void): void {
  for (const start of kept) {
    const end = start === root ? tree.count : endOf(tree, start)
    let at = start
    while (at < end) {
      const isHidden = ((facts[at] ?? 0) & isSilent) !== 0
      if (!isHidden && tree.tags[at] !== 0) see(at)
      at = isHidden ? endOf(tree, at) : at + 1
    }
  }
}

/** The place on the same page that a link leads to. */
function fragment(tree: Tree, link: Node): string {
  const href = attribute(tree, link, attr.href) ?? ''
  if (!href.startsWith('#') || href.length < 2) return ''
  try {
    return decodeURIComponent(href.slice(1))
  } catch {
    return href.slice(1)
  }
}

/** A sign or a number, raised or in brackets, or a link that says itself that it leads to a note. */
function isReference(tree: Tree, link: Node): boolean {
  const text = beginningOf(tree, link, 20).trim()
  if (text.length > 12 || !/^[[(]?[\w*†‡§¶. -]{1,10}[\])]?$/u.test(text)) return false
  if (attribute(tree, link, attr.role) === 'doc-noteref' || tree.tags[link + 1] === tag.sup) return true
  const parent = parentOf(tree, link)
  if (tree.tags[parent] === tag.sup || tree.tags[parentOf(tree, parent)] === tag.sup) return true
  if (/(?:^|\s)footnote-?ref/.test(classOf(tree, link) ?? '')) return true
  if (!/^\[?\w{1,4}\]?$/.test(text)) return false
  return text.startsWith('[') || /^#.*(?:fn|ftn|note)/i.test(attribute(tree, link, attr.href) ?? '')
}

const noteTags = tagSet('li p div aside dd section blockquote')
const labelTags = tagSet('dt h2 h3 h4 h5 h6')
const inParts = tagSet('dd div p')

/** The term or heading that holds nothing but the number of a note, whose text is what follows; or `none`. */
function labelBefore(tree: Tree, target: Node, links: readonly Node[]): Node {
  let at = target
  while (inlineTags[tree.tags[at] ?? 0] === 1) at = parentOf(tree, at)
  if (labelTags[tree.tags[at] ?? 0] !== 1) return none
  const shown = beginningOf(tree, at, 20).replace(/[^\p{L}\p{N}]/gu, '')
  const linked = beginningOf(tree, links[0] ?? none, 20).replace(/[^\p{L}\p{N}]/gu, '')
  return shown !== '' && shown === linked ? at : none
}

function contentBehind(tree: Tree, label: Node): Node {
  const end = endOf(tree, parentOf(tree, label))
  for (let at = endOf(tree, label); at < end; at = endOf(tree, at)) {
    if (tree.tags[at] !== 0) return inParts[tree.tags[at] ?? 0] === 1 ? at : none
  }
  return none
}
const inlineTags = tagSet('a b em i span strong sup')

/** The block that holds the text of a note, if it holds none of the links to it and is no whole list. */
function noteAt(tree: Tree, facts: Uint16Array, target: Node, links: readonly Node[]): Node | undefined {
  let note = target
  while (inlineTags[tree.tags[note] ?? 0] === 1 && ((facts[note] ?? 0) & isBlock) === 0)
    note = parentOf(tree, note)
  const parent = parentOf(tree, note)
  if (tree.tags[note] === tag.p && tree.tags[parent] === tag.li) note = parent
  const isTable =
    tree.tags[note] === tag.table && /(?:^|\s)(?:footnote|citation)(?:\s|$)/.test(classOf(tree, note) ?? '')
  if ((noteTags[tree.tags[note] ?? 0] !== 1 && !isTable) || links.some((link) => isInside(tree, link, note)))
    return undefined
  // A place inside a long text is not a note; the note begins with it.
  if (note !== target && textBefore(tree, note, target)) return undefined
  const isItem = tree.tags[note] === tag.li
  return isItem || !holdsItems(tree, note) ? note : undefined
}

function textBefore(tree: Tree, from: Node, to: Node): boolean {
  for (let at = from + 1; at < to; at += 1) {
    if (tree.tags[at] === 0 && /[\p{L}]{2}/u.test(textAt(tree, at))) return true
  }
  return false
}

function holdsItems(tree: Tree, node: Node): boolean {
  const end = endOf(tree, node)
  let items = 0
  for (let at = node + 1; at < end && items < 2; at += 1) if (tree.tags[at] === tag.li) items += 1
  return items > 1
}

/** What the link shows, if that can be a label, with a number if another note has it. */
function labelFor(tree: Tree, link: Node, taken: Map<string, number>): string {
  const shown = beginningOf(tree, link, 20).replace(/[^\p{L}\p{N}_.-]/gu, '') || 'note'
  const count = (taken.get(shown) ?? 0) + 1
  taken.set(shown, count)
  return count === 1 ? shown : `${shown}-${count}`
}

/** The raised element around a link that holds nothing else. */
function wholeReference(tree: Tree, link: Node): Node {
  let whole = link
  for (let parent = parentOf(tree, link); parent > root; parent = parentOf(tree, parent)) {
    if (!isOnlyIn(tree, whole, parent) || (tree.tags[parent] !== tag.sup && tree.tags[parent] !== tag.span))
      break
    whole = parent
  }
  return whole
}

/** Whether a parent holds nothing else but brackets. */
function isOnlyIn(tree: Tree, node: Node, parent: Node): boolean {
  const end = endOf(tree, parent)
  for (let at = parent + 1; at < end; at = endOf(tree, at)) {
    if (at !== node && (tree.tags[at] !== 0 || !/^[\s[\]()]*$/.test(textAt(tree, at)))) return false
  }
  return true
}

const arrows =
  /^(?:[\s[\]().,^*\p{Extended_Pictographic}\u2190-\u21ff\u2900-\u297f]|\ufe0e|\ufe0f|back|return|jump|up|to|text|content)+$/iu

/**
 * In a note, links that lead back, and the number it begins with, which is its label now. Gives the text with
 * the dot behind that number, or `none`.
 */
function silenceBackLinks(tree: Tree, facts: Uint16Array, note: Node, label: string): Node {
  const end = endOf(tree, note)
  let isFirst = true
  let dot = none
  for (let at = note + 1; at < end; at += 1) {
    if (tree.tags[at] === 0) {
      const text = textAt(tree, at)
      if (text.trim() === '') continue
      if (isFirst && dotAtStart.test(text) && ((facts[at - 2] ?? 0) & isSilent) !== 0) dot = at
      isFirst = false
      continue
    }
    const text = beginningOf(tree, at, 20).trim()
    const isBack =
      tree.tags[at] === tag.a &&
      fragment(tree, at) !== '' &&
      (text === '' || arrows.test(text) || text.length < 3)
    const isNumber =
      isFirst && text.replace(/[[\](){}.:\s^]/g, '') === label && inlineTags[tree.tags[at] ?? 0] === 1
    if (isBack || isNumber) {
      facts[at] = isSilent
      at = endOf(tree, at) - 1
    }
  }
  return dot
}

const dotAtStart = /^\s*[.:)\]]\s/
