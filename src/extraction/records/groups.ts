import { tag, tagSet } from '../../content/tree/names.ts'
import {
  classOf,
  endOf,
  isText,
  type Node,
  parentOf,
  root,
  type Tree,
  tagOf,
} from '../../content/tree/tree.ts'
import { namesOf } from '../fields/field-names.ts'
import { type Line, type Lines, linesIn } from '../fields/lines.ts'
import { labelSimilarity } from '../fields/schema-fields.ts'
import type { ListSpec } from '../schema/field-spec.ts'
import { phraseOf, singular } from '../vocabulary/words.ts'

/** Element or run of adjacent elements of a record. Positions of its texts are relative to `base`. */
export interface Span {
  node: Node
  end: Node
  base: Node
}

const minRecords = 2
const maxGroups = 40
const maxRecords = 2000

const ignoredTags = tagSet(
  'script style head meta link br hr option select svg noscript template tbody thead tfoot html body b i em strong span img',
)

export function findSimilarElements(lines: Lines): Span[][] {
  const { tree, weights } = lines
  const groups = new Map<string, Node[]>()
  const styles = new Map<Node, string>()
  const getStyle = (node: Node): string => {
    const style = styles.get(node) ?? styleOf(tree, node)
    styles.set(node, style)
    return style
  }
  for (let node = 1; node < tree.count; node += 1) {
    if (isText(tree, node) || (weights[node] ?? 0) < 0.3 || ignoredTags[tagOf(tree, node)] === 1) continue
    // A link around a card is a record; a link inside a card is not.
    if (linesIn(lines, node) < (tagOf(tree, node) === tag.a ? 2 : 1)) continue
    const parent = parentOf(tree, node)
    const key = `${getStyle(node)} ${getStyle(parent)} ${parent > root ? getStyle(parentOf(tree, parent)) : ''}`
    const group = groups.get(key) ?? []
    groups.set(key, group)
    if (group.length < maxRecords) group.push(node)
  }
  return [...groups.values()]
    .filter((nodes) => nodes.length >= minRecords && tagOf(tree, nodes[0] ?? root) !== tag.td)
    .map((nodes) => ({ nodes, lineCount: nodes.reduce((sum, node) => sum + linesIn(lines, node), 0) }))
    .sort((one, other) => other.lineCount - one.lineCount)
    .slice(0, maxGroups)
    .map(({ nodes }) => nodes.map((node) => ({ node, end: endOf(tree, node), base: node })))
}

const maxLinesAbove = 6
const minHeadingScore = 0.55

export function headingScore(spec: ListSpec, { words }: Pick<Line, 'words'>): number {
  const names = namesOf(spec)
  const label = words.map(singular)
  const exact = Math.max(names.phrases.get(phraseOf(label)) ?? 0, labelSimilarity(names, label))
  const isInside = label.length <= 4 && names.own.every((word) => label.includes(word))
  return Math.max(exact, isInside ? 0.6 : 0)
}

export function headingScoreAbove(spec: ListSpec, { list, linesBefore }: Lines, first: Node): number {
  const at = linesBefore[first] ?? 0
  // The first line of a table may be its caption.
  for (let line = at; line > at - maxLinesAbove && line >= 0; line -= 1) {
    const above = list[line]
    if (!above || above.words.length > 6 || (above.level === 0 && line !== at - 1)) continue
    const score = headingScore(spec, above)
    if (score > 0 || (above.level > 0 && line < at)) return score
  }
  return 0
}

export function spansBelowHeading(
  spec: ListSpec,
  { list, linesBefore }: Lines,
  spans: readonly Span[],
): Span[][] {
  const first = spans.findIndex(({ node }, at) =>
    list
      .slice(linesBefore[spans[at - 1]?.end ?? node], linesBefore[node])
      .some((line) => line.level > 0 && headingScore(spec, line) >= minHeadingScore),
  )
  return first < 0 ? [] : [spans.slice(first)]
}

const inlineTags = tagSet('a abbr b br code em i s small span strong sub sup time u img')
const maxSequences = 20
const minCommonShare = 0.5

/** Finds records that are not one element: a heading with the elements up to the next, or a run of rows. */
export function findSequences(lines: Lines): Span[][] {
  const { tree, weights } = lines
  const found: Span[][] = []
  for (let node = 0; node < tree.count && found.length < maxSequences; node += 1) {
    if (isText(tree, node) || (weights[node] ?? 1) < 0.3) continue
    const children = childrenOf(tree, node).filter((child) => linesIn(lines, child) > 0)
    if (children.length < 4) continue
    const spans = findSequence(tree, node, children)
    if (spans) found.push(spans)
  }
  return found
}

export function childrenOf(tree: Tree, parent: Node): Node[] {
  const children: Node[] = []
  for (let node = parent + 1; node < endOf(tree, parent); node = endOf(tree, node))
    if (!isText(tree, node)) children.push(node)
  return children
}

interface Child {
  node: Node
  style: string
}

function findSequence(tree: Tree, base: Node, nodes: readonly Node[]): Span[] | undefined {
  const children = nodes.map((node) => ({ node, style: styleOf(tree, node) }))
  const groups = [...Map.groupBy(children, ({ style }) => style).values()]
  const isHead = ([first]: Child[]) => first !== undefined && isHeading(tree, first.node)
  const headings = groups.filter((group) => isHead(group) && group.length >= 2)
  const others = groups.filter((group) => !isHead(group) && group.length >= 3)
  // A heading begins a record more reliably than any other first element.
  for (const [head] of [...headings, ...others.slice(0, 1)]) {
    const runs = head && splitRuns(children, head.style)
    if (runs && areSimilar(runs) && !runs.some((run) => containsList(tree, run)))
      return runs.slice(0, maxRecords).map((run) => toSpan(tree, base, run))
  }
  return undefined
}

function containsList(tree: Tree, run: readonly Child[]): boolean {
  return run.some(({ node }) => {
    const inner = childrenOf(tree, node)
    const innerStyles = new Set(inner.map((child) => styleOf(tree, child)))
    return inner.length > 1 && innerStyles.size < inner.length && !inlineTags[tagOf(tree, inner[0] ?? 0)]
  })
}

/** Splits children into runs that begin with this style. The last run ends before a style of its own. */
function splitRuns(children: readonly Child[], style: string): Child[][] | undefined {
  const runs: Child[][] = []
  for (const child of children) {
    if (child.style === style) runs.push([child])
    else runs.at(-1)?.push(child)
  }
  if (runs.some(({ length }) => length < 2)) return undefined
  const regular = runs.slice(0, -1)
  const last = runs.at(-1) ?? []
  const regularStyles = new Set(regular.flatMap((run) => run.map((child) => child.style)))
  const end = last.findIndex((child) => !regularStyles.has(child.style))
  const maxLength = Math.max(...regular.map(({ length }) => length))
  return [...regular, last.slice(0, Math.min(end < 0 ? last.length : end, maxLength))]
}

function areSimilar(runs: readonly Child[][]): boolean {
  const counts = new Map<string, number>()
  for (const run of runs)
    for (const style of new Set(run.map((child) => child.style)))
      counts.set(style, (counts.get(style) ?? 0) + 1)
  const common = [...counts.values()].filter((count) => count >= runs.length * 0.6).length
  return common >= 2 && common >= counts.size * minCommonShare
}

function toSpan(tree: Tree, base: Node, run: readonly Child[]): Span {
  return { node: run[0]?.node ?? base, end: endOf(tree, run.at(-1)?.node ?? base), base }
}

const headingTags = tagSet('h1 h2 h3 h4 h5 h6 dt')

const isHeading = (tree: Tree, node: Node) => headingTags[tagOf(tree, node)] === 1

/** Returns the tag and the first class without digits. Other classes and digits may differ between records. */
export function styleOf(tree: Tree, node: Node): string {
  const [first = ''] = (classOf(tree, node) ?? '').trim().split(/\s+/, 1)
  return `${tagOf(tree, node)}.${first.slice(0, 60).replace(/\d+/g, '')}`
}
