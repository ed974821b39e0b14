import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  attributeNamed,
  classOf,
  endOf,
  type Node,
  parentOf,
  type Tree,
  textAt,
} from '../tree/tree.ts'
import { writeBlock, writeInside } from './block-writer.ts'
import { beginningOf } from './code.ts'
import { isSilent } from './facts.ts'
import { strong } from './inline-writer.ts'
import { isHeading } from './link.ts'
import type { Context, Writer } from './writer.ts'

/** A callout as a quote that says its kind first; a title that says no more than the kind is left out. */
export function writeCallout(writer: Writer, node: Node, callout: Callout, context: Context): void {
  const { tree, output, facts } = writer
  const { kind, title, isTitleSaid } = callout
  const inner = { ...context, level: context.level + 1, isInItem: false }
  writeInside(output, '> ', '> ', () => {
    writeBlock(output, `[!${kind}]`)
    output.gap = 1
    if (title !== undefined) {
      // What finds its way by headings looks for it, whatever it says.
      const isSection = isHeading(tree, title)
      const from = isSection ? title : title + 1
      if (isSection || !isTitleSaid)
        writer.blocks(from, endOf(tree, title), { ...inner, marks: inner.marks | strong })
      facts[title] = isSilent
    }
    const table = tableAround(tree, node)
    if (table === undefined) writer.blocks(node + 1, endOf(tree, node), inner)
    else for (const cell of textCells(writer, table)) writer.blocks(cell + 1, endOf(tree, cell), inner)
  })
  output.gap = 2
}

/** Some put a sign beside the text, in a table of two cells. */
function tableAround(tree: Tree, node: Node): Node | undefined {
  const end = endOf(tree, node)
  let found: Node | undefined
  for (let at = node + 1; at < end; at = endOf(tree, at)) {
    if (tree.tags[at] === 0 && textAt(tree, at).trim() === '') continue
    if (found !== undefined || tree.tags[at] !== tag.table) return undefined
    found = at
  }
  return found
}

function textCells({ tree, facts }: Writer, table: Node): Node[] {
  const cells: Node[] = []
  const end = endOf(tree, table)
  for (let at = table + 1; at < end; ) {
    const isCell = tree.tags[at] === tag.td || tree.tags[at] === tag.th
    const isSilenced = ((facts[at] ?? 0) & isSilent) !== 0
    const isFirst = cells.length === 0
    if (isCell && !isSilenced && !(isFirst && isSign(tree, at))) cells.push(at)
    at = isCell || isSilenced ? endOf(tree, at) : at + 1
  }
  return cells
}

/** The first cell, if it has nothing but a picture of what the kind says. */
function isSign(tree: Tree, cell: Node): boolean {
  if (/(?:^|\s)icon(?:\s|$)/.test(classOf(tree, cell) ?? '')) return true
  const end = endOf(tree, cell)
  for (let at = cell + 1; at < end; at += 1) {
    if (tree.tags[at] === 0 && textAt(tree, at).trim() !== '') return false
  }
  return true
}

/** The kinds of callout that Markdown knows, by the words pages use for them. */
const kinds: [string, string][] = [
  ['NOTE', 'note info information seealso abstract summary question faq example todo remark'],
  ['TIP', 'tip hint success check done help'],
  ['IMPORTANT', 'important'],
  ['WARNING', 'warning attention warn'],
  ['CAUTION', 'caution danger error bug failure critical'],
]
const kindOfWord = new Map<string, string>()
for (const [kind, words] of kinds) for (const word of words.split(' ')) kindOfWord.set(word, kind)

interface Callout {
  kind: string
  /** The element that names it. */
  title: Node | undefined
  /** The title says no more than the kind. */
  isTitleSaid: boolean
}

/** The kind of a callout, or undefined for an element that only has the name of one. */
export function readCallout(tree: Tree, node: Node): Callout | undefined {
  const title = titleOf(tree, node)
  const word = title === undefined ? '' : lettersOf(tree, title)
  const kind = kindOf(tree, node, title, word)
  if (kind === undefined) return undefined
  const named = kindOfWord.get(word) ?? kind
  // "Danger" and "See also" say more than the few kinds can.
  const isTitleSaid = word === '' || word === named.toLowerCase() || (named === 'NOTE' && /^info/.test(word))
  return { kind: named, title, isTitleSaid }
}

const surely = /admonition|callout|markdown-alert|custom-block|(?:custom|hint)-container|aside|notecard/
/** A part of a callout may have its names too. */
const partNames = /(?:title|heading|header|content|body|icon|label)$/
/** Alone these are used for much else; with a kind as their ending they are callouts. */
const withKind = /^(?:alert|hint)-|^confluence-/

function kindOf(tree: Tree, node: Node, title: Node | undefined, word: string): string | undefined {
  const named = attributeNamed(tree, node, 'data-callout') ?? attributeNamed(tree, node, 'data-callout-type')
  if (named !== undefined) return kindOfWord.get(named.trim().toLowerCase()) ?? 'NOTE'
  const classes = (classOf(tree, node) ?? '').toLowerCase().split(/\s+/)
  const isDetails = tree.tags[node] === tag.details
  if (isHeading(tree, node) || classes.some((name) => partNames.test(name))) return undefined
  if (classes.includes('sidebar') || classes.includes('topic')) return kindOfBox(tree, classes, title)
  const isSure = classes.some((name) => surely.test(name))
  const isAlert = !isDetails && (classes.includes('alert') || classes.includes('hint'))
  for (const name of classes) {
    const ending = kindOfWord.get(
      name.split(/[-_]/).findLast((part) => part !== 'macro' && part !== '') ?? '',
    )
    if (ending === undefined) continue
    if (isSure || (!isDetails && withKind.test(name))) return ending
    if (isAlert && name !== 'hint' && /^(?:is-)?[a-z]+$/.test(name)) return ending
  }
  if (!isSure) return bareKind(tree, node, classes, title !== undefined && kindOfWord.has(word))
  return (
    kindOfWord.get(word) ?? (title !== undefined && /admonition/.test(classes.join(' ')) ? 'NOTE' : undefined)
  )
}

const boxTitles = /(?:^|\s)(?:sidebar-|topic-)?title(?:\s|$)/

/**
 * A box beside the text, as DocBook and docutils have it; its title may begin with a kind, as in "CAUTION: Hot".
 * The side bar of a site has headings, or other names for its titles.
 */
function kindOfBox(tree: Tree, classes: readonly string[], title: Node | undefined): string | undefined {
  if (title === undefined || tree.tags[title] !== tag.p || classes.includes('contents')) return undefined
  const name = classOf(tree, title) ?? ''
  if (!boxTitles.test(name) || (name === 'title' && !isOnTitlePage(tree, title))) return undefined
  const first =
    beginningOf(tree, title, 40)
      .trim()
      .match(/^\p{Lu}{3,}(?!\p{L})/u)?.[0] ?? ''
  return kindOfWord.get(first.toLowerCase()) ?? 'NOTE'
}

function isOnTitlePage(tree: Tree, title: Node): boolean {
  let at = parentOf(tree, title)
  while (at > 0 && tree.tags[at] === tag.div && classOf(tree, at) === undefined) at = parentOf(tree, at)
  return classOf(tree, at) === 'titlepage'
}

const holders = tagSet('aside blockquote details div dl section')
const bareWords = new Set(['note', 'tip', 'important', 'warning', 'caution', 'danger', 'attention'])

/** A kind that is the whole name: it needs a title that says it, or nothing else to be the name of. */
function bareKind(tree: Tree, node: Node, classes: readonly string[], isTitled: boolean): string | undefined {
  const name = tree.tags[node] ?? 0
  const word = classes.find((one) => bareWords.has(one))
  if (word === undefined || holders[name] !== 1) return undefined
  const isOnly = classes.length === 1 && (name === tag.div || name === tag.aside) && word !== 'danger'
  const isMeant = isTitled || isOnly || name === tag.details || attribute(tree, node, attr.role) === 'note'
  return isMeant ? kindOfWord.get(word) : undefined
}

const lettersOf = (tree: Tree, title: Node) =>
  beginningOf(tree, title, 40)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const titleNames = /(?:title|heading|label|header)(?:-container)?(?:[\s_]|$)/i
const titleTags = tagSet('dt summary th')
const nodesOfTitle = 16

/** The element that names a callout stands at its start. */
function titleOf(tree: Tree, node: Node): Node | undefined {
  const end = Math.min(endOf(tree, node), node + nodesOfTitle)
  for (let at = node + 1; at < end; at += 1) {
    const name = tree.tags[at] ?? 0
    if (name === 0) {
      if (textAt(tree, at).trim() !== '') return undefined
      continue
    }
    const classes = classOf(tree, at) ?? ''
    if (titleTags[name] === 1 || isHeading(tree, at) || titleNames.test(classes)) return at
    if (name === tag.td && classes === 'icon' && lettersOf(tree, at) !== '') return at
    if ((name === tag.strong || name === tag.b) && kindOfWord.has(lettersOf(tree, at))) return at
  }
  return undefined
}
