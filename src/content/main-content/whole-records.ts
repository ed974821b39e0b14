import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, none, root, textAt } from '../tree/tree.ts'
import { type Evidence, holderOf } from './evidence.ts'
import type { Choice } from './guards.ts'
import { isHeading } from './page-facts.ts'
import { fewestRecords, findGroups, type Slot } from './records.ts'

/**
 * Records are whole or not there at all: where most of a group is content, every record keeps its name, price, author and
 * date, and what most of the others keep in the same place. A card without its price or a post without its author is a hole
 * that nobody sees.
 */
export function keepWholeRecords(choice: Choice, evidence: Evidence): void {
  for (const { records, slots } of findGroups(evidence)) {
    const isOfMost = (slot: Slot) => slot.records * 2 >= records.length
    const names = slots.find((slot) => isOfMost(slot) && isName(evidence, slot))
    if (!isContent(choice, evidence, { slots, names })) continue
    const needed = new Set([names, ...slots.filter((slot) => isOfMost(slot) && slot.isPrice)])
    if (!slots.some((slot) => isMostlyKept(choice, slot) && isDateSlot(evidence, slot))) {
      needed.add(slots.find((slot) => isOfMost(slot) && isDateSlot(evidence, slot)))
    }
    if (!slots.some((slot) => isMostlyKept(choice, slot) && isAuthorSlot(evidence, slot))) {
      needed.add(slots.find((slot) => isOfMost(slot) && isAuthorSlot(evidence, slot)))
    }
    for (const slot of slots) {
      const isKept = isMostlyKept(choice, slot) || needed.has(slot)
      if (!isKept && !isAction(evidence, slot)) continue
      for (const block of slot.blocks) set(choice, block, isKept)
    }
    keepHeading(choice, evidence, records[0] ?? root)
  }
}

const isMostlyKept = (choice: Choice, slot: Slot) => keptOf(choice, slot) * 2 >= slot.blocks.length

function set(choice: Choice, block: number, isKept: boolean): void {
  if (choice.kept[block] === Number(isKept)) return
  choice.kept[block] = Number(isKept)
  choice.reasons[block] = isKept ? 'part of a record' : 'on every record'
}

/** Lines between a heading and its records: how many there are, how they are sorted. */
const mostBetween = 3

/** What the records are stands in the heading above them. */
function keepHeading(choice: Choice, { tree, blocks }: Evidence, first: Node): void {
  const begin = blocks.before[first] ?? 0
  for (let block = begin - 1; block >= Math.max(0, begin - 1 - mostBetween); block -= 1) {
    const heading = holderOf(blocks, block)
    if (!isHeading(tree.tags[heading] ?? 0)) continue
    let around: Node = heading
    for (let level = 0; level < mostLevels; level += 1) around = tree.parents[around] ?? root
    if (around > root && first < (tree.ends[around] ?? 0)) set(choice, block, true)
    return
  }
}

function keptOf(choice: Choice, { blocks }: Slot): number {
  let kept = 0
  for (const block of blocks) kept += choice.kept[block] ?? 0
  return kept
}

interface Listed {
  slots: Slot[]
  names: Slot | undefined
}

/** Most of its words are kept, or most of its names: lists are links, and of links the model is never sure. */
function isContent(choice: Choice, evidence: Evidence, { slots, names }: Listed): boolean {
  let [all, kept] = [0, 0]
  for (const slot of slots) {
    if (isAction(evidence, slot)) continue
    for (const block of slot.blocks) {
      const words = evidence.blocks.words[block] ?? 0
      all += words
      kept += words * (choice.kept[block] ?? 0)
    }
  }
  if (kept * 2 >= all && kept > 0) return true
  return names !== undefined && keptOf(choice, names) * 3 >= names.blocks.length * 2
}

/** What tells one record from another. */
function isName(evidence: Evidence, slot: Slot): boolean {
  return (slot.isHeading || slot.isLink) && distinct(evidence, slot) * 2 > slot.blocks.length
}

function distinct({ blocks }: Evidence, slot: Slot): number {
  return new Set(slot.blocks.map((block) => blocks.hashes[block])).size
}

const mostWordsOfDate = 14
const mostWordsOfAuthor = 5

const isDateSlot = (evidence: Evidence, slot: Slot) =>
  isMostly(evidence, slot, mostWordsOfDate, (block) => isDated(evidence, block))

const isAuthorSlot = (evidence: Evidence, slot: Slot) =>
  isMostly(evidence, slot, mostWordsOfAuthor, (block) => isSigned(evidence, block))

function isMostly(
  { blocks }: Evidence,
  slot: Slot,
  mostWords: number,
  test: (block: number) => boolean,
): boolean {
  const sample = slot.blocks.slice(0, mostSampled)
  const found = sample.filter((block) => (blocks.words[block] ?? 0) <= mostWords && test(block))
  return found.length * 2 > sample.length
}

const mostSampled = 7
const dates =
  /\b(?:19|20)\d\d\b|\b\d{1,2}[./:]\d{1,2}\b|\b(?:ago|yesterday|today|heute|gestern|hace|siden|sedan)\b|\b(?:vor|il y a) \d|\b\d{1,2}\.? (?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b/i
/** When somebody came is not when they wrote. */
const membership = /joined|member since|registered|registriert|mitglied|inscrit|edited|last seen/i
const authors = /author|user(?!-?(?:menu|nav|actions|links))|poster\b|by-?line|commenter|nickname|vcard|creator/i
/** How far above a text its author's class may stand. */
const mostLevels = 3

function isDated({ tree, blocks }: Evidence, block: number): boolean {
  let text = ''
  for (let node = blocks.firsts[block] ?? 0; node < (blocks.lasts[block] ?? 0); node += 1) {
    if (tree.tags[node] === tag.time) return true
    if (tree.tags[node] === 0) text += textAt(tree, node)
  }
  return dates.test(text) && !membership.test(text)
}

function isSigned({ tree, blocks }: Evidence, block: number): boolean {
  const holder = holderOf(blocks, block)
  let node: Node = tree.parents[blocks.firsts[block] ?? 0] ?? root
  let above = none
  for (let level = 0; node > root && above < mostLevels; level += 1) {
    const names = [attr.class, attr.id, attr.itemprop, attr.rel].map((name) => attribute(tree, node, name))
    if (authors.test(names.join(' '))) return true
    if (node <= holder) above += 1
    node = tree.parents[node] ?? root
  }
  return false
}

const mostWordsOfAction = 4

/** Links and buttons that say the same everywhere: "Reply", "Add to cart". */
function isAction(evidence: Evidence, slot: Slot): boolean {
  const { tree, blocks } = evidence
  if (slot.blocks.length < fewestRecords || distinct(evidence, slot) * 3 > slot.blocks.length) return false
  return slot.blocks.every((block) => {
    const isButton = tree.tags[holderOf(blocks, block)] === tag.button
    const words = blocks.words[block] ?? 0
    return words <= mostWordsOfAction && (isButton || (blocks.linkWords[block] ?? 0) >= words)
  })
}
