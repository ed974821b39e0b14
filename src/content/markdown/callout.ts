import { tag } from '../tree/names.ts'
import { attributeNamed, classOf, endOf, type Node, type Tree, textAt } from '../tree/tree.ts'
import { isSilent } from './facts.ts'
import { strong } from './marks.ts'
import { writeBlock, writeInside } from './sheet.ts'
import { beginningOf } from './text.ts'
import type { Context, Writer } from './writer.ts'

/** The kinds of callout that Markdown knows, by the words pages use for them. */
const kinds: [string, string][] = [
  ['NOTE', 'note info information seealso abstract summary question faq example todo'],
  ['TIP', 'tip hint success check done help'],
  ['IMPORTANT', 'important'],
  ['WARNING', 'warning attention warn'],
  ['CAUTION', 'caution danger error bug failure critical'],
]
const kindOfWord = new Map<string, string>()
for (const [kind, words] of kinds) for (const word of words.split(' ')) kindOfWord.set(word, kind)

/** The kind of a callout, or nothing for an element that has only the name of one. */
export function calloutKind(tree: Tree, node: Node): string | undefined {
  const named = attributeNamed(tree, node, 'data-callout')
  if (named !== undefined) return kindOfWord.get(named.trim().toLowerCase()) ?? 'NOTE'
  const classes = (classOf(tree, node) ?? '').toLowerCase().split(/\s+/)
  // "alert" and "hint" alone are used for much else; with a kind as their ending they are callouts.
  const isVague = classes.every(
    (name) => !/admonition|callout|markdown-alert|custom-block|aside|notecard/.test(name),
  )
  for (const name of classes) {
    if (isVague && !/^(?:alert|hint)-|^confluence-/.test(name)) continue
    const kind = kindOfWord.get(name.split(/[-_]/).findLast((word) => word !== 'macro' && word !== '') ?? '')
    if (kind !== undefined) return kind
  }
  return undefined
}

/** A callout as a quote that says its kind first; a title that says no more than the kind is left out. */
export function writeCallout(writer: Writer, node: Node, kind: string, context: Context): void {
  const { tree, sheet, facts } = writer
  const inner = { ...context, level: context.level + 1, isInItem: false }
  const title = titleOf(tree, node)
  const letters = title === undefined ? '' : lettersOf(tree, title)
  const named = kindOfWord.get(letters)
  writeInside(sheet, '> ', '> ', () => {
    writeBlock(sheet, `[!${named ?? kind}]`)
    sheet.gap = 1
    if (title !== undefined) {
      if (letters !== '' && named === undefined) {
        writer.blocks(title + 1, endOf(tree, title), { ...inner, marks: inner.marks | strong })
      }
      facts[title] = isSilent
    }
    writer.blocks(node + 1, endOf(tree, node), inner)
  })
  sheet.gap = 2
}

const lettersOf = (tree: Tree, title: Node) =>
  beginningOf(tree, title, 40)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** The element that names a callout stands at its start. */
function titleOf(tree: Tree, node: Node): Node | undefined {
  const end = Math.min(endOf(tree, node), node + 12)
  for (let at = node + 1; at < end; at += 1) {
    const name = tree.tags[at] ?? 0
    if (name === 0) {
      if (textAt(tree, at).trim() !== '') return undefined
      continue
    }
    const classes = classOf(tree, at) ?? ''
    if (/(?:title|heading|label)(?:[\s_]|$)/i.test(classes) || (name === tag.td && classes === 'icon'))
      return at
    if ((name === tag.strong || name === tag.b) && kindOfWord.has(lettersOf(tree, at))) return at
  }
  return undefined
}
