import { none } from '../tree/tree.ts'
import { type Choice, change } from './choice.ts'
import { clearContainer } from './clear-container.ts'
import { type Evidence, holderOf } from './evidence.ts'
import { isHeading } from './page-facts.ts'

/** Of such a block the model is sure. */
const sure = 0.8
/** The amount of certain content that makes a text, and its share of all likely content that makes it the main text. */
const fewestWords = 50
const leastShare = 0.35
const leastOutside = 0.5

/**
 * Beside a text that stands whole in one element, headlines and teasers are often half likely, and there are many. What
 * stands outside of that element is kept only where it is more likely than not. The line below the title is part of the text.
 */
export function dropOutside(choice: Choice, evidence: Evidence, probabilities: Float32Array): void {
  const { tree, blocks, page } = evidence
  const container = clearContainer(evidence, probabilities, sure)
  if (container === none || !isTextOfPage(evidence, probabilities)) return
  const from = blocks.before[container] ?? 0
  const to = blocks.before[tree.ends[container] ?? 0] ?? 0
  const hasTitleBefore = page.titleBlock !== none && page.titleBlock < from
  for (let block = 0; block < blocks.count; block += 1) {
    if (block === from) block = to
    if ((probabilities[block] ?? 1) >= leastOutside || block === page.titleBlock) continue
    const isBetween = hasTitleBefore && block > page.titleBlock && block < from
    const isSubtitle = isBetween && isHeading(tree.tags[holderOf(blocks, block)] ?? 0)
    if (!isSubtitle) change(choice, block, false, 'outside the container')
  }
}

function isTextOfPage({ blocks }: Evidence, probabilities: Float32Array): boolean {
  let [likelyWords, sureWords] = [0, 0]
  for (let block = 0; block < blocks.count; block += 1) {
    const probability = probabilities[block] ?? 0
    const words = blocks.words[block] ?? 0
    likelyWords += probability * words
    if (probability >= sure) sureWords += words
  }
  return sureWords >= fewestWords && sureWords >= likelyWords * leastShare
}
