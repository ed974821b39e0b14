import { attr, tag, tagSet } from '../tree/names.ts'
import {
  attribute,
  attributeNamed,
  classOf,
  endOf,
  findNode,
  findOnlyChild,
  isBlankText,
  type Node,
  none,
  parentOf,
  type Tree,
  textAt,
} from '../tree/tree.ts'
import { writeBlock, writeInside } from './block-writer.ts'
import { beginningOf } from './code.ts'
import { silentBit } from './facts.ts'
import { strong } from './inline-writer.ts'
import { isHeading } from './link.ts'
import type { Context, Writer } from './writer.ts'

export function writeCallout(writer: Writer, node: Node, callout: Callout, context: Context): void {
  const { tree, output, facts } = writer
  const { kind, title, titleRepeatsKind } = callout
  const inner = { ...context, level: context.level + 1, isInItem: false }
  writeInside(output, '> ', '> ', () => {
    writeBlock(output, `[!${kind}]`)
    output.gap = 1
    if (title !== undefined) {
      // Keep headings, because consumers navigate by them.
      const isSection = isHeading(tree, title)
      const from = isSection ? title : title + 1
      if (isSection || !titleRepeatsKind)
        writer.writeBlocks(from, endOf(tree, title), { ...inner, marks: inner.marks | strong })
      facts[title] = silentBit
    }
    const table = findOnlyChild(tree, node)
    if (tree.tags[table] !== tag.table) writer.writeBlocks(node + 1, endOf(tree, node), inner)
    else
      for (const cell of findTextCells(writer, table)) writer.writeBlocks(cell + 1, endOf(tree, cell), inner)
  })
  output.gap = 2
}

function findTextCells({ tree, facts }: Writer, table: Node): Node[] {
  const cells: Node[] = []
  const end = endOf(tree, table)
  for (let at = table + 1; at < end; ) {
    const isCell = tree.tags[at] === tag.td || tree.tags[at] === tag.th
    const isIgnored = ((facts[at] ?? 0) & silentBit) !== 0
    const isFirst = cells.length === 0
    if (isCell && !isIgnored && !(isFirst && isIconCell(tree, at))) cells.push(at)
    at = isCell || isIgnored ? endOf(tree, at) : at + 1
  }
  return cells
}

function isIconCell(tree: Tree, cell: Node): boolean {
  if (/(?:^|\s)icon(?:\s|$)/.test(classOf(tree, cell) ?? '')) return true
  const isText = (at: Node) => tree.tags[at] === 0 && !isBlankText(tree, at)
  return findNode(cell + 1, endOf(tree, cell), isText) === none
}

const kinds: [string, string][] = [
  ['NOTE', 'note info information seealso abstract summary question faq example todo remark'],
  ['TIP', 'tip hint success check done help'],
  ['IMPORTANT', 'important'],
  ['WARNING', 'warning attention warn'],
  ['CAUTION', 'caution danger error bug failure critical'],
]
const kindByWord = new Map<string, string>()
for (const [kind, words] of kinds) for (const word of words.split(' ')) kindByWord.set(word, kind)

type Callout = NonNullable<ReturnType<typeof readCallout>>

export function readCallout(tree: Tree, node: Node) {
  const title = findTitle(tree, node)
  const word = title === undefined ? '' : readLetters(tree, title)
  const kind = kindOf(tree, node, title, word)
  if (kind === undefined) return undefined
  const titleKind = kindByWord.get(word) ?? kind
  // "Danger" and "See also" are more specific than the kinds.
  const titleRepeatsKind =
    word === '' || word === titleKind.toLowerCase() || (titleKind === 'NOTE' && /^info/.test(word))
  return { kind: titleKind, title, titleRepeatsKind }
}

const certainNames = /admonition|callout|markdown-alert|custom-block|(?:custom|hint)-container|aside|notecard/
const partNames = /(?:title|heading|header|content|body|icon|label)$/
/** Prefixes with other uses; with a kind as the ending they are callouts. */
const namesBeforeKind = /^(?:alert|hint)-|^confluence-/

function kindOf(tree: Tree, node: Node, title: Node | undefined, word: string): string | undefined {
  const named = attributeNamed(tree, node, 'data-callout') ?? attributeNamed(tree, node, 'data-callout-type')
  if (named !== undefined) return kindByWord.get(named.trim().toLowerCase()) ?? 'NOTE'
  const classes = (classOf(tree, node) ?? '').toLowerCase().split(/\s+/)
  const isDetails = tree.tags[node] === tag.details
  if (isHeading(tree, node) || classes.some((name) => partNames.test(name))) return undefined
  if (classes.includes('sidebar') || classes.includes('topic')) return getBoxKind(tree, classes, title)
  const isCertain = classes.some((name) => certainNames.test(name))
  const isAlert = !isDetails && (classes.includes('alert') || classes.includes('hint'))
  for (const name of classes) {
    const nameKind = kindByWord.get(
      name.split(/[-_]/).findLast((part) => part !== 'macro' && part !== '') ?? '',
    )
    if (nameKind === undefined) continue
    if (isCertain || (!isDetails && namesBeforeKind.test(name))) return nameKind
    if (isAlert && name !== 'hint' && /^(?:is-)?[a-z]+$/.test(name)) return nameKind
  }
  if (!isCertain) return getBareKind(tree, node, classes, title !== undefined && kindByWord.has(word))
  return (
    kindByWord.get(word) ?? (title !== undefined && /admonition/.test(classes.join(' ')) ? 'NOTE' : undefined)
  )
}

const boxTitles = /(?:^|\s)(?:sidebar-|topic-)?title(?:\s|$)/

/** A box next to the text, as of DocBook and docutils. The sidebar of a site has headings or other names for titles. */
function getBoxKind(tree: Tree, classes: readonly string[], title: Node | undefined): string | undefined {
  if (title === undefined || tree.tags[title] !== tag.p || classes.includes('contents')) return undefined
  const name = classOf(tree, title) ?? ''
  if (!boxTitles.test(name) || (name === 'title' && !isOnTitlePage(tree, title))) return undefined
  const firstWord =
    beginningOf(tree, title, 40)
      .trim()
      .match(/^\p{Lu}{3,}(?!\p{L})/u)?.[0] ?? ''
  return kindByWord.get(firstWord.toLowerCase()) ?? 'NOTE'
}

function isOnTitlePage(tree: Tree, title: Node): boolean {
  let at = parentOf(tree, title)
  while (at > 0 && tree.tags[at] === tag.div && classOf(tree, at) === undefined) at = parentOf(tree, at)
  return classOf(tree, at) === 'titlepage'
}

const containerTags = tagSet('aside blockquote details div dl section')
const bareWords = new Set(['note', 'tip', 'important', 'warning', 'caution', 'danger', 'attention'])

/** A class that is exactly a kind requires a matching title, or an element without another purpose. */
function getBareKind(
  tree: Tree,
  node: Node,
  classes: readonly string[],
  hasKindTitle: boolean,
): string | undefined {
  const name = tree.tags[node] ?? 0
  const word = classes.find((name) => bareWords.has(name))
  if (word === undefined || containerTags[name] !== 1) return undefined
  const isOnlyClass = classes.length === 1 && (name === tag.div || name === tag.aside) && word !== 'danger'
  const isCallout =
    hasKindTitle || isOnlyClass || name === tag.details || attribute(tree, node, attr.role) === 'note'
  return isCallout ? kindByWord.get(word) : undefined
}

const readLetters = (tree: Tree, title: Node) =>
  beginningOf(tree, title, 40)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

const titleNames = /(?:title|heading|label|header)(?:-container)?(?:[\s_]|$)/i
const titleTags = tagSet('dt summary th')
const maxNodesBeforeTitle = 16

function findTitle(tree: Tree, node: Node): Node | undefined {
  const end = Math.min(endOf(tree, node), node + maxNodesBeforeTitle)
  for (let at = node + 1; at < end; at += 1) {
    const name = tree.tags[at] ?? 0
    if (name === 0) {
      if (textAt(tree, at).trim() !== '') return undefined
      continue
    }
    const classes = classOf(tree, at) ?? ''
    if (titleTags[name] === 1 || isHeading(tree, at) || titleNames.test(classes)) return at
    if (name === tag.td && classes === 'icon' && readLetters(tree, at) !== '') return at
    if ((name === tag.strong || name === tag.b) && kindByWord.has(readLetters(tree, at))) return at
  }
  return undefined
}
