import { bounds } from '../base/bounds.ts'
import { readBlocks, silentTags } from './main-content/blocks.ts'
import { type LeftOutReason, reasonOf } from './text-account.ts'
import { endOf, isText, type Node, none, root, type Tree, tagOf, textAt } from './tree/tree.ts'
import type { WantedParts } from './wanted-parts.ts'

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

export type BlockReason = LeftOutReason | 'onlyCleanContent'

export interface TextBlocks {
  blocks: TextBlock[]
  /** How many the page has. */
  count: number
}

/** The parts that were asked for, and what a stricter pass has left of them; often the same. */
export interface Asked {
  wanted: WantedParts
  cleaned: WantedParts
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
function nodeReasons(parts: WantedParts, isNamed: boolean): Uint8Array {
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
const mostRead = 3000

function textIn(tree: Tree, { from, to }: Range): string {
  let read = ''
  for (let node = from; node < to && read.length < mostRead; node += 1) {
    if (isText(tree, node)) read += textAt(tree, node).slice(0, mostRead)
    else if (silentTags[tagOf(tree, node)] === 1) node = endOf(tree, node) - 1
  }
  const text = read.replaceAll(/\s+/g, ' ').trim().slice(0, longestText)
  return text.isWellFormed() ? text : text.slice(0, -1).toWellFormed()
}
