import { attr, tag, tagSet } from '../../content/tree/names.ts'
import {
  attribute,
  endOf,
  isText,
  type Node,
  parentOf,
  root,
  type Tree,
  tagOf,
} from '../../content/tree/tree.ts'
import { namesOf } from '../fields/field-names.ts'
import type { Line, Lines } from '../fields/lines.ts'
import { nearness } from '../fields/schema-fields.ts'
import type { ListSpec } from '../schema/field-spec.ts'
import { phraseOf, singular } from '../vocabulary/words.ts'

/** A record: an element, or a run of elements that stand side by side; places in it are relative to `base`. */
export interface Span {
  node: Node
  end: Node
  base: Node
}

const fewest = 2
const maxGroups = 40
const maxRecords = 2000

const never = tagSet(
  'script style head meta link br hr option select svg noscript template tbody thead tfoot html body b i em strong span img',
)

/** Elements that look alike and stand in places that look alike: the cards of a collection, also those of several rows. */
export function findAlike({ tree, before, weights }: Lines): Span[][] {
  const groups = new Map<string, Node[]>()
  const looks = new Map<Node, string>()
  const knownLook = (node: Node): string => {
    const look = looks.get(node) ?? styleOf(tree, node)
    looks.set(node, look)
    return look
  }
  for (let node = 1; node < tree.count; node += 1) {
    if (isText(tree, node) || (weights[node] ?? 0) < 0.3 || never[tagOf(tree, node)] === 1) continue
    const held = (before[tree.ends[node] ?? 0] ?? 0) - (before[node] ?? 0)
    // A link around a card is a record, one inside of it is not.
    if (held < (tagOf(tree, node) === tag.a ? 2 : 1)) continue
    const parent = parentOf(tree, node)
    const key = `${knownLook(node)} ${knownLook(parent)} ${parent > root ? knownLook(parentOf(tree, parent)) : ''}`
    const known = groups.get(key)
    if (!known) groups.set(key, [node])
    else if (known.length < maxRecords) known.push(node)
  }
  const linesIn = (nodes: readonly Node[]) =>
    nodes.reduce((sum, node) => sum + (before[tree.ends[node] ?? 0] ?? 0) - (before[node] ?? 0), 0)
  return [...groups.values()]
    .filter((nodes) => nodes.length >= fewest && tagOf(tree, nodes[0] ?? root) !== tag.td)
    .map((nodes) => ({ nodes, lines: linesIn(nodes) }))
    .sort((one, other) => other.lines - one.lines)
    .slice(0, maxGroups)
    .map(({ nodes }) => nodes.map((node) => ({ node, end: endOf(tree, node), base: node })))
}

const furthest = 6
const minHeading = 0.55

/** How surely a heading names a list: 1 for its own name. */
export function headingScore(spec: ListSpec, { words }: Pick<Line, 'words'>): number {
  const names = namesOf(spec)
  const label = words.map(singular)
  const exact = Math.max(names.phrases.get(phraseOf(label)) ?? 0, nearness(names, label))
  const isInside = label.length <= 4 && names.own.every((word) => label.includes(word))
  return Math.max(exact, isInside ? 0.6 : 0)
}

/** How surely the heading above a place names a list; 0 where there is none. */
export function hasSameHeadings(spec: ListSpec, { list, before }: Lines, first: Node): number {
  const at = before[first] ?? 0
  // The first line of a table may be its caption.
  for (let line = at; line > at - furthest && line >= 0; line -= 1) {
    const above = list[line]
    if (!above || above.words.length > 6) continue
    const isHeading = above.level > 0 || line === at - 1
    if (isHeading) {
      const score = headingScore(spec, above)
      if (score > 0 || (above.level > 0 && line < at)) return score
    }
  }
  return 0
}

/** Those of several elements that are alike which stand below the heading of the list: the answers, and not the question. */
export function belowHeading(spec: ListSpec, { list, before }: Lines, spans: readonly Span[]): Span[][] {
  for (const [at, { node }] of spans.entries()) {
    const previous = spans[at - 1]
    if (!previous) continue
    const between = list.slice(before[previous.end], before[node])
    if (between.some((line) => line.level > 0 && headingScore(spec, line) >= minHeading))
      return [spans.slice(at)]
  }
  return []
}

const isInline = tagSet('a abbr b br code em i s small span strong sub sup time u img')
const maxSequences = 20
/** Records of a sequence have at least this share in common. */
const leastAlike = 0.5

/** Records that have no element of their own: a heading and what follows it, up to the next; rows that go together. */
export function findSequences({ tree, weights, before }: Lines): Span[][] {
  const found: Span[][] = []
  for (let node = 0; node < tree.count && found.length < maxSequences; node += 1) {
    if (isText(tree, node) || (weights[node] ?? 1) < 0.3) continue
    const children = childrenOf(tree, node).filter(
      (child) => (before[endOf(tree, child)] ?? 0) > (before[child] ?? 0),
    )
    if (children.length < 4) continue
    const spans = sequenceIn(tree, node, children)
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
  look: string
}

function sequenceIn(tree: Tree, base: Node, nodes: readonly Node[]): Span[] | undefined {
  const children = nodes.map((node) => ({ node, look: styleOf(tree, node) }))
  const counts = new Map<string, number>()
  for (const { look } of children) counts.set(look, (counts.get(look) ?? 0) + 1)
  const firsts = new Map(children.map(({ look }, at) => [look, at] as const).reverse())
  const isFirst = ({ look }: Child, at: number) => firsts.get(look) === at
  const heads = children.filter(
    (child, at) =>
      isFirst(child, at) && (counts.get(child.look) ?? 0) >= (isHeading(tree, child.node) ? 2 : 3),
  )
  // Headings begin records more surely than what stands first.
  const [other] = heads.filter(({ node }) => !isHeading(tree, node))
  for (const head of [...heads.filter(({ node }) => isHeading(tree, node)), ...(other ? [other] : [])]) {
    const runs = runsFrom(children, head.look)
    if (runs && areAlike(runs) && !runs.some((run) => isOfLists(tree, run)))
      return runs.slice(0, maxRecords).map((run) => spanOf(tree, base, run))
  }
  return undefined
}

/** Whether a heading stands above records of its own. */
function isOfLists(tree: Tree, run: readonly Child[]): boolean {
  return run.some(({ node }) => {
    const inner = childrenOf(tree, node)
    const looks = new Set(inner.map((child) => styleOf(tree, child)))
    return inner.length > 1 && looks.size < inner.length && !isInline[tagOf(tree, inner[0] ?? 0)]
  })
}

/** The children from each of a look up to the next; the last ends where it has another look than all before. */
function runsFrom(children: readonly Child[], look: string): Child[][] | undefined {
  const runs: Child[][] = []
  for (const child of children) {
    if (child.look === look) runs.push([child])
    else runs.at(-1)?.push(child)
  }
  if (runs.some(({ length }) => length < 2)) return undefined
  const last = runs.at(-1) ?? []
  const usual = new Set(runs.slice(0, -1).flatMap((run) => run.map((child) => child.look)))
  const stop = last.findIndex((child) => !usual.has(child.look))
  const longest = Math.max(...runs.slice(0, -1).map(({ length }) => length))
  return [...runs.slice(0, -1), last.slice(0, Math.min(stop < 0 ? last.length : stop, longest))]
}

function areAlike(runs: readonly Child[][]): boolean {
  const counts = new Map<string, number>()
  for (const run of runs)
    for (const look of new Set(run.map((child) => child.look))) counts.set(look, (counts.get(look) ?? 0) + 1)
  const common = [...counts.values()].filter((count) => count >= runs.length * 0.6).length
  return common >= 2 && common >= counts.size * leastAlike
}

function spanOf(tree: Tree, base: Node, run: readonly Child[]): Span {
  return { node: run[0]?.node ?? base, end: endOf(tree, run.at(-1)?.node ?? base), base }
}

function isHeading(tree: Tree, node: Node): boolean {
  const name = tagOf(tree, node)
  return (name >= tag.h1 && name <= tag.h6) || name === tag.dt
}

/** Its tag and first class, without digits: later classes tell the odd from the even, digits one record from the next. */
export function styleOf(tree: Tree, node: Node): string {
  const [first = ''] = (attribute(tree, node, attr.class) ?? '').trim().split(/\s+/, 1)
  return `${tagOf(tree, node)}.${first.slice(0, 60).replace(/\d+/g, '')}`
}
