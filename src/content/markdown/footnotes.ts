import { decodePercent } from '../../platform/url.ts'
import type { Excerpt } from '../select-content.ts'
import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  classOf,
  endOf,
  findChild,
  findNode,
  findTag,
  isInside,
  type Node,
  nextElement,
  none,
  parentOf,
  root,
  type Tree,
  textAt,
} from '../tree/tree.ts'
import { writeInside } from './block-writer.ts'
import { beginningOf } from './code.ts'
import { blockBit, noteBit, silentBit } from './facts.ts'
import type { Context, Notes, Writer } from './writer.ts'

export function writeFootnote(writer: Writer, node: Node, label: string, context: Context): void {
  const inner = { ...context, level: context.level + 1, isInItem: false }
  writeInside(writer.output, `[^${label}]: `, '    ', () =>
    writer.writeBlocks(node + 1, endOf(writer.tree, node), inner),
  )
}

export const noFootnotes: Notes = { labels: new Map(), dotted: new Set() }

/** Finds short superscript links to an element on the page whose block holds the text. Ignores back links. */
export function findFootnotes(excerpt: Excerpt, facts: Uint16Array): Notes {
  const { tree } = excerpt
  const references = new Map<string, Node[]>()
  forEachVisible(excerpt, facts, (node) => {
    if (tree.tags[node] !== tag.a || !isReference(tree, node)) return
    const id = getFragment(tree, node)
    if (id === '') return
    const nodes = references.get(id)
    if (nodes) nodes.push(node)
    else references.set(id, [node])
  })
  if (references.size === 0) return noFootnotes
  const labels = new Map<Node, string>()
  const dotted = new Set<Node>()
  const labelCounts = new Map<string, number>()
  forEachVisible(excerpt, facts, (node) => {
    const id =
      attribute(tree, node, attr.id) ??
      (tree.tags[node] === tag.a ? attribute(tree, node, attr.name) : undefined)
    const links = id === undefined ? undefined : references.get(id)
    if (id === undefined || !links) return
    // If several elements have the same id, a link targets the first.
    references.delete(id)
    const heading = findLabel(tree, node, links)
    const next = heading === none ? none : nextElement(tree, heading)
    const content = noteContentTags[tree.tags[next] ?? 0] === 1 ? next : undefined
    const note = heading === none ? findNote(tree, facts, node, links) : content
    if (note === undefined || labels.has(note)) return
    // A term becomes the label. A heading stays, because consumers navigate by headings.
    if (tree.tags[heading] === tag.dt) facts[heading] = silentBit
    const label = createLabel(tree, links[0] ?? node, labelCounts)
    labels.set(note, label)
    facts[note] = (facts[note] ?? 0) | noteBit
    for (const link of links) {
      const reference = findReferenceElement(tree, link)
      labels.set(reference, label)
      facts[reference] = (facts[reference] ?? 0) | noteBit
    }
    const dot = ignoreBackLinks(tree, facts, note, label)
    if (dot !== none) dotted.add(dot)
  })
  return { labels, dotted }
}

function forEachVisible({ tree, kept }: Excerpt, facts: Uint16Array, visit: (node: Node) => void): void {
  for (const start of kept) {
    const end = start === root ? tree.count : endOf(tree, start)
    let at = start
    while (at < end) {
      const isHidden = ((facts[at] ?? 0) & silentBit) !== 0
      if (!isHidden && tree.tags[at] !== 0) visit(at)
      at = isHidden ? endOf(tree, at) : at + 1
    }
  }
}

function getFragment(tree: Tree, link: Node): string {
  const href = attribute(tree, link, attr.href) ?? ''
  return href.startsWith('#') ? decodePercent(href.slice(1)) : ''
}

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
const noteContentTags = tagSet('dd div p')

function findLabel(tree: Tree, target: Node, links: readonly Node[]): Node {
  let at = target
  while (inlineTags[tree.tags[at] ?? 0] === 1) at = parentOf(tree, at)
  if (labelTags[tree.tags[at] ?? 0] !== 1) return none
  const readLabelText = beginningOf(tree, at, 20).replace(/[^\p{L}\p{N}]/gu, '')
  const linkText = beginningOf(tree, links[0] ?? none, 20).replace(/[^\p{L}\p{N}]/gu, '')
  return readLabelText !== '' && readLabelText === linkText ? at : none
}

const inlineTags = tagSet('a b em i span strong sup')

function findNote(tree: Tree, facts: Uint16Array, target: Node, links: readonly Node[]): Node | undefined {
  let note = target
  while (inlineTags[tree.tags[note] ?? 0] === 1 && ((facts[note] ?? 0) & blockBit) === 0)
    note = parentOf(tree, note)
  const parent = parentOf(tree, note)
  if (tree.tags[note] === tag.p && tree.tags[parent] === tag.li) note = parent
  const isTable =
    tree.tags[note] === tag.table && /(?:^|\s)(?:footnote|citation)(?:\s|$)/.test(classOf(tree, note) ?? '')
  if ((noteTags[tree.tags[note] ?? 0] !== 1 && !isTable) || links.some((link) => isInside(tree, link, note)))
    return undefined
  // A target inside a long text is not a note; a note starts with its target.
  const hasWord = (at: Node) => tree.tags[at] === 0 && /[\p{L}]{2}/u.test(textAt(tree, at))
  if (findNode(note + 1, target, hasWord) !== none) return undefined
  const end = endOf(tree, note)
  const firstItem = findTag(tree, tag.li, note, end)
  const hasSeveralItems = firstItem > note && findTag(tree, tag.li, firstItem + 1, end) !== none
  return hasSeveralItems ? undefined : note
}

function createLabel(tree: Tree, link: Node, labelCounts: Map<string, number>): string {
  const label = beginningOf(tree, link, 20).replace(/[^\p{L}\p{N}_.-]/gu, '') || 'note'
  const count = (labelCounts.get(label) ?? 0) + 1
  labelCounts.set(label, count)
  return count === 1 ? label : `${label}-${count}`
}

function findReferenceElement(tree: Tree, link: Node): Node {
  const parent = parentOf(tree, link)
  const isWrapper = tree.tags[parent] === tag.sup || tree.tags[parent] === tag.span
  return isWrapper && isOnlyContent(tree, link, parent) ? findReferenceElement(tree, parent) : link
}

function isOnlyContent(tree: Tree, node: Node, parent: Node): boolean {
  const isOther = (at: Node) => tree.tags[at] !== 0 || !/^[\s[\]()]*$/.test(textAt(tree, at))
  return findChild(tree, parent, (at) => at !== node && isOther(at)) === none
}

const backLinkText =
  /^(?:[\s[\]().,^*\p{Extended_Pictographic}\u2190-\u21ff\u2900-\u297f]|\ufe0e|\ufe0f|back|return|jump|up|to|text|content)+$/iu

/** Also ignores the number at the start, which becomes the label. Returns the text with the dot after it, or `none`. */
function ignoreBackLinks(tree: Tree, facts: Uint16Array, note: Node, label: string): Node {
  const end = endOf(tree, note)
  let isFirst = true
  let dot = none
  for (let at = note + 1; at < end; at += 1) {
    if (tree.tags[at] === 0) {
      const text = textAt(tree, at)
      if (text.trim() === '') continue
      if (isFirst && dotAtStart.test(text) && ((facts[at - 2] ?? 0) & silentBit) !== 0) dot = at
      isFirst = false
      continue
    }
    const text = beginningOf(tree, at, 20).trim()
    const isBackLink =
      tree.tags[at] === tag.a &&
      getFragment(tree, at) !== '' &&
      (text === '' || backLinkText.test(text) || text.length < 3)
    const isNumber =
      isFirst && text.replace(/[[\](){}.:\s^]/g, '') === label && inlineTags[tree.tags[at] ?? 0] === 1
    if (isBackLink || isNumber) {
      facts[at] = silentBit
      at = endOf(tree, at) - 1
    }
  }
  return dot
}

const dotAtStart = /^\s*[.:)\]]\s/
