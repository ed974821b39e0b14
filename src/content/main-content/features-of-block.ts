import { tag } from '../tree/names.ts'
import { isInside, type Node, none, root, type Tree } from '../tree/tree.ts'
import { fact, factsPerBlock } from './blocks.ts'
import { type Evidence, holderOf, share, sumIn, widerThan } from './evidence.ts'
import { isHeading, saidOfTitle } from './page-facts.ts'

export const blockFeatures = [
  ...[
    'words',
    'links',
    'linkCount',
    'stops',
    'endsSentence',
    'capitals',
    'names',
    'text',
    'textSum',
    'repeated',
  ],
  ...[
    'ofTitle',
    'titleOf',
    'kind',
    'heading',
    'own',
    'path',
    'low',
    'high',
    'at',
    'wordsBefore',
    'wordsAfter',
  ],
  ...['sinceTitle', 'fromTitle', 'sinceHeading', 'headingText', 'maxRepeats', 'repeatShare', 'inBest'],
  ...['bestShare', 'bestOf', 'bestRelation'],
]

/** Writes the features of a block itself and of its position; returns the next index. */
export function writeBlock(
  row: Float32Array,
  start: number,
  evidence: Evidence,
  block: number,
  heading: number,
): number {
  let at = writeText(row, start, evidence, block)
  at = writePlace(row, at, evidence, block, heading)
  at = writeRecords(row, at, evidence, block)
  return writeBest(row, at, evidence, block)
}

function writeText(
  row: Float32Array,
  start: number,
  { tree, blocks, page, texts }: Evidence,
  block: number,
): number {
  const words = blocks.words[block] ?? 0
  const facts = block * factsPerBlock
  const said = saidOfTitle(blocks, block, page.title)
  const text = texts[block] ?? 0
  row[start] = words
  row[start + 1] = share(blocks.linkWords[block] ?? 0, words)
  row[start + 2] = blocks.facts[facts + fact.links] ?? 0
  row[start + 3] = blocks.facts[facts + fact.stops] ?? 0
  row[start + 4] = sentenceEnds.has(blocks.facts[facts + fact.last] ?? 0) ? 1 : 0
  row[start + 5] = share(blocks.facts[facts + fact.capitals] ?? 0, blocks.facts[facts + fact.letters] ?? 0)
  row[start + 6] = share(blocks.facts[facts + fact.names] ?? 0, words)
  row[start + 7] = text
  row[start + 8] = text * Math.sqrt(Math.min(words, 24))
  row[start + 9] = page.repeated.get(blocks.hashes[block] ?? 0) ?? 0
  row[start + 10] = said.ofTitle
  row[start + 11] = said.ofBlock
  row[start + 12] = kindOf(tree, holderOf(blocks, block))
  row[start + 13] = headingLevel(tree, holderOf(blocks, block))
  return start + 14
}

const sentenceEnds = new Set([...'.!?…。！？"”»'].map((character) => character.charCodeAt(0)))

const kindOrder = [
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
const kinds = new Map(kindOrder.flatMap((names, kind) => names.map((name) => [name, kind] as const)))

/** Elements by how much text they usually hold, so that a comparison makes sense. */
export function kindOf(tree: Tree, holder: Node): number {
  return kinds.get(tree.tags[holder] ?? 0) ?? plainKind
}

function headingLevel(tree: Tree, holder: Node): number {
  const name = tree.tags[holder] ?? 0
  return isHeading(name) ? name - tag.h1 + 1 : 0
}

function writePlace(
  row: Float32Array,
  start: number,
  { blocks, elements, page, texts }: Evidence,
  block: number,
  heading: number,
): number {
  const holder = holderOf(blocks, block)
  const before = blocks.wordsBefore[block] ?? 0
  const { titleBlock } = page
  const hasTitle = titleBlock !== none
  row[start] = elements.scores[holder] ?? 0
  row[start + 1] = elements.paths[holder] ?? 0
  row[start + 2] = elements.lows[holder] ?? 0
  row[start + 3] = elements.highs[holder] ?? 0
  row[start + 4] = block / blocks.count
  row[start + 5] = share(before, page.words)
  row[start + 6] = share(page.words - before, page.words)
  row[start + 7] = hasTitle ? block - titleBlock : -1000
  row[start + 8] = hasTitle ? share(before - (blocks.wordsBefore[titleBlock] ?? 0), page.words) : -1
  row[start + 9] = heading === none ? -1 : block - heading
  row[start + 10] = heading === none ? 0 : (texts[heading] ?? 0)
  return start + 11
}

/** The largest set of alike siblings that the block is part of: posts of a thread, cards of a list. */
function writeRecords(
  row: Float32Array,
  start: number,
  { blocks, elements, page }: Evidence,
  block: number,
): number {
  let node = holderOf(blocks, block)
  let most = 0
  for (let level = 0; level < 8 && node !== none && node !== root; level += 1) {
    most = Math.max(most, elements.repeats[node] ?? 0)
    node = widerThan(elements, node)
  }
  row[start] = most
  row[start + 1] = share(blocks.words[block] ?? 0, page.words) * most
  return start + 2
}

function writeBest(
  row: Float32Array,
  start: number,
  { tree, blocks, page, best }: Evidence,
  block: number,
): number {
  if (best === none) {
    row.fill(-1, start, start + 4)
    return start + 4
  }
  const first = blocks.firsts[block] ?? 0
  const words = sumIn(tree, blocks, blocks.wordsBefore, best)
  const isIn = isInside(tree, first, best)
  row[start] = isIn ? 1 : 0
  row[start + 1] = share(words, page.words)
  row[start + 2] = share(blocks.words[block] ?? 0, words)
  row[start + 3] = isIn ? 0 : isInside(tree, first, tree.parents[best] ?? root) ? 1 : first < best ? 2 : 3
  return start + 4
}
