import { tagSet } from '../tree/names.ts'
import { none } from '../tree/tree.ts'
import type { Blocks } from './blocks.ts'
import { type Evidence, holderOf } from './evidence.ts'
import { isHeading } from './page-facts.ts'

/** The least and the greatest probability that may divide content from the rest. */
const least = 0.25
const greatest = 0.6
/** Where the model is sure of a page, a doubtful block is an intruder. */
const leastWhenSure = 0.55
const sure = 0.8

/** A lost item, cell or listing leaves a hole in what is kept, and a lost link nobody finds again. */
const forStructure = 0.2
const forLinks = 0.15
const leastOfAll = 0.1
const structured = tagSet('dd dt li pre td th')

const leastOfHeadings = 0.2

export interface Threshold {
  threshold: number
  balance: number
}

/**
 * The probability from which on blocks are kept. A fixed one would either lose lists, on which the model is
 * never sure, or let intruders into articles; so it is the one that should give the best balance of what is
 * kept and what is missed, were the probabilities true.
 */
export function chooseThreshold(blocks: Blocks, probabilities: Float32Array): Threshold {
  const all = Array.from({ length: blocks.count }, (_, block) => block)
  const { threshold, balance } = bestBalance(all, probabilities, (block) => wordsOf(blocks, block))
  const lowest = balance > sure ? leastWhenSure : least
  return { threshold: Math.min(greatest, Math.max(lowest, threshold)), balance }
}

/** A block of signs alone is a little too. */
const wordsOf = (blocks: Blocks, block: number) => Math.max(blocks.words[block] ?? 0, 0.5)

/** Which blocks are kept at a threshold: one for each block that is. */
export function keptBlocks(
  { tree, blocks, page }: Evidence,
  probabilities: Float32Array,
  threshold: number,
): Uint8Array {
  const isOwn = (block: number) =>
    block !== page.titleBlock && isHeading(tree.tags[holderOf(blocks, block)] ?? 0)
  const headings = Array.from({ length: blocks.count }, (_, block) => (isOwn(block) ? block : none))
  const forHeadings = headingThreshold(
    headings.filter((block) => block !== none),
    probabilities,
  )
  return Uint8Array.from(probabilities, (probability, block) => {
    if (headings[block] === block) return Number(probability >= forHeadings)
    const isStructured = structured[tree.tags[holderOf(blocks, block)] ?? 0] === 1
    const hasLink = (blocks.linkWords[block] ?? 0) > 0
    const needed = threshold - (isStructured ? forStructure : hasLink ? forLinks : 0)
    return Number(probability >= Math.max(leastOfAll, needed))
  })
}

/** Headings are short: counted in words they would not move the threshold, so they have one of their own. */
function headingThreshold(headings: number[], probabilities: Float32Array): number {
  const { threshold } = bestBalance(headings, probabilities, () => 1)
  return Math.min(greatest, Math.max(leastOfHeadings, threshold))
}

function bestBalance(
  chosen: number[],
  probabilities: Float32Array,
  weightOf: (block: number) => number,
): Threshold {
  const order = chosen.sort((a, b) => (probabilities[b] ?? 0) - (probabilities[a] ?? 0))
  let all = 0
  for (const block of order) all += weightOf(block) * (probabilities[block] ?? 0)
  let [content, kept, balance, threshold] = [0, 0, 0, 0.5]
  for (const block of order) {
    const weight = weightOf(block)
    content += weight * (probabilities[block] ?? 0)
    kept += weight
    const reached = (2 * content) / (kept + all)
    if (reached <= balance) continue
    balance = reached
    threshold = probabilities[block] ?? 0
  }
  return { threshold, balance }
}
