import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, none, root, textAt } from '../tree/tree.ts'
import { type Choice, change } from './block-selection.ts'
import { blocksIn, fact, factsPerBlock } from './blocks.ts'
import { blockCountIn, region, regionAround } from './elements.ts'
import { type Evidence, elementOfBlock, sumIn } from './page-analysis.ts'
import { isHeading } from './page-facts.ts'

/** How many words of an element are its own, and how many of those are kept. */
interface Share {
  kept: number
  all: number
}

interface SiblingRecord extends Share {
  node: Node
}

/** Sibling elements that look the same: the posts of a thread, the cards of a shop, the entries of a list. */
interface Group extends Share {
  records: SiblingRecord[]
}

/**
 * A kept record keeps its header and footer lines: its heading, who wrote it, when, and what it costs. The model judges each
 * line alone and often drops these. A record that lost all of its text is restored when most of its group is kept.
 */
export function keepRecordLines(choice: Choice, evidence: Evidence, probabilities: Float32Array): void {
  const { tree, blocks } = evidence
  const inKept = new Int32Array(blocks.count + 1)
  const inLost = new Int32Array(blocks.count + 1)
  const mark = (marks: Int32Array, node: Node) => {
    const [from, to] = blocksIn(tree, blocks, node)
    marks[from] = (marks[from] ?? 0) + 1
    marks[to] = (marks[to] ?? 0) - 1
  }
  for (const group of groupsOf(choice, evidence)) {
    const isGroupKept = isMostlyKept(group)
    for (const record of group.records) {
      if (isGroupKept || isMostlyKept(record)) mark(inKept, record.node)
      if (isGroupKept && record.kept === 0) mark(inLost, record.node)
    }
  }
  let [kept, lost] = [0, 0]
  for (let block = 0; block < blocks.count; block += 1) {
    kept += inKept[block] ?? 0
    lost += inLost[block] ?? 0
    const isMissing =
      (lost > 0 && isLikelyText(evidence, block, probabilities)) || (kept > 0 && isFactLine(evidence, block))
    if (isMissing) change(choice, block, true, 'part of a record')
  }
}

const isMostlyKept = ({ kept, all }: Share) => kept > 0 && kept * 2 >= all

const minRecords = 3
const tagRoom = 1024
const repeatRoom = 4096

function groupsOf(choice: Choice, evidence: Evidence): Iterable<Group> {
  const { tree, blocks, elements } = evidence
  const shareOf = countOwnWords(choice, evidence)
  const groups = new Map<number, Group>()
  for (let node: Node = 1; node < tree.count; node += 1) {
    const repeats = elements.repeats[node] ?? 0
    if (repeats < minRecords || blockCountIn(tree, blocks, node) < 2 || isAroundContent(evidence, node))
      continue
    const look = (tree.tags[node] ?? 0) * repeatRoom + Math.min(repeats, repeatRoom - 1)
    const key = (tree.parents[node] ?? root) * tagRoom * repeatRoom + look
    const group = groups.get(key) ?? { records: [], kept: 0, all: 0 }
    groups.set(key, group)
    const record = { node, ...shareOf(node) }
    group.records.push(record)
    group.kept += record.kept
    group.all += record.all
  }
  return groups.values()
}

/** Sums over all blocks, so that the share of each of many nested elements is known without a walk through it. */
function countOwnWords(choice: Choice, evidence: Evidence): (node: Node) => Share {
  const { tree, blocks } = evidence
  const all = new Float64Array(blocks.count + 1)
  const kept = new Float64Array(blocks.count + 1)
  for (let block = 0; block < blocks.count; block += 1) {
    const words = isOwn(evidence, block) ? (blocks.words[block] ?? 0) : 0
    all[block + 1] = (all[block] ?? 0) + words
    kept[block + 1] = (kept[block] ?? 0) + words * (choice.kept[block] ?? 0)
  }
  return (node) => ({ kept: sumIn(tree, blocks, kept, node), all: sumIn(tree, blocks, all, node) })
}

/** What every record says, such as "Reply" or "Add to cart", belongs to none of them. */
function isOwn({ blocks, page }: Evidence, block: number): boolean {
  return (page.repeated.get(blocks.hashes[block] ?? 0) ?? 0) < minRecords
}

/** Siblings in menus, footers and sidebars look the same too, but they are about the site. */
function isAroundContent({ elements: { regions } }: Evidence, node: Node): boolean {
  const around = (kind: number) => regionAround(regions, node, kind)
  const content = Math.max(around(region.main), around(region.article))
  const surroundings = Math.max(around(region.footer), around(region.header), around(region.aside))
  return around(region.nav) !== none || around(region.hidden) !== none || surroundings > content
}

const minWordsOfText = 5
/** Signatures and descriptions of the author are less likely than this. */
const minOfText = 0.15

function isLikelyText(evidence: Evidence, block: number, probabilities: Float32Array): boolean {
  const isLong = (evidence.blocks.words[block] ?? 0) >= minWordsOfText
  return isLong && (probabilities[block] ?? 0) >= minOfText && isOwn(evidence, block)
}

const maxWordsOfLine = 14
const maxWordsOfAuthor = 5

function isFactLine(evidence: Evidence, block: number): boolean {
  const { tree, blocks } = evidence
  const words = blocks.words[block] ?? 0
  if (words > maxWordsOfLine) return false
  const hasPrice = (blocks.facts[block * factsPerBlock + fact.prices] ?? 0) > 0
  if (hasPrice || isHeading(tree.tags[elementOfBlock(blocks, block)] ?? 0)) return true
  return isDated(evidence, block) || (words <= maxWordsOfAuthor && isAuthor(evidence, block))
}

const dates =
  /\b(?:19|20)\d\d\b|\b\d{1,2}[./:]\d{1,2}\b|\b(?:ago|yesterday|today|heute|gestern|hace|siden|sedan)\b|\b(?:vor|il y a) \d|\b\d{1,2}\.? (?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b/i
/** The date on which an author joined is not the date of the post. */
const otherDates =
  /joined|member since|registered|registriert|mitglied|inscrit|edited|last (?:seen|post|reply)|\bviews\b/i

function isDated({ tree, blocks }: Evidence, block: number): boolean {
  const first = blocks.firsts[block] ?? 0
  const holder = elementOfBlock(blocks, block)
  let isTime = false
  for (let node = tree.parents[first] ?? root; node > holder; node = tree.parents[node] ?? root) {
    isTime ||= tree.tags[node] === tag.time
  }
  let text = ''
  for (let node = first; node < (blocks.lasts[block] ?? 0); node += 1) {
    isTime ||= tree.tags[node] === tag.time
    if (tree.tags[node] === 0) text += textAt(tree, node)
  }
  return (isTime || dates.test(text)) && !otherDates.test(text)
}

const authors =
  /author|user(?!-?(?:menu|nav|actions|links))|poster\b|by-?line|commenter|nickname|vcard|creator/i
const minLetters = 2

function isAuthor({ tree, blocks }: Evidence, block: number): boolean {
  // A single letter stands in place of a picture.
  if ((blocks.facts[block * factsPerBlock + fact.letters] ?? 0) < minLetters) return false
  const holder = elementOfBlock(blocks, block)
  for (let node = tree.parents[blocks.firsts[block] ?? 0] ?? root; node >= holder && node > root; ) {
    const names = [attr.class, attr.id, attr.itemprop, attr.rel].map((name) => attribute(tree, node, name))
    if (authors.test(names.join(' '))) return true
    node = tree.parents[node] ?? root
  }
  return false
}
