import { tag } from '../tree/names.ts'
import { isInside, none, root } from '../tree/tree.ts'
import { blockCountIn, region, regionAround, regionCount } from './elements.ts'
import { type Evidence, elementOfBlock, share, sumIn, widerElement } from './page-analysis.ts'
import { isHeading, titleOverlap } from './page-facts.ts'
import { fact, factsPerBlock } from './text-facts.ts'

const splitNames = (text: string) => text.trim().split(/\s+/)

const blockFeatures = splitNames(`
  words links linkCount stops endsSentence capitals names text textSum repeated ofTitle titleOf kind
  heading own path low high at wordsBefore wordsAfter sinceTitle fromTitle sinceHeading headingText
  maxRepeats repeatShare inBest bestShare bestOf bestRelation
`)

const pageFeatures = splitNames(`
  pageWords pageLinks pageBlocks inParagraphs inItems inCode pageHeadings pageInputs pageImages
  pagePrices pageArticles longBlocks isArticle isForum addressDepth hasSlug addressKind pagePath
  pageText goodShare mainShare articleShare commentShare bodyShare recordCount recordShare
  recordLength isGenerated permalinks inTerms inCells
`)

function readPageFeatures(evidence: Evidence): Float32Array {
  const { page, blocks } = evidence
  return Float32Array.from([
    page.words,
    share(page.linkWords, page.words),
    blocks.count,
    page.inParagraphs,
    page.inItems,
    page.inCode,
    page.headings,
    page.inputs,
    page.images,
    page.prices,
    page.articles,
    page.longBlocks,
    Number(page.isArticle),
    Number(page.isForum),
    page.url.depth,
    Number(page.url.hasSlug),
    page.url.kind,
    ...getTextShares(evidence),
    ...getLargestRecords(evidence),
    Number(page.isGenerated),
    page.permalinks,
    page.inTerms,
    page.inCells,
  ])
}

function getTextShares({ blocks, elements, page, texts }: Evidence): number[] {
  let [path, text, positive, main, article, comments, body] = [0, 0, 0, 0, 0, 0, 0]
  for (let block = 0; block < blocks.count; block += 1) {
    const words = blocks.words[block] ?? 0
    const holder = elementOfBlock(blocks, block)
    const score = elements.scoreSums[holder] ?? 0
    path += score * words
    text += (texts[block] ?? 0) * Math.min(words, 24)
    if (score > 0) positive += words
    if (regionAround(elements.regions, holder, region.main) !== none) main += words
    if (regionAround(elements.regions, holder, region.article) !== none) article += words
    if (regionAround(elements.regions, holder, region.comments) !== none) comments += words
    else if (regionAround(elements.regions, holder, region.body) !== none) body += words
  }
  return [path, text, positive, main, article, comments, body].map((sum) => share(sum, page.words))
}

function getLargestRecords({ tree, blocks, elements, page }: Evidence): number[] {
  const sums = new Map<number, number>()
  let count = 0
  let maxWords = 0
  for (let node = 1; node < tree.count; node += 1) {
    const repeats = elements.repeats[node] ?? 0
    if (repeats < 3) continue
    const key = (tree.parents[node] ?? root) * 4096 + Math.min(repeats, 4095)
    const ownWords =
      sumIn(tree, blocks, blocks.wordsBefore, node) - sumIn(tree, blocks, blocks.linkWordsBefore, node)
    const words = (sums.get(key) ?? 0) + ownWords
    sums.set(key, words)
    if (words <= maxWords) continue
    maxWords = words
    count = repeats
  }
  return [count, share(maxWords, page.words), share(maxWords, count)]
}

const levelCount = 6
const levelFeatures = ['links', 'share', 'perBlock', 'score', 'blocks', 'repeats']
const neighbourOffsets = [-1, 1, 2, 3]
const neighbourFeatures = ['links', 'text', 'kind']

const contextFeatures = [
  ...Array.from({ length: regionCount }, (_, kind) => `region${kind}`),
  ...Array.from({ length: levelCount }, (_, level) => levelFeatures.map((name) => `${name}^${level}`)).flat(),
  ...neighbourOffsets.flatMap((offset) => neighbourFeatures.map((name) => `${name}@${offset}`)),
]

function writeRegions(row: Float32Array, start: number, evidence: Evidence, block: number): number {
  const { tree, blocks, elements, page } = evidence
  const holder = elementOfBlock(blocks, block)
  for (let kind = 0; kind < regionCount; kind += 1) {
    const node = regionAround(elements.regions, holder, kind)
    row[start + kind] = node === none ? -1 : share(sumIn(tree, blocks, blocks.wordsBefore, node), page.words)
  }
  return start + regionCount
}

function writeLevels(row: Float32Array, start: number, evidence: Evidence, block: number): number {
  const { tree, blocks, elements, page } = evidence
  let node = elementOfBlock(blocks, block)
  let at = start
  for (let level = 0; level < levelCount; level += 1) {
    if (node === none || node === root) {
      row.fill(-1, at, start + levelCount * levelFeatures.length)
      break
    }
    const blockCount = blockCountIn(tree, blocks, node)
    const words = sumIn(tree, blocks, blocks.wordsBefore, node)
    row[at] = share(sumIn(tree, blocks, blocks.linkWordsBefore, node), words)
    row[at + 1] = share(words, page.words)
    row[at + 2] = share(words, blockCount)
    row[at + 3] = elements.scores[node] ?? 0
    row[at + 4] = blockCount
    row[at + 5] = elements.repeats[node] ?? 0
    at += levelFeatures.length
    node = widerElement(elements, node)
  }
  return start + levelCount * levelFeatures.length
}

function writeNeighbour(row: Float32Array, start: number, evidence: Evidence, other: number): number {
  const { tree, blocks, texts } = evidence
  if (other < 0 || other >= blocks.count) row.fill(-1, start, start + neighbourFeatures.length)
  else {
    row[start] = share(blocks.linkWords[other] ?? 0, blocks.words[other] ?? 0)
    row[start + 1] = texts[other] ?? 0
    row[start + 2] = kindOf(tree.tags[elementOfBlock(blocks, other)] ?? 0)
  }
  return start + neighbourFeatures.length
}

export const featureNames: readonly string[] = [...blockFeatures, ...contextFeatures, ...pageFeatures]

/** Calls `visit` with the features of each block in order. The row array is reused. */
export function forEachFeatureRow(
  evidence: Evidence,
  visit: (block: number, row: Float32Array) => void,
): void {
  const { tree, blocks } = evidence
  const row = new Float32Array(featureNames.length)
  row.set(readPageFeatures(evidence), blockFeatures.length + contextFeatures.length)
  let heading = none
  for (let block = 0; block < blocks.count; block += 1) {
    let at = writeText(row, 0, evidence, block)
    at = writePosition(row, at, evidence, block, heading)
    at = writeRecords(row, at, evidence, block)
    at = writeBest(row, at, evidence, block)
    at = writeRegions(row, at, evidence, block)
    at = writeLevels(row, at, evidence, block)
    for (const offset of neighbourOffsets) at = writeNeighbour(row, at, evidence, block + offset)
    visit(block, row)
    if (isHeading(tree.tags[elementOfBlock(blocks, block)] ?? 0)) heading = block
  }
}

function writeText(row: Float32Array, start: number, evidence: Evidence, block: number): number {
  const { tree, blocks, page, texts } = evidence
  const words = blocks.words[block] ?? 0
  const facts = block * factsPerBlock
  const overlap = titleOverlap(blocks, block, page.title)
  const text = texts[block] ?? 0
  row[start] = words
  row[start + 1] = share(blocks.linkWords[block] ?? 0, words)
  row[start + 2] = blocks.facts[facts + fact.links] ?? 0
  row[start + 3] = blocks.facts[facts + fact.fullStops] ?? 0
  row[start + 4] = sentenceEnds.has(blocks.facts[facts + fact.last] ?? 0) ? 1 : 0
  row[start + 5] = share(blocks.facts[facts + fact.capitals] ?? 0, blocks.facts[facts + fact.letters] ?? 0)
  row[start + 6] = share(blocks.facts[facts + fact.capitalisedWords] ?? 0, words)
  row[start + 7] = text
  row[start + 8] = text * Math.sqrt(Math.min(words, 24))
  row[start + 9] = page.repeated.get(blocks.hashes[block] ?? 0) ?? 0
  row[start + 10] = overlap.titleShare
  row[start + 11] = overlap.blockShare
  const name = tree.tags[elementOfBlock(blocks, block)] ?? 0
  row[start + 12] = kindOf(name)
  row[start + 13] = isHeading(name) ? name - tag.h1 + 1 : 0
  return start + 14
}

const sentenceEnds = new Set([...'.!?…。！？"”»'].map((character) => character.charCodeAt(0)))

const tagsByKind = [
  [tag.button, tag.legend],
  [tag.li],
  [tag.td, tag.th, tag.caption],
  [tag.dt, tag.dd, tag.summary],
  [tag.figcaption, tag.address],
  [],
  [tag.h1, tag.h2, tag.h3, tag.h4, tag.h5, tag.h6],
  [tag.blockquote, tag.pre],
  [tag.p],
]
const plainKind = 5
const kinds = new Map(tagsByKind.flatMap((names, kind) => names.map((name) => [name, kind] as const)))

/** Returns the kind of an element, ordered by the usual amount of text, so that thresholds are meaningful. */
const kindOf = (name: number) => kinds.get(name) ?? plainKind
function writePosition(
  row: Float32Array,
  start: number,
  { blocks, elements, page, texts }: Evidence,
  block: number,
  heading: number,
): number {
  const holder = elementOfBlock(blocks, block)
  const before = blocks.wordsBefore[block] ?? 0
  const { titleBlock } = page
  const hasTitle = titleBlock !== none
  row[start] = elements.scores[holder] ?? 0
  row[start + 1] = elements.scoreSums[holder] ?? 0
  row[start + 2] = elements.minScores[holder] ?? 0
  row[start + 3] = elements.maxScores[holder] ?? 0
  row[start + 4] = block / blocks.count
  row[start + 5] = share(before, page.words)
  row[start + 6] = share(page.words - before, page.words)
  row[start + 7] = hasTitle ? block - titleBlock : -1000
  row[start + 8] = hasTitle ? share(before - (blocks.wordsBefore[titleBlock] ?? 0), page.words) : -1
  row[start + 9] = heading === none ? -1 : block - heading
  row[start + 10] = heading === none ? 0 : (texts[heading] ?? 0)
  return start + 11
}

function writeRecords(row: Float32Array, start: number, evidence: Evidence, block: number): number {
  const { blocks, elements, page } = evidence
  let node = elementOfBlock(blocks, block)
  let maxRepeats = 0
  for (let level = 0; level < 8 && node !== none && node !== root; level += 1) {
    maxRepeats = Math.max(maxRepeats, elements.repeats[node] ?? 0)
    node = widerElement(elements, node)
  }
  row[start] = maxRepeats
  row[start + 1] = share(blocks.words[block] ?? 0, page.words) * maxRepeats
  return start + 2
}

function writeBest(row: Float32Array, start: number, evidence: Evidence, block: number): number {
  const { tree, blocks, page, bestContainer } = evidence
  if (bestContainer === none) {
    row.fill(-1, start, start + 4)
    return start + 4
  }
  const first = blocks.firsts[block] ?? 0
  const words = sumIn(tree, blocks, blocks.wordsBefore, bestContainer)
  const isIn = isInside(tree, first, bestContainer)
  row[start] = isIn ? 1 : 0
  row[start + 1] = share(words, page.words)
  row[start + 2] = share(blocks.words[block] ?? 0, words)
  row[start + 3] = isIn
    ? 0
    : isInside(tree, first, tree.parents[bestContainer] ?? root)
      ? 1
      : first < bestContainer
        ? 2
        : 3
  return start + 4
}
