import type { Blocks } from './blocks.ts'

/** The least and the greatest probability that may divide content from the rest. */
const least = 0.25
const greatest = 0.6
/** Where the model is sure of a page, a doubtful block is an intruder. */
const leastWhenSure = 0.55
const sure = 0.8

/**
 * The probability from which on blocks are kept. A fixed one would either lose lists, on which the model is
 * never sure, or let intruders into articles; so it is the one that should give the best balance of what is
 * kept and what is missed, were the probabilities true.
 */
export function chooseThreshold(
  blocks: Blocks,
  probabilities: Float32Array,
): { threshold: number; balance: number } {
  const order = byProbability(probabilities)
  let all = 0
  for (const block of order) all += wordsOf(blocks, block) * (probabilities[block] ?? 0)
  let [content, kept, balance, threshold] = [0, 0, 0, 0.5]
  for (const block of order) {
    const words = wordsOf(blocks, block)
    content += words * (probabilities[block] ?? 0)
    kept += words
    const reached = (2 * content) / (kept + all)
    if (reached <= balance) continue
    balance = reached
    threshold = probabilities[block] ?? 0
  }
  const lowest = balance > sure ? leastWhenSure : least
  return { threshold: Math.min(greatest, Math.max(lowest, threshold)), balance }
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
