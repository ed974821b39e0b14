import { none } from '../tree/tree.ts'
import { type Evidence, holderOf } from './evidence.ts'
import { aroundFeatures, writeAround } from './features-around.ts'
import { blockFeatures, writeBlock } from './features-of-block.ts'
import { pageFeatures, readPageFeatures } from './features-of-page.ts'
import { isHeading } from './page-facts.ts'

export const featureNames: readonly string[] = [...blockFeatures, ...aroundFeatures, ...pageFeatures]

/** One row of features for each block, in turn, in the same array. */
export function eachRow(evidence: Evidence, visit: (block: number, row: Float32Array) => void): void {
  const { tree, blocks } = evidence
  const row = new Float32Array(featureNames.length)
  row.set(readPageFeatures(evidence), blockFeatures.length + aroundFeatures.length)
  let heading = none
  for (let block = 0; block < blocks.count; block += 1) {
    writeAround(row, writeBlock(row, 0, evidence, block, heading), evidence, block)
    visit(block, row)
    if (isHeading(tree.tags[holderOf(blocks, block)] ?? 0)) heading = block
  }
}
