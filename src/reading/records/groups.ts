import { attr, tag, tagSet } from '../../content/tree/names.ts'
import { attribute, endOf, isText, type Node, parentOf, root, tagOf } from '../../content/tree/tree.ts'
import type { Lines } from '../fields/lines.ts'

/** A record: an element, or a run of elements that stand side by side; places in it are relative to `base`. */
export interface Span {
  node: Node
  end: Node
  base: Node
}

const fewest = 2
const mostGroups = 40
const mostRecords = 2000

const never = tagSet(
  'script style head meta link br hr option select svg noscript template tbody thead tfoot html body b i em strong span img',
)

/** Elements that look alike and stand in places that look alike: the cards of a collection, also those of several rows. */
export function findAlike({ tree, before, weights }: Lines): Span[][] {
  const groups = new Map<string, Node[]>()
  const looks = new Map<Node, string>()
  const lookOf = (node: Node): string => {
    const known = looks.get(node)
    if (known !== undefined) return known
    const look = `${tagOf(tree, node)}.${firstClass(attribute(tree, node, attr.class))}`
    looks.set(node, look)
    return look
  }
  for (let node = 1; node < tree.count; node += 1) {
    if (isText(tree, node) || (weights[node] ?? 0) < 0.3 || never[tagOf(tree, node)] === 1) continue
    const held = (before[tree.ends[node] ?? 0] ?? 0) - (before[node] ?? 0)
    // A link around a card is a record, one inside of it is not.
    if (held < (tagOf(tree, node) === tag.a ? 2 : 1)) continue
    const parent = parentOf(tree, node)
    const key = `${lookOf(node)} ${lookOf(parent)} ${parent > root ? lookOf(parentOf(tree, parent)) : ''}`
    const known = groups.get(key)
    if (!known) groups.set(key, [node])
    else if (known.length < mostRecords) known.push(node)
  }
  const linesIn = (nodes: readonly Node[]) =>
    nodes.reduce((sum, node) => sum + (before[tree.ends[node] ?? 0] ?? 0) - (before[node] ?? 0), 0)
  return [...groups.values()]
    .filter((nodes) => nodes.length >= fewest && tagOf(tree, nodes[0] ?? root) !== tag.td)
    .map((nodes) => ({ nodes, lines: linesIn(nodes) }))
    .sort((one, other) => other.lines - one.lines)
    .slice(0, mostGroups)
    .map(({ nodes }) => nodes.map((node) => ({ node, end: endOf(tree, node), base: node })))
}

/** Of the first name only, without digits: later ones tell the odd from the even, digits one record from the next. */
function firstClass(names: string | undefined): string {
  const [first = ''] = (names ?? '').trim().split(/\s+/, 1)
  return first.slice(0, 60).replace(/\d+/g, '')
}
