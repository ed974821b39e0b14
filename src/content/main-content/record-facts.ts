import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, root, textAt } from '../tree/tree.ts'
import { fact, factsPerBlock } from './blocks.ts'
import { type Evidence, holderOf } from './evidence.ts'
import { fewestRecords, type Slot } from './records.ts'

/** Facts that identify a record. */
export function isName(evidence: Evidence, slot: Slot): boolean {
  if (!slot.isHeading && !slot.isLink) return false
  return (
    distinct(evidence, slot) * 2 > slot.blocks.length && isMostly(evidence, slot, mostWordsOfName, isWord)
  )
}

const mostWordsOfName = 60
const fewestLetters = 2

/** A letter in place of a picture is not a name. */
const isWord = ({ blocks }: Evidence, block: number) =>
  (blocks.facts[block * factsPerBlock + fact.letters] ?? 0) >= fewestLetters

function distinct({ blocks }: Evidence, slot: Slot): number {
  return new Set(slot.blocks.map((block) => blocks.hashes[block])).size
}

const mostWordsOfDate = 14
const mostWordsOfAuthor = 5

export const isDateSlot = (evidence: Evidence, slot: Slot) =>
  isMostly(evidence, slot, mostWordsOfDate, isDated)

export const isAuthorSlot = (evidence: Evidence, slot: Slot) =>
  isMostly(evidence, slot, mostWordsOfAuthor, isSigned)

/** Who and when in one line. */
export const isBylineSlot = (evidence: Evidence, slot: Slot) =>
  isMostly(evidence, slot, mostWordsOfDate, (all, block) => isSigned(all, block) && isDated(all, block))

function isMostly(
  evidence: Evidence,
  slot: Slot,
  mostWords: number,
  test: (evidence: Evidence, block: number) => boolean,
): boolean {
  const sample = slot.blocks.slice(0, mostSampled)
  const found = sample.filter(
    (block) => (evidence.blocks.words[block] ?? 0) <= mostWords && test(evidence, block),
  )
  return found.length * 2 > sample.length
}

const mostSampled = 7
const dates =
  /\b(?:19|20)\d\d\b|\b\d{1,2}[./:]\d{1,2}\b|\b(?:ago|yesterday|today|heute|gestern|hace|siden|sedan)\b|\b(?:vor|il y a) \d|\b\d{1,2}\.? (?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b/i
/** A join date is not the date of a post. */
const membership =
  /joined|member since|registered|registriert|mitglied|inscrit|edited|last (?:seen|post|reply)|\bviews\b/i
const written = /\b(?:posted|published|written|created)\b/i
const authors =
  /author|user(?!-?(?:menu|nav|actions|links))|poster\b|by-?line|commenter|nickname|vcard|creator/i
/** How far above a text its author's class may stand. */
const mostLevels = 3

export function isDated({ tree, blocks }: Evidence, block: number): boolean {
  const first = blocks.firsts[block] ?? 0
  const holder = holderOf(blocks, block)
  let isTime = false
  for (let node = tree.parents[first] ?? root; node > holder; node = tree.parents[node] ?? root) {
    isTime ||= tree.tags[node] === tag.time
  }
  let text = ''
  for (let node = first; node < (blocks.lasts[block] ?? 0); node += 1) {
    isTime ||= tree.tags[node] === tag.time
    if (tree.tags[node] === 0) text += textAt(tree, node)
  }
  return (isTime || dates.test(text)) && (!membership.test(text) || written.test(text))
}

export function isSigned(evidence: Evidence, block: number): boolean {
  if (!isWord(evidence, block)) return false
  const { tree, blocks } = evidence
  const holder = holderOf(blocks, block)
  let node: Node = tree.parents[blocks.firsts[block] ?? 0] ?? root
  let above = 0
  while (node > root && above < mostLevels) {
    const names = [attr.class, attr.id, attr.itemprop, attr.rel].map((name) => attribute(tree, node, name))
    if (authors.test(names.join(' '))) return true
    if (node <= holder) above += 1
    node = tree.parents[node] ?? root
  }
  return false
}

const mostWordsOfAction = 4

/** Links and buttons that say the same everywhere: "Reply", "Add to cart". */
export function isAction(evidence: Evidence, slot: Slot): boolean {
  const { tree, blocks } = evidence
  if (slot.blocks.length < fewestRecords || distinct(evidence, slot) * 3 > slot.blocks.length) return false
  return slot.blocks.every((block) => {
    const isButton = tree.tags[holderOf(blocks, block)] === tag.button
    const words = blocks.words[block] ?? 0
    return words <= mostWordsOfAction && (isButton || (blocks.linkWords[block] ?? 0) >= words)
  })
}
