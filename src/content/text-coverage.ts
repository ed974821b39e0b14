import { bounds } from '../platform/bounds.ts'
import { textBefore } from './hidden.ts'
import { readBlocks, silentTags } from './main-content/blocks.ts'
import type { SelectedContent } from './select-content.ts'
import { endOf, isText, type Node, none, root, type Tree, tagOf, textAt } from './tree/tree.ts'

/** How much of the text of a page became content, and why the rest did not. In characters. */
export interface TextCoverage {
  whole: number
  kept: number
  leftOut: { reason: LeftOutReason; characters: number; parts: number }[]
}

type LeftOutReason =
  | 'hidden on the page'
  | 'advertisement or dialog'
  | 'excludeTags'
  | 'outside includeTags'
  | 'not main content'

export function measureTextCoverage(parts: SelectedContent, { isNamed }: { isNamed: boolean }): TextCoverage {
  const { tree, kept } = parts
  const before = textBefore(tree)
  const lengthOf = (from: Node, to: Node) => (before[to] ?? 0) - (before[from] ?? 0)
  const left = new Map<LeftOutReason, { characters: number; parts: number }>()
  const leave = (reason: LeftOutReason, characters: number) => {
    if (characters === 0) return
    const sum = left.get(reason) ?? { characters: 0, parts: 0 }
    left.set(reason, { characters: sum.characters + characters, parts: sum.parts + 1 })
  }
  let end = root
  for (const node of [...kept, tree.count]) {
    leaveOut(
      parts,
      { from: end, to: node },
      { lengthOf, leave, otherwise: isNamed ? 'outside includeTags' : 'not main content' },
    )
    if (node === tree.count) break
    end = endOf(tree, node)
    leaveOut(parts, { from: node, to: end }, { lengthOf, leave, otherwise: undefined })
  }
  const whole = lengthOf(root, tree.count)
  const lost = [...left.values()].reduce((sum, { characters }) => sum + characters, 0)
  return { whole, kept: whole - lost, leftOut: [...left].map(([reason, sum]) => ({ reason, ...sum })) }
}

interface Counting {
  lengthOf: (from: Node, to: Node) => number
  leave: (reason: LeftOutReason, characters: number) => void
  /** Why what has no mark is left out; undefined where it is kept. */
  otherwise: LeftOutReason | undefined
}

/** Adds up what is left out between two nodes: marked subtrees, and the rest where it is not kept. */
function leaveOut(
  { tree, skipped, marks }: SelectedContent,
  { from, to }: { from: Node; to: Node },
  { lengthOf, leave, otherwise }: Counting,
): void {
  let marked = 0
  for (let node = from; node < to; node += 1) {
    const reason = reasonOf(marks, skipped, node)
    if (reason === undefined || (otherwise !== undefined && reason === 'not main content')) continue
    const end = Math.min(endOf(tree, node), to)
    leave(reason, lengthOf(node, end))
    marked += lengthOf(node, end)
    node = end - 1
  }
  if (otherwise !== undefined) leave(otherwise, lengthOf(from, to) - marked)
}

function reasonOf(
  { hidden, blocked, excluded }: SelectedContent['marks'],
  skipped: Uint8Array,
  node: Node,
): LeftOutReason | undefined {
  if (hidden?.[node] === 1) return 'hidden on the page'
  if (blocked[node] === 1) return 'advertisement or dialog'
  if (excluded[node] === 1) return 'excludeTags'
  return skipped[node] === 1 ? 'not main content' : undefined
}

/** A block of text of the page, and what became of it. */
export interface TextBlock {
  /** The first characters. */
  text: string
  /** The element that it stands in. */
  holder: Node
  isKept: boolean
  reason?: BlockReason
  /** That it is content, as the model judges; absent where the model was not asked, or knows too little. */
  probability?: number
}

type BlockReason = LeftOutReason | 'onlyCleanContent'

export interface TextBlocks {
  blocks: TextBlock[]
  /** How many the page has. */
  count: number
}

/** The parts that were asked for, and what a stricter pass has left of them; often the same. */
interface Asked {
  wanted: SelectedContent
  cleaned: SelectedContent
  isNamed: boolean
}

/** The blocks of a page in order, those that are in its Markdown and those that are not. */
export function textBlocks({ wanted, cleaned, isNamed }: Asked): TextBlocks {
  const { tree, decision, readsNoscript } = cleaned
  const blocks = decision?.evidence.blocks ?? readBlocks(tree, readsNoscript)
  const ordinary = nodeReasons(wanted, isNamed)
  const strict = cleaned === wanted ? ordinary : nodeReasons(cleaned, isNamed)
  const probabilities = decision && decision.road !== 'pruned' ? decision.probabilities : undefined
  const most = Math.min(blocks.count, bounds.MAX_BLOCKS.most)
  const shown: TextBlock[] = []
  for (let block = 0; block < most; block += 1) {
    const range = { from: blocks.firsts[block] ?? 0, to: blocks.lasts[block] ?? 0 }
    const reason = reasonIn(tree, range, { ordinary, strict })
    const probability = probabilities?.[block]
    shown.push({
      text: textIn(tree, range),
      holder: blocks.holders[block] ?? root,
      isKept: reason === undefined,
      ...(reason === undefined ? {} : { reason }),
      ...(probability === undefined ? {} : { probability: Math.round(probability * 1000) / 1000 }),
    })
  }
  return { blocks: shown, count: blocks.count }
}

/** By number, from 1 on; 0: kept. */
const reasons: readonly LeftOutReason[] = [
  'hidden on the page',
  'advertisement or dialog',
  'excludeTags',
  'outside includeTags',
  'not main content',
]
const numberOf = (reason: LeftOutReason) => reasons.indexOf(reason) + 1

/** Why each node is left out. As in the account of the text, the outermost reason counts, and any before the place itself. */
function nodeReasons(parts: SelectedContent, isNamed: boolean): Uint8Array {
  const { tree, kept, skipped, marks, title } = parts
  const otherwise = numberOf(isNamed ? 'outside includeTags' : 'not main content')
  const found = new Uint8Array(tree.count).fill(otherwise)
  for (const part of kept) found.fill(0, part, endOf(tree, part))
  for (let node = root; node < tree.count; node += 1) {
    const reason = reasonOf(marks, skipped, node)
    const isOutside = found[node] === otherwise && reason === 'not main content'
    if (reason === undefined || isOutside) continue
    const end = endOf(tree, node)
    found.fill(numberOf(reason), node, end)
    node = end - 1
  }
  if (title !== none) found.fill(0, title, endOf(tree, title))
  return found
}

interface Range {
  from: Node
  to: Node
}

/** Undefined: a text of the block is kept. */
function reasonIn(
  tree: Tree,
  { from, to }: Range,
  { ordinary, strict }: { ordinary: Uint8Array; strict: Uint8Array },
): BlockReason | undefined {
  for (let node = from; node < to; node += 1) {
    if (isText(tree, node) && strict[node] === 0) return undefined
  }
  const first = ordinary[from] ?? 0
  return first === 0 ? 'onlyCleanContent' : reasons[first - 1]
}

const longestText = 300
/** Of which white space may be much. */
const maxRead = 3000

function textIn(tree: Tree, { from, to }: Range): string {
  let read = ''
  for (let node = from; node < to && read.length < maxRead; node += 1) {
    if (isText(tree, node)) read += textAt(tree, node).slice(0, maxRead)
    else if (silentTags[tagOf(tree, node)] === 1) node = endOf(tree, node) - 1
  }
  const text = read.replaceAll(/\s+/g, ' ').trim().slice(0, longestText)
  return text.isWellFormed() ? text : text.slice(0, -1).toWellFormed()
}
