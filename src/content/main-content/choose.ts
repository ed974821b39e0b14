import { tagSet } from '../tree/names.ts'
import type { MainContentMode } from './block-selection.ts'
import { type Evidence, elementOfBlock } from './page-analysis.ts'
import { isHeading } from './page-facts.ts'

const minThreshold = 0.25
const maxThreshold = 0.5
/** Upper bound for a page without menus, headers and footers, which has little besides content. */
const maxThresholdWhenBare = 0.4
/** If the model is confident about a page, an uncertain block is probably not content. */
const minThresholdWhenConfident = 0.5
const confidentBalance = 0.8
const articleThreshold = 0.6

/**
 * The threshold is lower for some blocks: a lost item, cell or listing leaves a gap, and nothing replaces a
 * lost link.
 */
const structureBonus = 0.2
const linkBonus = 0.15
const minProbability = 0.1
const structured = tagSet('dd dt li pre td th')
const minHeadingThreshold = 0.2

/**
 * A fixed threshold would lose lists or keep boilerplate, so this one maximises the expected F1 score, which
 * is returned as `balance`.
 */
export function chooseThreshold({ blocks, page }: Evidence, probabilities: Float32Array) {
  const order = sortByProbability(probabilities)
  const { threshold, balance } = findBestBalance(order, probabilities, (block) =>
    Math.max(blocks.words[block] ?? 0, 0.5),
  )
  const lowerBound = balance > confidentBalance ? minThresholdWhenConfident : minThreshold
  const upperBound = page.surroundings === 0 ? maxThresholdWhenBare : maxThreshold
  return { threshold: Math.min(upperBound, Math.max(lowerBound, threshold)), balance }
}

/** Greater than the maximum number of blocks of a page. */
const blockRadix = 2 ** 20
const bitsOfOne = 0x3f800000

/** The bits of floats between 0 and 1 sort like their values, so typed arrays sort without a comparator. */
function sortByProbability(probabilities: Float32Array): Float64Array {
  const bits = new Int32Array(probabilities.buffer, probabilities.byteOffset, probabilities.length)
  const order = new Float64Array(bits.length)
  for (let block = 0; block < order.length; block += 1) {
    order[block] = (bitsOfOne - (bits[block] ?? 0)) * blockRadix + block
  }
  order.sort()
  for (let index = 0; index < order.length; index += 1) order[index] = (order[index] ?? 0) % blockRadix
  return order
}

export function selectBlocks(
  { tree, blocks, page }: Evidence,
  probabilities: Float32Array,
  threshold: number,
  mode: MainContentMode = 'balanced',
): Uint8Array {
  const isStrict = mode === 'article'
  const kept = new Uint8Array(blocks.count)
  const headings: number[] = []
  for (let block = 0; block < kept.length; block += 1) {
    const tag = tree.tags[elementOfBlock(blocks, block)] ?? 0
    if (isHeading(tag) && block !== page.titleBlock) headings.push(block)
    const hasLinks = (blocks.linkWords[block] ?? 0) > 0
    const required = isStrict
      ? Math.max(threshold, articleThreshold)
      : threshold - (structured[tag] === 1 ? structureBonus : hasLinks ? linkBonus : 0)
    kept[block] = Number((probabilities[block] ?? 0) >= Math.max(minProbability, required))
  }
  const minHeading = chooseHeadingThreshold(headings, probabilities)
  for (const block of headings) kept[block] = Number((probabilities[block] ?? 0) >= minHeading)
  return kept
}

/** Returns a separate threshold for headings, because they are too short to affect a threshold weighted by words. */
function chooseHeadingThreshold(headings: number[], probabilities: Float32Array): number {
  const order = headings.toSorted((left, right) => (probabilities[right] ?? 0) - (probabilities[left] ?? 0))
  const { threshold } = findBestBalance(order, probabilities, () => 1)
  return Math.min(maxThreshold, Math.max(minHeadingThreshold, threshold))
}

function findBestBalance(
  order: Iterable<number>,
  probabilities: Float32Array,
  getBlockWeight: (block: number) => number,
) {
  let total = 0
  for (const block of order) total += getBlockWeight(block) * (probabilities[block] ?? 0)
  let [content, kept, balance, threshold] = [0, 0, 0, 0.5]
  for (const block of order) {
    const weight = getBlockWeight(block)
    content += weight * (probabilities[block] ?? 0)
    kept += weight
    const f1 = (2 * content) / (kept + total)
    if (f1 <= balance) continue
    balance = f1
    threshold = probabilities[block] ?? 0
  }
  return { threshold, balance }
}
