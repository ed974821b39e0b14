import { imageSource } from '../../content/image-source.ts'
import { attr, tag } from '../../content/tree/names.ts'
import {
  attribute,
  endOf,
  findTag,
  isInside,
  type Node,
  none,
  parentOf,
  root,
  type Tree,
  tagOf,
} from '../../content/tree/tree.ts'
import { coerce } from '../values/coerce.ts'
import { isKnownLabel } from '../vocabulary/concepts.ts'
import { phraseOf, words } from '../vocabulary/words.ts'
import type { Found, PageContext } from './extracted-value.ts'
import type { Line, Lines } from './lines.ts'
import type { SchemaField } from './schema-fields.ts'

/** Fields that the page, its site and other things on it have as well. */
export const commonConcepts: ReadonlySet<string> = new Set(
  'title description image url author published modified language siteName keywords category'.split(' '),
)

const minScore = 0.55
const fewest = 3
/** A part with more of the page than this is the page. */
const mostOfPage = 0.7

/** The part of the page that holds what is asked for, such as the card of a recipe; `none` where it is the whole page. */
export function subjectOf(lines: Lines, read: readonly ReadonlyMap<SchemaField, Found>[]): Node {
  const nodes = new Map<string, Node>()
  for (const values of read) {
    for (const [slot, { node, score }] of values) {
      const isCommon = slot.names.concept === undefined || commonConcepts.has(slot.names.concept)
      if (node !== undefined && score >= minScore && !isCommon && !nodes.has(slot.path))
        nodes.set(slot.path, node)
    }
  }
  if (nodes.size < fewest) return none
  const { tree, list, before } = lines
  const around = [...nodes.values()].reduce((one, other) => commonAncestor(tree, one, other))
  const held = (before[endOf(tree, around)] ?? 0) - (before[around] ?? 0)
  return around > root && held <= list.length * mostOfPage ? around : none
}

function commonAncestor(tree: Tree, one: Node, other: Node): Node {
  let at = one
  while (at > root && at !== other && !isInside(tree, other, at)) at = parentOf(tree, at)
  return at
}

const score = 0.76

/** The heading with which the part that holds the other fields begins. */
export function readSubjectTitle(
  { tree, list, before }: Lines,
  slots: readonly SchemaField[],
  subject: Node,
  page: PageContext,
): Map<SchemaField, Found> {
  const found = new Map<SchemaField, Found>()
  if (subject === none) return found
  const first = list.slice(before[subject] ?? 0, before[endOf(tree, subject)]).find(({ level }) => level > 0)
  // A heading that names a section is not that of the whole.
  if (!first || isKnownLabel(phraseOf(first.words)) || !isTitled(first.text, page)) return found
  for (const slot of slots) {
    if (slot.names.concept !== 'title' || slot.spec.kind === 'list' || slot.path.includes('.')) continue
    const value = coerce(slot.spec, first.text, { ...page, ...slot.names })
    if (value !== undefined)
      found.set(slot, { value, text: first.text, node: first.first, reader: 'title', score })
  }
  return found
}

/** Whether a text is what the title of the page names: most of its words stand there. */
export function isTitled(text: string, { title }: { title: string }): boolean {
  const told = new Set(words(title))
  const own = words(text)
  return own.length > 0 && own.filter((word) => told.has(word)).length * 2 >= own.length
}

/** The heading that the title of the page repeats, else the first of the highest level in the content. */
export function mainHeading({ tree, list }: Lines, title: string): Node | undefined {
  const told = new Set(words(title))
  const headings = list
    .filter(({ level, weight }) => (level === 1 && weight > 0.3) || (level === 2 && weight > 0.9))
    .slice(0, 30)
  let best: Line | undefined
  let most = 0
  for (const heading of headings) {
    const own = words(heading.text)
    const shared = own.filter((word) => told.has(word)).length
    // A logo repeats one word of the title; the heading most of them.
    const share =
      (shared / (own.length || 1)) * (shared / (told.size || 1)) ** 0.5 + (heading.level === 1 ? 0.25 : 0)
    if (share > most) [best, most] = [heading, share]
  }
  const first = findTag(tree, tag.h1, 1, tree.count)
  return best?.holder ?? (first === none ? undefined : first)
}

const smallest = 200

/** The first picture of some size, near the heading. */
export function mainPicture({ tree, weights }: Lines, heading: Node | undefined): Node | undefined {
  let first: Node | undefined
  for (let node = 1; node < tree.count; node += 1) {
    if (tagOf(tree, node) !== tag.img || (weights[node] ?? 0) < 0.6) continue
    const [width, height] = [attr.width, attr.height].map((name) =>
      Number.parseInt(attribute(tree, node, name) ?? '', 10),
    )
    if ((width ?? 0) < smallest && (height ?? 0) < smallest && !(Number.isNaN(width) && Number.isNaN(height)))
      continue
    const source = imageSource(tree, node) ?? ''
    if (source === '' || /logo|icon|avatar|sprite|pixel|badge|^data:/i.test(source)) continue
    if (heading === undefined || node > heading) return node
    first ??= node
  }
  return first
}
