import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, none, root, textAt } from '../tree/tree.ts'
import { type Evidence, holderOf } from './evidence.ts'
import type { Choice } from './guards.ts'
import { fewestRecords, findGroups, type Group, type Slot } from './records.ts'

/**
 * Records are whole or not there at all: where most of a group is content, every record keeps its name, price, author and
 * date, and what most of the others keep in the same place. A card without its price or a post without its author is a hole
 * that nobody sees.
 */
export function keepWholeRecords(choice: Choice, evidence: Evidence): void {
  for (const group of findGroups(evidence)) {
    if (!isContent(choice, evidence, group)) continue
    for (const slot of group.slots) {
      const isMostlyKept = keptOf(choice, slot) * 2 >= slot.blocks.length
      const isKept = isMostlyKept || isNeeded(evidence, slot, group.records.length)
      if (!isKept && !isAction(evidence, slot)) continue
      for (const block of slot.blocks) {
        if (choice.kept[block] === Number(isKept)) continue
        choice.kept[block] = Number(isKept)
        choice.reasons[block] = isKept ? 'part of a record' : 'on every record'
      }
    }
  }
}

function keptOf(choice: Choice, { blocks }: Slot): number {
  let kept = 0
  for (const block of blocks) kept += choice.kept[block] ?? 0
  return kept
}

/** Most of its words are kept, or most of its names: lists are links, and of links the model is never sure. */
function isContent(choice: Choice, evidence: Evidence, { records, slots }: Group): boolean {
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
  const names = slots.find((slot) => isName(evidence, slot, records.length))
  return names !== undefined && keptOf(choice, names) * 2 >= names.blocks.length
}

/** What tells one record from another. */
function isName(evidence: Evidence, slot: Slot, records: number): boolean {
  if (slot.records * 2 < records || (!slot.isHeading && !slot.isLink)) return false
  return distinct(evidence, slot) * 2 > slot.blocks.length
}

function distinct({ blocks }: Evidence, slot: Slot): number {
  return new Set(slot.blocks.map((block) => blocks.hashes[block])).size
}

const mostWordsOfFact = 14

function isNeeded(evidence: Evidence, slot: Slot, records: number): boolean {
  if (slot.records * 2 < records) return false
  if (slot.isHeading && isName(evidence, slot, records)) return true
  if (slot.isPrice) return true
  const sample = slot.blocks.slice(0, mostSampled)
  const count = (test: (block: number) => boolean) => sample.filter(test).length * 2 > sample.length
  if (!count((block) => (evidence.blocks.words[block] ?? 0) <= mostWordsOfFact)) return false
  return count((block) => isDated(evidence, block)) || count((block) => isSigned(evidence, block))
}

const mostSampled = 7
const dates =
  /\b(?:19|20)\d\d\b|\b\d{1,2}[./:]\d{1,2}\b|\b(?:ago|yesterday|today|heute|gestern|hace|siden|sedan)\b|\b(?:vor|il y a) \d|\b\d{1,2}\.? (?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b/i
const authors = /author|user(?!-?(?:menu|nav|actions|links))|poster\b|by-?line|commenter|nickname|vcard|creator/i
/** How far above a text its author's class may stand. */
const mostLevels = 3

function isDated({ tree, blocks }: Evidence, block: number): boolean {
  let text = ''
  for (let node = blocks.firsts[block] ?? 0; node < (blocks.lasts[block] ?? 0); node += 1) {
    if (tree.tags[node] === tag.time) return true
    if (tree.tags[node] === 0) text += textAt(tree, node)
  }
  return dates.test(text)
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
