import { attr, tag } from '../../content/tree/names.ts'
import { attribute, endOf, type Node, parentOf, type Tree, tagName, tagOf } from '../../content/tree/tree.ts'
import type { Lines } from '../../reading/fields/lines.ts'
import type { Entry } from './entries.ts'

/** Prices that belong to one item, and the lines around them that stand in an element of their own. */
export interface Group {
  /** Lines with a price: the first, and the one behind the last. */
  from: number
  to: number
  /** The element of the item, where it has one; undefined where its lines stand among those of others. */
  card: { node: Node; from: number; to: number } | undefined
}

const mostLinesOfCard = 16

/** Finds the items of a page by their prices, in page order. */
export function findGroups(lines: Lines, entries: readonly Entry[]): Group[] {
  const { tree } = lines
  const runs = priceRuns(tree, entries)
  const before = countBefore(runs, entries.length)
  const chains = runs.map((run) => chainOf(lines, run, before))
  const alike = new Map<string, number>()
  for (const chain of chains) {
    const name = likeness(tree, chain.at(-1) ?? 0)
    alike.set(name, (alike.get(name) ?? 0) + 1)
  }
  return runs.map((run, index) => {
    const chain = chains[index] ?? []
    // A section with one item ends where the page does: such a card is as large as those of other items.
    const top = chain.findLast((node) => (alike.get(likeness(tree, node)) ?? 0) > 1) ?? chain.at(-1)
    return { ...run, card: top === undefined ? undefined : cardAt(lines, entries, top) }
  })
}

type Run = Pick<Group, 'from' | 'to'>

/** Prices in one row stand side by side: one for each size. */
function priceRuns(tree: Tree, entries: readonly Entry[]): Run[] {
  const runs: Run[] = []
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== 'price' && entry.kind !== 'priced') continue
    const last = runs.at(-1)
    const previous = last?.to === index ? entries[index - 1] : undefined
    const isSame = previous && entry.kind === 'price' && isSideBySide(tree, previous, entry)
    if (last && isSame) last.to = index + 1
    else runs.push({ from: index, to: index + 1 })
  }
  return runs
}

function isSideBySide(tree: Tree, one: Entry, other: Entry): boolean {
  const [left, right] = [one.line.holder, other.line.holder].map((node) => {
    for (let at = node, up = 0; at > 0 && up < 4; at = parentOf(tree, at), up += 1)
      if (tagOf(tree, at) === tag.tr) return at
    return parentOf(tree, node)
  })
  return left === right
}

function countBefore(runs: readonly Run[], count: number): Int32Array {
  const before = new Int32Array(count + 1)
  for (const { from } of runs) before[from + 1] = 1
  for (let index = 1; index <= count; index += 1)
    before[index] = (before[index] ?? 0) + (before[index - 1] ?? 0)
  return before
}

/** The elements around a price that hold no other one, the innermost first. */
function chainOf({ tree, list, before }: Lines, { from }: Run, counts: Int32Array): Node[] {
  const chain: Node[] = []
  for (let node = list[from]?.holder ?? 0; node > 0; node = parentOf(tree, node)) {
    const first = counts[before[node] ?? 0] ?? 0
    const behind = counts[before[endOf(tree, node)] ?? 0] ?? 0
    if (behind - first !== 1 || tagOf(tree, node) === tag.body) break
    chain.push(node)
  }
  return chain
}

function likeness(tree: Tree, node: Node): string {
  return `${tagName(tree, node)}.${attribute(tree, node, attr.class) ?? ''}`
}

function cardAt({ tree, before }: Lines, entries: readonly Entry[], node: Node): Group['card'] {
  const [from, to] = [before[node] ?? 0, before[endOf(tree, node)] ?? 0]
  const inside = entries.slice(from, to)
  const hasName = inside.some(({ kind, text }) => kind !== 'aside' && text !== '')
  return hasName && inside.length <= mostLinesOfCard ? { node, from, to } : undefined
}
