import { attr, tag } from '../tree/names.ts'
import { attribute, findAround, findTag, type Node, none, readTexts, root, type Tree } from '../tree/tree.ts'
import { type Choice, setKept } from './block-selection.ts'
import { computePrefixSums, getBlockRange } from './blocks.ts'
import { blockCountIn, region, regionAround } from './elements.ts'
import { type Evidence, elementOfBlock, sumIn } from './page-analysis.ts'
import { isHeading } from './page-facts.ts'
import { fact, factsPerBlock } from './text-facts.ts'

/** Number of words of an element that are not repeated in each record, and the number of kept words among them. */
interface Share {
  kept: number
  all: number
}

interface Group extends Share {
  records: (Share & { node: Node })[]
}

/** The model classifies each line separately, and often drops the heading, author, date or price of a kept record. */
export function keepRecordLines(choice: Choice, evidence: Evidence, probabilities: Float32Array): void {
  const { tree, blocks } = evidence
  const inKept = new Int32Array(blocks.count + 1)
  const inLost = new Int32Array(blocks.count + 1)
  const addRange = (deltas: Int32Array, node: Node) => {
    const [from, to] = getBlockRange(tree, blocks, node)
    deltas[from] = (deltas[from] ?? 0) + 1
    deltas[to] = (deltas[to] ?? 0) - 1
  }
  for (const group of groupRecords(choice, evidence)) {
    const isGroupKept = isMostlyKept(group)
    for (const record of group.records) {
      if (isGroupKept || isMostlyKept(record)) addRange(inKept, record.node)
      if (isGroupKept && record.kept === 0) addRange(inLost, record.node)
    }
  }
  let [kept, lost] = [0, 0]
  for (let block = 0; block < blocks.count; block += 1) {
    kept += inKept[block] ?? 0
    lost += inLost[block] ?? 0
    const isMissing =
      (lost > 0 && isLikelyText(evidence, block, probabilities)) || (kept > 0 && isFactLine(evidence, block))
    if (isMissing) setKept(choice, block, true, 'part of a record')
  }
}

const isMostlyKept = ({ kept, all }: Share) => kept > 0 && kept * 2 >= all

const minRecords = 3
const tagRadix = 1024
const repeatRadix = 4096

function groupRecords(choice: Choice, evidence: Evidence): Iterable<Group> {
  const { tree, blocks, elements } = evidence
  const getShare = countUnrepeatedWords(choice, evidence)
  const groups = new Map<number, Group>()
  for (let node: Node = 1; node < tree.count; node += 1) {
    const repeats = elements.repeats[node] ?? 0
    if (repeats < minRecords || blockCountIn(tree, blocks, node) < 2 || isOutsideContent(evidence, node))
      continue
    const kindKey = (tree.tags[node] ?? 0) * repeatRadix + Math.min(repeats, repeatRadix - 1)
    const key = (tree.parents[node] ?? root) * tagRadix * repeatRadix + kindKey
    const group = groups.get(key) ?? { records: [], kept: 0, all: 0 }
    groups.set(key, group)
    const record = { node, ...getShare(node) }
    group.records.push(record)
    group.kept += record.kept
    group.all += record.all
  }
  return groups.values()
}

/** Computes prefix sums over all blocks, so that the share of a nested element needs no traversal. */
function countUnrepeatedWords(choice: Choice, evidence: Evidence): (node: Node) => Share {
  const { tree, blocks } = evidence
  const getWords = (block: number) => (isUnrepeated(evidence, block) ? (blocks.words[block] ?? 0) : 0)
  const allBefore = computePrefixSums(blocks.count, getWords)
  const keptBefore = computePrefixSums(blocks.count, (block) =>
    choice.kept[block] === 1 ? getWords(block) : 0,
  )
  return (node) => ({
    kept: sumIn(tree, blocks, keptBefore, node),
    all: sumIn(tree, blocks, allBefore, node),
  })
}

const isUnrepeated = ({ blocks, page }: Evidence, block: number) =>
  (page.repeated.get(blocks.hashes[block] ?? 0) ?? 0) < minRecords

function isOutsideContent({ elements: { regions } }: Evidence, node: Node): boolean {
  const getRegion = (kind: number) => regionAround(regions, node, kind)
  const content = Math.max(getRegion(region.main), getRegion(region.article))
  const surroundings = Math.max(getRegion(region.footer), getRegion(region.header), getRegion(region.aside))
  return getRegion(region.nav) !== none || getRegion(region.hidden) !== none || surroundings > content
}

const minTextWords = 5
/** Minimum probability of a text. Signatures and descriptions of the author are below it. */
const minTextProbability = 0.15

function isLikelyText(evidence: Evidence, block: number, probabilities: Float32Array): boolean {
  const isLong = (evidence.blocks.words[block] ?? 0) >= minTextWords
  return isLong && (probabilities[block] ?? 0) >= minTextProbability && isUnrepeated(evidence, block)
}

const maxLineWords = 14
const maxAuthorWords = 5

function isFactLine(evidence: Evidence, block: number): boolean {
  const { tree, blocks } = evidence
  const words = blocks.words[block] ?? 0
  if (words > maxLineWords) return false
  const hasPrice = (blocks.facts[block * factsPerBlock + fact.currencySigns] ?? 0) > 0
  if (hasPrice || isHeading(tree.tags[elementOfBlock(blocks, block)] ?? 0)) return true
  return isDated(evidence, block) || (words <= maxAuthorWords && isAuthor(evidence, block))
}

const dates =
  /\b(?:19|20)\d\d\b|\b\d{1,2}[./:]\d{1,2}\b|\b(?:ago|yesterday|today|heute|gestern|hace|siden|sedan)\b|\b(?:vor|il y a) \d|\b\d{1,2}\.? (?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]* \d{1,2}\b/i
const otherDates =
  /joined|member since|registered|registriert|mitglied|inscrit|edited|last (?:seen|post|reply)|\bviews\b/i

function isDated({ tree, blocks }: Evidence, block: number): boolean {
  const first = blocks.firsts[block] ?? 0
  const last = blocks.lasts[block] ?? 0
  const holder = elementOfBlock(blocks, block)
  const isTimeOrHolder = (at: Node) => at <= holder || tree.tags[at] === tag.time
  const isTime =
    findTag(tree, tag.time, first, last) !== none ||
    findAround(tree, tree.parents[first] ?? root, isTimeOrHolder) > holder
  const text = readTexts(tree, first, last)
  return (isTime || dates.test(text)) && !otherDates.test(text)
}

const authorNames =
  /author|user(?!-?(?:menu|nav|actions|links))|poster\b|by-?line|commenter|nickname|vcard|creator/i
const minLetters = 2

function isAuthor({ tree, blocks }: Evidence, block: number): boolean {
  // A single letter is the placeholder of an avatar, not a name.
  if ((blocks.facts[block * factsPerBlock + fact.letters] ?? 0) < minLetters) return false
  const holder = elementOfBlock(blocks, block)
  const first = tree.parents[blocks.firsts[block] ?? 0] ?? root
  return findAround(tree, first, (at) => at < holder || isNamedAuthor(tree, at)) >= Math.max(holder, 1)
}

function isNamedAuthor(tree: Tree, node: Node): boolean {
  const names = [attr.class, attr.id, attr.itemprop, attr.rel].map((name) => attribute(tree, node, name))
  return authorNames.test(names.join(' '))
}
