import { none, root } from '../tree/tree.ts'
import { type Evidence, holderOf, share, sumIn, widerThan } from './evidence.ts'
import { kindOf } from './features-of-block.ts'
import { regionAround, regionCount } from './regions.ts'

const levelCount = 6
const perLevel = ['links', 'share', 'perBlock', 'score', 'blocks', 'repeats']
const neighbours = [-1, 1, 2, 3]
const perNeighbour = ['links', 'text', 'kind']

export const aroundFeatures = [
  ...Array.from({ length: regionCount }, (_, kind) => `region${kind}`),
  ...Array.from({ length: levelCount }, (_, level) => perLevel.map((name) => `${name}^${level}`)).flat(),
  ...neighbours.flatMap((offset) => perNeighbour.map((name) => `${name}@${offset}`)),
]

/** Writes the features of the surroundings of a block; returns the next index. */
export function writeAround(row: Float32Array, start: number, evidence: Evidence, block: number): number {
  let at = writeRegions(row, start, evidence, block)
  at = writeLevels(row, at, evidence, block)
  for (const offset of neighbours) at = writeNeighbour(row, at, evidence, block + offset)
  return at
}

/** For each kind of region: how much of the page the innermost one around the block holds, or -1. */
function writeRegions(row: Float32Array, start: number, evidence: Evidence, block: number): number {
  const { tree, blocks, elements, page } = evidence
  const holder = holderOf(blocks, block)
  for (let kind = 0; kind < regionCount; kind += 1) {
    const node = regionAround(elements.regions, holder, kind)
    row[start + kind] = node === none ? -1 : share(sumIn(tree, blocks, blocks.wordsBefore, node), page.words)
  }
  return start + regionCount
}

/** The elements around, from the nearest, each only when it holds more than the one before. */
function writeLevels(row: Float32Array, start: number, evidence: Evidence, block: number): number {
  const { tree, blocks, elements, page } = evidence
  let node = holderOf(blocks, block)
  let at = start
  for (let level = 0; level < levelCount; level += 1) {
    if (node === none || node === root) {
      row.fill(-1, at, start + levelCount * perLevel.length)
      break
    }
    const held = (blocks.before[tree.ends[node] ?? 0] ?? 0) - (blocks.before[node] ?? 0)
    const words = sumIn(tree, blocks, blocks.wordsBefore, node)
    row[at] = share(sumIn(tree, blocks, blocks.linkWordsBefore, node), words)
    row[at + 1] = share(words, page.words)
    row[at + 2] = share(words, held)
    row[at + 3] = elements.scores[node] ?? 0
    row[at + 4] = held
    row[at + 5] = elements.repeats[node] ?? 0
    at += perLevel.length
    node = widerThan(elements, node)
  }
  return start + levelCount * perLevel.length
}

function writeNeighbour(row: Float32Array, start: number, evidence: Evidence, other: number): number {
  const { tree, blocks, texts } = evidence
  if (other < 0 || other >= blocks.count) row.fill(-1, start, start + perNeighbour.length)
  else {
    row[start] = share(blocks.linkWords[other] ?? 0, blocks.words[other] ?? 0)
    row[start + 1] = texts[other] ?? 0
    row[start + 2] = kindOf(tree, holderOf(blocks, other))
  }
  return start + perNeighbour.length
}
