import { none } from '../tree/tree.ts'
import type { Choice } from './choice.ts'
import { type Evidence, holderOf } from './evidence.ts'
import { isDated, isSigned } from './record-facts.ts'
import { region, regionAround } from './regions.ts'

/** The kind of address that a thread has; see `page-facts.ts`. */
const ofForum = 1
const mostWords = 14
const fewestWordsOfPost = 8

/** The post that opens a thread is often built unlike its answers: who wrote it and when stands right above it. */
export function keepBylines(choice: Choice, evidence: Evidence): void {
  const { blocks, page, elements } = evidence
  if (!page.isForum && page.address.kind !== ofForum) return
  for (let block = 0; block < blocks.count - 1; block += 1) {
    const isAbovePost = choice.kept[block + 1] === 1 && (blocks.words[block + 1] ?? 0) >= fewestWordsOfPost
    if (choice.kept[block] === 1 || !isAbovePost || (blocks.words[block] ?? 0) > mostWords) continue
    const isOutside = [region.nav, region.footer, region.aside].some(
      (kind) => regionAround(elements.regions, holderOf(blocks, block), kind) !== none,
    )
    if (isOutside || !isDated(evidence, block) || !isSigned(evidence, block)) continue
    choice.kept[block] = 1
    choice.reasons[block] = 'part of a record'
  }
}
