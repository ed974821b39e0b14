import { tag, tagSet } from '../tree/names.ts'
import type { Node, Tree } from '../tree/tree.ts'
import type { Blocks } from './blocks.ts'
import { type Choice, change } from './choice.ts'
import type { Evidence } from './evidence.ts'
import { classHash } from './records.ts'

const seriesTags = tagSet('article div section')

/** If this share of the items of a list is kept, all of them are kept. */
const mostItems = 0.5
/** An item that is less likely than this was put into the list from elsewhere. */
const leastLikely = 0.03

/** This many similar successive elements with one line each are a list, whatever their tags are. */
const fewestInSeries = 8
const nearlyAll = 0.6
const lookRoom = 2 ** 20

/** An item without its own text, or a list with holes, reads as if something else were meant. */
export function keepItems(choice: Choice, evidence: Evidence, probabilities: Float32Array): void {
  const { tree, blocks } = evidence
  // From the last, so that what is kept of an inner list is known before its item is asked.
  for (let node = tree.count - 1; node > 0; node -= 1) {
    const name = tree.tags[node] ?? 0
    if (name === tag.li) keepOwnText(choice, tree, blocks, node)
    else if (name === tag.ul || name === tag.ol) fillHoles(choice, tree, blocks, node, probabilities)
  }
  fillSeries(choice, evidence, probabilities)
}

function fillSeries(choice: Choice, { tree, blocks }: Evidence, probabilities: Float32Array): void {
  for (const lines of seriesOf(tree, blocks)) {
    if (lines.length < fewestInSeries) continue
    let kept = 0
    for (const line of lines) kept += choice.kept[line] ?? 0
    if (kept < lines.length * mostItems) continue
    const least = kept < lines.length * nearlyAll ? leastLikely : 0
    for (const line of lines)
      if ((probabilities[line] ?? 0) >= least) change(choice, line, true, 'whole list')
  }
}

/** The lines of elements that stand in one parent and look the same. */
function seriesOf(tree: Tree, blocks: Blocks): Iterable<number[]> {
  const series = new Map<number, number[]>()
  for (let node = 1; node < tree.count; node += 1) {
    if (seriesTags[tree.tags[node] ?? 0] !== 1) continue
    const line = blocks.before[node] ?? 0
    const held = (blocks.before[tree.ends[node] ?? 0] ?? 0) - line
    if (held > 1) continue
    if (held === 1) {
      const key = (tree.parents[node] ?? 0) * lookRoom + (classHash(tree, node) & (lookRoom - 1))
      const lines = series.get(key)
      if (lines) lines.push(line)
      else series.set(key, [line])
    }
    node = (tree.ends[node] ?? 0) - 1
  }
  return series.values()
}

/** The text before the first inner list says what that list is of. */
function keepOwnText(choice: Choice, tree: Tree, blocks: Blocks, item: Node): void {
  const end = tree.ends[item] ?? 0
  let inner = item + 1
  while (inner < end && tree.tags[inner] !== tag.ul && tree.tags[inner] !== tag.ol) inner += 1
  if (inner === end) return
  const from = blocks.before[item] ?? 0
  const own = blocks.before[inner] ?? 0
  const to = blocks.before[end] ?? 0
  if (own - from !== 1 || choice.kept[from] === 1) return
  if (choice.kept.subarray(own, to).includes(1)) change(choice, from, true, 'whole list')
}

function fillHoles(
  choice: Choice,
  tree: Tree,
  blocks: Blocks,
  list: Node,
  probabilities: Float32Array,
): void {
  const end = tree.ends[list] ?? 0
  let [items, kept] = [0, 0]
  const holes: number[] = []
  for (let item = list + 1; item < end; item = tree.ends[item] ?? end) {
    if (tree.tags[item] !== tag.li) continue
    const from = blocks.before[item] ?? 0
    const to = blocks.before[tree.ends[item] ?? 0] ?? 0
    if (from === to) continue
    items += 1
    if (choice.kept.subarray(from, to).includes(1)) kept += 1
    else if (to - from === 1 && (probabilities[from] ?? 0) >= leastLikely) holes.push(from)
  }
  if (items < 3 || kept < items * mostItems) return
  for (const block of holes) change(choice, block, true, 'whole list')
}
