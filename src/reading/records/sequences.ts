import { attr, tag, tagSet } from '../../content/tree/names.ts'
import { attribute, endOf, isText, type Node, type Tree, tagOf } from '../../content/tree/tree.ts'
import type { Lines } from '../fields/lines.ts'
import type { Span } from './groups.ts'

const isInline = tagSet('a abbr b br code em i s small span strong sub sup time u img')
const mostRecords = 2000
const mostSequences = 20
/** Records of a sequence have at least this share in common. */
const leastAlike = 0.5

/** Records that have no element of their own: a heading and what follows it, up to the next; rows that go together. */
export function findSequences({ tree, weights, before }: Lines): Span[][] {
  const found: Span[][] = []
  for (let node = 0; node < tree.count && found.length < mostSequences; node += 1) {
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

function childrenOf(tree: Tree, parent: Node): Node[] {
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
  const children = nodes.map((node) => ({ node, look: lookOf(tree, node) }))
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
      return runs.slice(0, mostRecords).map((run) => spanOf(tree, base, run))
  }
  return undefined
}

/** Whether a heading stands above records of its own. */
function isOfLists(tree: Tree, run: readonly Child[]): boolean {
  return run.some(({ node }) => {
    const inner = childrenOf(tree, node)
    const looks = new Set(inner.map((child) => lookOf(tree, child)))
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

function lookOf(tree: Tree, node: Node): string {
  const [first = ''] = (attribute(tree, node, attr.class) ?? '').trim().split(/\s+/, 1)
  return `${tagOf(tree, node)}.${first.slice(0, 60).replace(/\d+/g, '')}`
}
