import { tag, tagSet } from '../tree/names.ts'
import type { Node } from '../tree/tree.ts'
import type { Reason } from './choice.ts'
import { type Evidence, holderOf } from './evidence.ts'
import { dropLines, dropNamed } from './furniture.ts'
import type { Decision } from './main-content.ts'
import { isHeading } from './page-facts.ts'
import { isOfData } from './whole-tables.ts'

/**
 * The least probability of a line or a paragraph in the main content, chosen on the development pages: there the balance of
 * precision and recall is best. Who asks for the whole page misses a line sooner.
 */
const least = { main: 0.6, page: 0.4 }
/** Documentation is whole: what is doubtful there is mostly a short line of the text. */
const leastOfReference = 0.2
/** The least mean of a structure. Of lists, tables and cards the model is never sure. */
const leastOfStructure = 0.3

/** What the page itself says is wanted, or what another kept part needs. */
const settled: ReadonlySet<Reason> = new Set<Reason>([
  'named as content',
  'title',
  'term of a definition',
  'part of a record',
])

/** Of the blocks that were asked for, those that are surely content. Tables and lists stay whole or go whole. */
export function cleanBlocks(
  { road, evidence, choice, probabilities }: Decision,
  base: Uint8Array,
  of: keyof typeof least,
): Uint8Array {
  const needed = road === 'container' ? leastOfReference : least[of]
  const kept = base.map((isAsked, block) => {
    const isSettled = choice.kept[block] === 1 && settled.has(choice.reasons[block] ?? 'improbable')
    return isAsked & Number(isSettled || (probabilities[block] ?? 0) >= needed)
  })
  for (const structure of structuresOf(evidence)) {
    const [from, to] = rangeOf(evidence, structure)
    const isKept = meanIn(evidence, probabilities, { base, from, to }) >= Math.min(needed, leastOfStructure)
    for (let block = from; block < to; block += 1) kept[block] = (base[block] ?? 0) & Number(isKept)
  }
  dropNamed(evidence, kept, probabilities)
  dropLines(evidence, kept)
  dropBareHeadings(evidence, { base, kept, probabilities, needed })
  const { titleBlock } = evidence.page
  if (base[titleBlock] === 1) kept[titleBlock] = 1
  return kept
}

const structures = tagSet('blockquote dl ol pre table ul')

/** The outermost structures whose parts mean nothing alone; a list of whole texts is none of them. */
function* structuresOf(evidence: Evidence): Generator<Node> {
  const { tree, blocks } = evidence
  const textsBefore = countTexts(evidence)
  const hasTexts = (node: Node) => {
    const [from, to] = rangeOf(evidence, node)
    return (textsBefore[to] ?? 0) > (textsBefore[from] ?? 0)
  }
  for (let node = 1; node < tree.count; node += 1) {
    const name = tree.tags[node] ?? 0
    if (structures[name] !== 1) continue
    if (name === tag.table ? !isOfData(tree, blocks, node) : name !== tag.pre && hasTexts(node)) continue
    yield node
    node = (tree.ends[node] ?? 0) - 1
  }
}

const mostWordsOfItem = 120

/** Posts, cards and whole pages are written as lists too; each has a heading or is long. How many such blocks begin before each. */
function countTexts({ tree, blocks }: Evidence): Int32Array {
  const before = new Int32Array(blocks.count + 1)
  for (let block = 0; block < blocks.count; block += 1) {
    const isLong = (blocks.words[block] ?? 0) > mostWordsOfItem
    const isText = isLong || isHeading(tree.tags[holderOf(blocks, block)] ?? 0)
    before[block + 1] = (before[block] ?? 0) + Number(isText)
  }
  return before
}

function rangeOf({ tree, blocks }: Evidence, node: Node): [from: number, to: number] {
  return [blocks.before[node] ?? 0, blocks.before[tree.ends[node] ?? 0] ?? 0]
}

/** By words, of the blocks that were asked for. */
function meanIn(
  { blocks }: Evidence,
  probabilities: Float32Array,
  { base, from, to }: { base: Uint8Array; from: number; to: number },
): number {
  let [sum, all] = [0, 0]
  for (let block = from; block < to; block += 1) {
    if (base[block] !== 1) continue
    const words = Math.max(1, blocks.words[block] ?? 0)
    sum += words * (probabilities[block] ?? 0)
    all += words
  }
  return all === 0 ? 0 : sum / all
}

interface Cleaning {
  base: Uint8Array
  kept: Uint8Array
  probabilities: Float32Array
  needed: number
}

/**
 * A heading stays with what it stands above, however likely it is, and goes with it. Up to the next heading is its own text; up
 * to the next of its level its section.
 */
function dropBareHeadings({ tree, blocks }: Evidence, { base, kept, probabilities, needed }: Cleaning): void {
  const ownBefore = [countBefore(base), countBefore(kept)] as const
  const ends = new Array<number>(7).fill(blocks.count)
  let next = blocks.count
  for (let block = blocks.count - 1; block >= 0; block -= 1) {
    const name = tree.tags[holderOf(blocks, block)] ?? 0
    if (!isHeading(name)) continue
    const level = name - tag.h1 + 1
    const section = ends[level] ?? blocks.count
    const count = (which: 0 | 1, end: number) =>
      (ownBefore[which][end] ?? 0) - (ownBefore[which][block + 1] ?? 0)
    const hadOwn = count(0, next) > 0
    const isLikely = (probabilities[block] ?? 0) >= needed
    const isAbove = hadOwn && !isLikely ? count(1, next) > 0 : count(1, section) > 0
    const stays = isAbove || (count(0, section) === 0 && isLikely)
    kept[block] = (base[block] ?? 0) & Number(stays)
    ends.fill(block, level)
    next = block
  }

  /** Headings do not count: of a section whose text went nothing is left to name. */
  function countBefore(marks: Uint8Array): Int32Array {
    const before = new Int32Array(blocks.count + 1)
    for (let block = 0; block < blocks.count; block += 1) {
      const isText = !isHeading(tree.tags[holderOf(blocks, block)] ?? 0)
      before[block + 1] = (before[block] ?? 0) + (isText ? (marks[block] ?? 0) : 0)
    }
    return before
  }
}

export function wordsOf({ blocks }: Evidence, kept: Uint8Array): number {
  let words = 0
  for (let block = 0; block < blocks.count; block += 1)
    words += (kept[block] ?? 0) * (blocks.words[block] ?? 0)
  return words
}
