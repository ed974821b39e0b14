import { tagSet } from '../tree/names.ts'
import { classOf, type Node, none, root } from '../tree/tree.ts'
import type { Choice, Reason } from './choice.ts'
import { type Evidence, holderOf } from './evidence.ts'
import { isHeading } from './page-facts.ts'
import { isAction, isAuthorSlot, isBylineSlot, isDateSlot, isName } from './record-facts.ts'
import type { Group, Slot } from './records.ts'

/**
 * Records are whole or not there at all: where most of a group is content, every record keeps its name, price, author and
 * date, and what most of the others keep in the same place. A card without its price or a post without its author is a hole
 * that nobody sees.
 */
export function keepWholeRecords(
  choice: Choice,
  evidence: Evidence,
  groups: Group[],
  { isOfProduct, probabilities }: { isOfProduct: boolean; probabilities: Float32Array },
): void {
  const all = keptWords(choice, evidence)
  for (const group of groups) {
    const { records, slots } = group
    const ofMost = slots.filter((slot) => slot.records * 2 >= records.length)
    const names = ofMost.find((slot) => isName(evidence, slot))
    const prices = ofMost.filter(({ isPrice }) => isPrice)
    const kept = partKept(choice, evidence, slots, names)
    const isBeside = kept.words * 2 < all
    const heading = headingOf(evidence, records[0] ?? root)
    const isOther = isOfProduct && names !== undefined && prices.length > 0
    const isMost = !isOther && kept.all > all - kept.words
    const isSigned = ofMost.some((slot) => isAuthorSlot(evidence, slot) || isBylineSlot(evidence, slot))
    if (isOther && isBeside && names.isLink) {
      // Products that the page of another one recommends.
      dropProducts(choice, evidence, records)
    } else if (kept.share >= leastShare({ isBeside, isMost, isSigned })) {
      const needed = new Set([names, ...prices, ...byline(choice, evidence, group, ofMost)])
      complete(choice, evidence, slots, { needed, probabilities })
      if (isSigned) for (const record of records) keepTexts(choice, evidence, record, probabilities)
      if (heading !== none && !isBeside) set(choice, heading, 'part of a record')
    } else if (isBeside && !isMost && names?.isLink && isOfFacts(evidence, slots)) {
      // Cards of which few were kept, beside the content.
      for (const record of records) dropRecord(choice, evidence, record)
      if (heading !== none) set(choice, heading, 'torn record')
    }
  }
}

const fewestWordsOfText = 5
/** Signatures and what is said of the author are less likely. */
const leastLikelyOfText = 0.15

/** A post stays with its author, however short it is. */
function keepTexts(
  choice: Choice,
  { tree, blocks }: Evidence,
  record: Node,
  probabilities: Float32Array,
): void {
  const to = blocks.before[tree.ends[record] ?? 0] ?? 0
  for (let block = blocks.before[record] ?? 0; block < to; block += 1) {
    const isText = (blocks.words[block] ?? 0) >= fewestWordsOfText && blocks.linkWords[block] === 0
    const isLikely = (probabilities[block] ?? 0) >= leastLikelyOfText
    if (isText && isLikely && textTags[tree.tags[holderOf(blocks, block)] ?? 0] === 1)
      set(choice, block, 'part of a record')
  }
}

const textTags = tagSet('blockquote div li p pre')

const mostWordsOfFact = 14

/** Whether no place of the records holds a text. */
function isOfFacts({ blocks }: Evidence, slots: Slot[]): boolean {
  return slots.every((slot) => slot.blocks.every((block) => (blocks.words[block] ?? 0) <= mostWordsOfFact))
}

function dropRecord(choice: Choice, { tree, blocks }: Evidence, record: Node): void {
  const to = blocks.before[tree.ends[record] ?? 0] ?? 0
  for (let block = blocks.before[record] ?? 0; block < to; block += 1) set(choice, block, 'torn record')
}

/** These and all that look like them, such as the two that were seen last. */
function dropProducts(choice: Choice, evidence: Evidence, records: Node[]): void {
  const { tree, blocks } = evidence
  const lookOf = (node: Node) => `${tree.tags[node]} ${classOf(tree, node) ?? ''}`
  const looks = new Set(records.map(lookOf))
  const parents = new Set<Node>()
  for (let node = records[0] ?? root; node < tree.count; node += 1) {
    if (tree.tags[node] === 0 || !looks.has(lookOf(node))) continue
    const to = blocks.before[tree.ends[node] ?? 0] ?? 0
    for (let block = blocks.before[node] ?? 0; block < to; block += 1) set(choice, block, 'another product')
    const parent = tree.parents[node] ?? root
    const heading = parents.has(parent) ? none : headingOf(evidence, node)
    if (heading !== none) set(choice, heading, 'another product')
    parents.add(parent)
    node = (tree.ends[node] ?? 0) - 1
  }
}

/** How much of a group must be kept for the rest to be missed: of one that stands beside the content, nearly all. */
const leastKept = 0.5
const leastKeptBeside = 0.8
/** If a page has less other text than this, its list is its content. */
const leastKeptOfMost = 0.2

/** A signed text is not a teaser of another page, wherever it is. */
function leastShare(group: { isBeside: boolean; isMost: boolean; isSigned: boolean }): number {
  if (group.isMost) return leastKeptOfMost
  return group.isBeside && !group.isSigned ? leastKeptBeside : leastKept
}

function complete(
  choice: Choice,
  evidence: Evidence,
  slots: Slot[],
  { needed, probabilities }: { needed: ReadonlySet<Slot | undefined>; probabilities: Float32Array },
): void {
  for (const slot of slots) {
    const isKept = isMostlyKept(choice, slot) || needed.has(slot) || isLikely(slot, probabilities)
    if (!isKept && !isAction(evidence, slot)) continue
    for (const block of slot.blocks) set(choice, block, isKept ? 'part of a record' : 'on every record')
  }
}

/** Who wrote a record and when, where it does not say so yet. */
function byline(
  choice: Choice,
  evidence: Evidence,
  { slots, records: { length: count } }: Group,
  ofMost: Slot[],
): (Slot | undefined)[] {
  return [isDateSlot, isAuthorSlot].map((isOne) => {
    // A year in the text of one post does not date the others.
    const there = slots.filter((slot) => isMostlyKept(choice, slot) && isOne(evidence, slot))
    const isThere = there.reduce((sum, slot) => sum + slot.records, 0) * 2 >= count
    return isThere ? undefined : ofMost.find((slot) => isOne(evidence, slot))
  })
}

/** Together they are likelier than not, though of some the model was less sure than the page asks for. */
function isLikely({ blocks }: Slot, probabilities: Float32Array): boolean {
  let sum = 0
  for (const block of blocks) sum += probabilities[block] ?? 0
  return sum >= blocks.length * 0.5
}

const isMostlyKept = (choice: Choice, slot: Slot) => keptOf(choice, slot) * 2 >= slot.blocks.length

function set(choice: Choice, block: number, reason: Reason): void {
  const isKept = Number(reason === 'part of a record')
  if (choice.kept[block] === isKept) return
  choice.kept[block] = isKept
  choice.reasons[block] = reason
}

/** Lines between a heading and its records: how many there are, how they are sorted. */
const mostBetween = 3
const mostLevels = 3

/** The heading above the records, which says what they are, or `none`. */
function headingOf({ tree, blocks }: Evidence, first: Node): number {
  const begin = blocks.before[first] ?? 0
  for (let block = begin - 1; block >= Math.max(0, begin - 1 - mostBetween); block -= 1) {
    const heading = holderOf(blocks, block)
    if (!isHeading(tree.tags[heading] ?? 0)) continue
    let around: Node = heading
    for (let level = 0; level < mostLevels && around > root; level += 1) {
      around = tree.parents[around] ?? root
      if (first < (tree.ends[around] ?? 0)) return block
    }
    return none
  }
  return none
}

function keptOf(choice: Choice, { blocks }: Slot): number {
  let kept = 0
  for (const block of blocks) kept += choice.kept[block] ?? 0
  return kept
}

/** Lists are links, of which the model is never sure: there, more names than words must be kept. */
const namesForWords = 0.8

function partKept(
  choice: Choice,
  evidence: Evidence,
  slots: Slot[],
  names: Slot | undefined,
): { words: number; all: number; share: number } {
  let [words, all] = [0, 0]
  for (const slot of slots) {
    if (isAction(evidence, slot)) continue
    for (const block of slot.blocks) {
      const own = evidence.blocks.words[block] ?? 0
      all += own
      words += own * (choice.kept[block] ?? 0)
    }
  }
  const ofNames = names ? (keptOf(choice, names) / names.blocks.length) * namesForWords : 0
  return { words, all, share: Math.max(words / (all || 1), ofNames) }
}

function keptWords(choice: Choice, { blocks }: Evidence): number {
  let words = 0
  for (let block = 0; block < blocks.count; block += 1) {
    words += (choice.kept[block] ?? 0) * (blocks.words[block] ?? 0)
  }
  return words
}
