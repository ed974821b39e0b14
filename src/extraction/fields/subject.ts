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
import { isKnownLabel } from '../vocabulary/concepts.ts'
import { phraseOf, words } from '../vocabulary/words.ts'
import { type FieldReadings, type FieldValues, type ReaderInput, readText } from './extracted-value.ts'
import { type Line, type Lines, linesIn } from './lines.ts'

export const commonConcepts: ReadonlySet<string> = new Set(
  'title description image url author published modified language siteName keywords category'.split(' '),
)

const minScore = 0.55
const minFields = 3
const maxPageShare = 0.7

/** Returns the element with most of the requested values, such as a recipe card; `none` for the complete page. */
export function subjectOf(lines: Lines, readings: readonly FieldValues[]): Node {
  const nodes = new Map<string, Node>()
  for (const values of readings) {
    for (const [field, { node, score }] of values) {
      const isCommon = field.names.concept === undefined || commonConcepts.has(field.names.concept)
      if (node !== undefined && score >= minScore && !isCommon && !nodes.has(field.path))
        nodes.set(field.path, node)
    }
  }
  if (nodes.size < minFields) return none
  const ancestor = [...nodes.values()].reduce((one, other) => commonAncestor(lines.tree, one, other))
  return ancestor > root && linesIn(lines, ancestor) <= lines.list.length * maxPageShare ? ancestor : none
}

function commonAncestor(tree: Tree, one: Node, other: Node): Node {
  let ancestor = one
  while (ancestor > root && ancestor !== other && !isInside(tree, other, ancestor))
    ancestor = parentOf(tree, ancestor)
  return ancestor
}

const titleScore = 0.76

export function* readSubjectTitle({ lines, fields, page }: ReaderInput, subject: Node): FieldReadings {
  const { tree, list, linesBefore } = lines
  if (subject === none) return
  const heading = list
    .slice(linesBefore[subject] ?? 0, linesBefore[endOf(tree, subject)])
    .find(({ level }) => level > 0)
  // A heading that names a section is not the title of the subject.
  if (!heading || isKnownLabel(phraseOf(heading.words)) || !isTitled(heading.text, page)) return
  const source = { text: heading.text, node: heading.first, reader: 'title', score: titleScore } as const
  for (const field of fields)
    if (field.names.concept === 'title' && !field.path.includes('.'))
      yield [field, readText(field, source, page)]
}

export function isTitled(text: string, { title }: { title: string }): boolean {
  const titleWords = new Set(words(title))
  const textWords = words(text)
  const shared = textWords.filter((word) => titleWords.has(word)).length
  return shared > 0 && shared * 2 >= textWords.length
}

export function mainHeading({ tree, list }: Lines, title: string): Node | undefined {
  const titleWords = new Set(words(title))
  const headings = list
    .filter(({ level, weight }) => (level === 1 && weight > 0.3) || (level === 2 && weight > 0.9))
    .slice(0, 30)
  let [best, maxScore]: [Line | undefined, number] = [undefined, 0]
  for (const heading of headings) {
    const headingWords = words(heading.text)
    const shared = headingWords.filter((word) => titleWords.has(word)).length
    // The text of a logo shares one word with the title, and the heading shares most words.
    const headingScore =
      (shared / (headingWords.length || 1)) * (shared / (titleWords.size || 1)) ** 0.5 +
      (heading.level === 1 ? 0.25 : 0)
    if (headingScore > maxScore) [best, maxScore] = [heading, headingScore]
  }
  const first = findTag(tree, tag.h1, 1, tree.count)
  return best?.holder ?? (first === none ? undefined : first)
}

const minImageSize = 200

export function mainImage({ tree, weights }: Lines, heading: Node | undefined): Node | undefined {
  let firstImage: Node | undefined
  for (let node = 1; node < tree.count; node += 1) {
    if (tagOf(tree, node) !== tag.img || (weights[node] ?? 0) < 0.6) continue
    const sizes = [attr.width, attr.height].map((name) =>
      Number.parseInt(attribute(tree, node, name) ?? '', 10),
    )
    if (sizes.every((size) => size < minImageSize)) continue
    const source = imageSource(tree, node) ?? ''
    if (source === '' || /logo|icon|avatar|sprite|pixel|badge|^data:/i.test(source)) continue
    if (heading === undefined || node > heading) return node
    firstImage ??= node
  }
  return firstImage
}
