import { none } from '../tree/tree.ts'
import type { Choice } from './choice.ts'
import { type Evidence, holderOf } from './evidence.ts'
import { isDated, isSigned } from './record-facts.ts'
import { type Group, isInGroup } from './records.ts'
import { region, regionAround } from './regions.ts'

/** The kind of address that a thread has; see `page-facts.ts`. */
const ofForum = 1
const mostWordsOfDate = 14
const mostWordsOfAuthor = 5
const fewestWordsOfPost = 8
/** How far from its text a post says who wrote it and when, in blocks. */
const mostBetween = 4

/**
 * Who wrote a post and when, for the posts of threads that are no group: the one that opens a thread is often built unlike
 * its answers, and one or two answers are no group yet.
 */
export function keepBylines(choice: Choice, evidence: Evidence, groups: Group[]): void {
  const { tree, blocks, page } = evidence
  if (!page.isForum && page.address.kind !== ofForum) return
  const isPost = (block: number) =>
    choice.kept[block] === 1 && (blocks.words[block] ?? 0) >= fewestWordsOfPost
  for (let from = 0; from < blocks.count; from += 1) {
    if (choice.kept[from] !== 1) continue
    let to = from
    let holdsPost = false
    while (to < blocks.count && choice.kept[to] === 1) {
      holdsPost ||= isPost(to)
      to += 1
    }
    if (holdsPost && !isInGroup(tree, groups, blocks.firsts[to - 1] ?? 0)) sign(choice, evidence, from, to)
    from = to
  }
}

function sign(choice: Choice, evidence: Evidence, from: number, to: number): void {
  for (const isOne of [isAuthor, isDate]) {
    let isThere = false
    for (let block = from; block < to && !isThere; block += 1) isThere = isOne(evidence, block)
    if (isThere) continue
    const block = nearest(choice, evidence, from, to, isOne)
    if (block === none) continue
    choice.kept[block] = 1
    choice.reasons[block] = 'part of a record'
  }
}

/** Above the text, else below it; never behind what belongs to another post. */
function nearest(
  choice: Choice,
  evidence: Evidence,
  from: number,
  to: number,
  isOne: (evidence: Evidence, block: number) => boolean,
): number {
  const isFree = (block: number) => choice.kept[block] === 0 || choice.reasons[block] === 'part of a record'
  for (let block = from - 1; block >= Math.max(0, from - mostBetween) && isFree(block); block -= 1) {
    if (isOne(evidence, block)) return choice.kept[block] === 0 ? block : none
  }
  const last = Math.min(evidence.blocks.count, to + mostBetween)
  for (let block = to; block < last && isFree(block); block += 1) {
    if (isOne(evidence, block)) return choice.kept[block] === 0 ? block : none
  }
  return none
}

const isAuthor = (evidence: Evidence, block: number) =>
  isShort(evidence, block, mostWordsOfAuthor) && isSigned(evidence, block)

const isDate = (evidence: Evidence, block: number) =>
  isShort(evidence, block, mostWordsOfDate) && isDated(evidence, block)

function isShort({ blocks, elements }: Evidence, block: number, most: number): boolean {
  if ((blocks.words[block] ?? 0) > most) return false
  return [region.nav, region.footer, region.aside].every(
    (kind) => regionAround(elements.regions, holderOf(blocks, block), kind) === none,
  )
}
