import { tag } from '../tree/names.ts'
import { isInside, type Node, none } from '../tree/tree.ts'
import { type Choice, change } from './choice.ts'
import { type Evidence, holderOf } from './evidence.ts'
import { isHeading } from './page-facts.ts'

/** A heading is kept if this share of its section is kept. */
const mostOfSection = 0.5
const leastLikely = 0.02

/** Inside the container, the heading of a section that is kept: up to the next of its level or a higher one. */
export function keepSectionHeadings(
  choice: Choice,
  { tree, blocks, page }: Evidence,
  container: Node,
  probabilities: Float32Array,
): void {
  if (container === none) return
  const keptBefore = keptWordsBefore(choice, blocks)
  const last = blocks.before[tree.ends[container] ?? 0] ?? 0
  const first = blocks.before[container] ?? 0
  /** For each level, where the next heading of it or of a higher one begins. */
  const nextOf = new Array<number>(7).fill(last)
  for (let block = last - 1; block >= first; block -= 1) {
    const holder = holderOf(blocks, block)
    const name = tree.tags[holder] ?? 0
    if (!isHeading(name) || !isInside(tree, holder, container)) continue
    const level = name - tag.h1 + 1
    const end = nextOf[level] ?? last
    const all = (blocks.wordsBefore[end] ?? 0) - (blocks.wordsBefore[block + 1] ?? 0)
    const kept = (keptBefore[end] ?? 0) - (keptBefore[block + 1] ?? 0)
    // All that follows is the section of the title: whether it is kept is asked elsewhere.
    if (
      block !== page.titleBlock &&
      all > 0 &&
      kept >= all * mostOfSection &&
      (probabilities[block] ?? 0) >= leastLikely
    ) {
      change(choice, block, true, 'heading of a kept part')
    }
    nextOf.fill(block, level)
  }
}

export function keptWordsBefore(
  choice: Choice,
  { count, words }: { count: number; words: Float32Array },
): Float64Array {
  const before = new Float64Array(count + 1)
  for (let block = 0; block < count; block += 1) {
    before[block + 1] = (before[block] ?? 0) + (choice.kept[block] ?? 0) * (words[block] ?? 0)
  }
  return before
}
