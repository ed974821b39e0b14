import { tagSet } from '../tree/names.ts'
import type { MainContentMode } from './block-selection.ts'
import type { Blocks } from './blocks.ts'
import { type Evidence, elementOfBlock } from './page-analysis.ts'
import { isHeading } from './page-facts.ts'

/** The least and the greatest probability that may divide content from the rest. */
const least = 0.25
const greatest = 0.5
/** A page without menus, headers and footers has little that is not content. */
const greatestWhenBare = 0.4
/** Where the model is sure of a page, a doubtful block is an intruder. */
const minWhenSure = 0.5
const sure = 0.8
/** For who wants the article and nothing else. */
const strict = 0.6

/** A lost item, cell or listing leaves a gap in the kept content, and a lost link cannot be recovered. */
const forStructure = 0.2
const forLinks = 0.15
const minOfAll = 0.1
const structured = tagSet('dd dt li pre td th')

const minOfHeadings = 0.2

interface Threshold {
  threshold: number
  balance: number
}

/**
 * The probability from which on blocks are kept. A fixed one would either lose lists, on which the model is
 * never sure, or let intruders into articles; so it is the one that should give the best balance of what is
 * kept and what is missed, were the probabilities true.
 */
export function chooseThreshold({ blocks, page }: Evidence, probabilities: Float32Array): Threshold {
  const order = byProbability(probabilities)
  const { threshold, balance } = bestBalance(order, probabilities, (block) => wordsOf(blocks, block))
  const lowest = balance > sure ? minWhenSure : least
  const highest = page.surroundings === 0 ? greatestWhenBare : greatest
  return { threshold: Math.min(highest, Math.max(lowest, threshold)), balance }
}

/** More blocks than a page may have nodes. */
const blockRoom = 2 ** 20
const bitsOfOne = 0x3f800000

/**
 * The blocks, the most probable first. Numbers up to one are ordered as their bits are, so one whole number holds how far
 * a block is from certain and which it is, and the engine sorts them by itself.
 */
function byProbability(probabilities: Float32Array): Float64Array {
  const bits = new Int32Array(probabilities.buffer, probabilities.byteOffset, probabilities.length)
  const order = new Float64Array(bits.length)
  for (let block = 0; block < order.length; block += 1) {
    order[block] = (bitsOfOne - (bits[block] ?? 0)) * blockRoom + block
  }
  order.sort()
  for (let place = 0; place < order.length; place += 1) order[place] = (order[place] ?? 0) % blockRoom
  return order
}

/** A block of signs alone is a little too. */
const wordsOf = (blocks: Blocks, block: number) => Math.max(blocks.words[block] ?? 0, 0.5)

/** Which blocks are kept at a threshold: one for each block that is. */
export function keptBlocks(
  { tree, blocks, page }: Evidence,
  probabilities: Float32Array,
  threshold: number,
  mode: MainContentMode = 'balanced',
): Uint8Array {
  const isStrict = mode === 'article'
  const tagOf = (block: number) => tree.tags[elementOfBlock(blocks, block)] ?? 0
  const kept = new Uint8Array(blocks.count)
  const headings: number[] = []
  for (let block = 0; block < kept.length; block += 1) {
    const tag = tagOf(block)
    if (isHeading(tag) && block !== page.titleBlock) headings.push(block)
    const hasLink = (blocks.linkWords[block] ?? 0) > 0
    const needed = isStrict
      ? Math.max(threshold, strict)
      : threshold - (structured[tag] === 1 ? forStructure : hasLink ? forLinks : 0)
    kept[block] = Number((probabilities[block] ?? 0) >= Math.max(minOfAll, needed))
  }
  const forHeadings = headingThreshold(headings, probabilities)
  for (const block of headings) kept[block] = Number((probabilities[block] ?? 0) >= forHeadings)
  return kept
}

/** Headings are short: counted in words they would not affect the threshold, so they have a separate one. */
function headingThreshold(headings: number[], probabilities: Float32Array): number {
  const order = headings.toSorted((left, right) => (probabilities[right] ?? 0) - (probabilities[left] ?? 0))
  const { threshold } = bestBalance(order, probabilities, () => 1)
  return Math.min(greatest, Math.max(minOfHeadings, threshold))
}

/** `order` holds blocks, the most probable first. */
function bestBalance(
  order: Iterable<number>,
  probabilities: Float32Array,
  weightOf: (block: number) => number,
): Threshold {
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
