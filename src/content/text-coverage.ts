import { bounds } from '../platform/bounds.ts'
import { measureTextBefore } from './hidden.ts'
import { readBlocks, silentTags } from './main-content/blocks.ts'
import type { SelectedContent } from './select-content.ts'
import { endOf, findNode, isText, type Node, none, root, type Tree, tagOf, textAt } from './tree/tree.ts'

export interface TextCoverage {
  whole: number
  kept: number
  leftOut: { reason: OmissionReason; characters: number; parts: number }[]
}

const reasons = [
  ...(['hidden on the page', 'advertisement or dialog', 'excludeTags'] as const),
  ...(['outside includeTags', 'not main content'] as const),
] as const

type OmissionReason = (typeof reasons)[number]

export function measureTextCoverage(
  parts: SelectedContent,
  { hasIncludeTags }: { hasIncludeTags: boolean },
): TextCoverage {
  const { tree, kept, marks, skipped } = parts
  const textOffsets = measureTextBefore(tree)
  const getTextLength = (from: Node, to: Node) => (textOffsets[to] ?? 0) - (textOffsets[from] ?? 0)
  const omitted = new Map<OmissionReason, { characters: number; parts: number }>()
  const addOmitted = (reason: OmissionReason, characters: number) => {
    if (characters === 0) return
    const sum = omitted.get(reason) ?? { characters: 0, parts: 0 }
    omitted.set(reason, { characters: sum.characters + characters, parts: sum.parts + 1 })
  }
  /** Unmarked text is omitted for the default reason; without one, it is kept. */
  const countOmitted = (from: Node, to: Node, defaultReason?: OmissionReason) => {
    let markedLength = 0
    for (let node = from; node < to; node += 1) {
      const reason = getReason(marks, skipped, node)
      if (reason === undefined || (defaultReason && reason === 'not main content')) continue
      const nodeEnd = Math.min(endOf(tree, node), to)
      addOmitted(reason, getTextLength(node, nodeEnd))
      markedLength += getTextLength(node, nodeEnd)
      node = nodeEnd - 1
    }
    if (defaultReason) addOmitted(defaultReason, getTextLength(from, to) - markedLength)
  }
  let end = root
  for (const node of [...kept, tree.count]) {
    countOmitted(end, node, hasIncludeTags ? 'outside includeTags' : 'not main content')
    if (node === tree.count) break
    end = endOf(tree, node)
    countOmitted(node, end)
  }
  const totalLength = getTextLength(root, tree.count)
  const omittedLength = [...omitted.values()].reduce((sum, { characters }) => sum + characters, 0)
  return {
    whole: totalLength,
    kept: totalLength - omittedLength,
    leftOut: [...omitted].map(([reason, sum]) => ({ reason, ...sum })),
  }
}

function getReason(
  { hidden, blocked, excluded }: SelectedContent['marks'],
  skipped: Uint8Array,
  node: Node,
): OmissionReason | undefined {
  if (hidden?.[node] === 1) return 'hidden on the page'
  if (blocked[node] === 1) return 'advertisement or dialog'
  if (excluded[node] === 1) return 'excludeTags'
  return skipped[node] === 1 ? 'not main content' : undefined
}

export interface TextBlock {
  text: string
  holder: Node
  isKept: boolean
  reason?: BlockReason
  /** Probability of being content, from the model; absent if the model was not used or has too little input. */
  probability?: number
}

type BlockReason = OmissionReason | 'onlyCleanContent'

export interface TextBlocks {
  blocks: TextBlock[]
  count: number
}

export function textBlocks(
  { requested, cleaned }: Record<'requested' | 'cleaned', SelectedContent>,
  hasIncludeTags: boolean,
): TextBlocks {
  const { tree, decision, readsNoscript } = cleaned
  const blocks = decision?.evidence.blocks ?? readBlocks(tree, readsNoscript)
  const defaultReasons = getNodeReasons(requested, hasIncludeTags)
  const strictReasons = cleaned === requested ? defaultReasons : getNodeReasons(cleaned, hasIncludeTags)
  const probabilities = decision && decision.method !== 'pruned' ? decision.probabilities : undefined
  const maxBlocks = Math.min(blocks.count, bounds.MAX_BLOCKS.most)
  const listedBlocks: TextBlock[] = []
  for (let block = 0; block < maxBlocks; block += 1) {
    const range = { from: blocks.firsts[block] ?? 0, to: blocks.lasts[block] ?? 0 }
    const reason = getBlockReason(tree, range, { ordinary: defaultReasons, strict: strictReasons })
    const probability = probabilities?.[block]
    listedBlocks.push({
      text: readText(tree, range),
      holder: blocks.holders[block] ?? root,
      isKept: reason === undefined,
      ...(reason === undefined ? {} : { reason }),
      ...(probability === undefined ? {} : { probability: Math.round(probability * 1000) / 1000 }),
    })
  }
  return { blocks: listedBlocks, count: blocks.count }
}

/** Numbers start at 1; 0 means kept. */
const getReasonNumber = (reason: OmissionReason) => reasons.indexOf(reason) + 1

/** As in `measureTextCoverage`, the outermost mark decides, and a mark decides before the position. */
function getNodeReasons(parts: SelectedContent, hasIncludeTags: boolean): Uint8Array {
  const { tree, kept, skipped, marks, title } = parts
  const defaultReason = getReasonNumber(hasIncludeTags ? 'outside includeTags' : 'not main content')
  const numbers = new Uint8Array(tree.count).fill(defaultReason)
  for (const part of kept) numbers.fill(0, part, endOf(tree, part))
  for (let node = root; node < tree.count; node += 1) {
    const reason = getReason(marks, skipped, node)
    const isOutside = numbers[node] === defaultReason && reason === 'not main content'
    if (reason === undefined || isOutside) continue
    const end = endOf(tree, node)
    numbers.fill(getReasonNumber(reason), node, end)
    node = end - 1
  }
  if (title !== none) numbers.fill(0, title, endOf(tree, title))
  return numbers
}

type Range = Record<'from' | 'to', Node>

function getBlockReason(
  tree: Tree,
  { from, to }: Range,
  { ordinary, strict }: { ordinary: Uint8Array; strict: Uint8Array },
): BlockReason | undefined {
  if (findNode(from, to, (node) => isText(tree, node) && strict[node] === 0) !== none) return undefined
  const first = ordinary[from] ?? 0
  return first === 0 ? 'onlyCleanContent' : reasons[first - 1]
}

const maxTextLength = 300
/** Maximum number of characters to read, because many of them may be white space. */
const maxReadLength = 3000

function readText(tree: Tree, { from, to }: Range): string {
  let rawText = ''
  for (let node = from; node < to && rawText.length < maxReadLength; node += 1) {
    if (isText(tree, node)) rawText += textAt(tree, node).slice(0, maxReadLength)
    else if (silentTags[tagOf(tree, node)] === 1) node = endOf(tree, node) - 1
  }
  const text = rawText.replaceAll(/\s+/g, ' ').trim().slice(0, maxTextLength)
  return text.isWellFormed() ? text : text.slice(0, -1).toWellFormed()
}
