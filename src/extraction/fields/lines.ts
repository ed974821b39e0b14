import { type Blocks, computePrefixSums, readBlocks } from '../../content/main-content/blocks.ts'
import { attr, tag, tagSet } from '../../content/tree/names.ts'
import {
  attribute,
  classOf,
  endOf,
  isText,
  type Node,
  parentOf,
  root,
  type Tree,
  tagOf,
  textAt,
} from '../../content/tree/tree.ts'
import { wordList, words } from '../vocabulary/words.ts'

export interface Line {
  text: string
  /** Texts of the line, split at element boundaries. */
  pieces: string[]
  /** Values of the line, split at element boundaries and separators: "3 beds · 2 baths". */
  segments: string[]
  isStruck: boolean
  /** First words of the line, normalized for comparison. */
  words: string[]
  /** Innermost block element around the line, and its first text node. */
  holder: Node
  first: Node
  /** Heading level from 1 to 6, or 0. */
  level: number
  /** Likelihood from 0 to 1 that the line is main content; low in a footer. */
  weight: number
}

export interface Lines {
  tree: Tree
  list: Line[]
  /** Likelihood per node that it is main content. */
  weights: Float32Array
  /** Number of lines before each node. */
  linesBefore: Int32Array
}

const maxLines = 30_000
const maxWords = 14
const maxLineLength = 20_000

export function readLines(tree: Tree, hidden: Uint8Array): Lines {
  const blocks = readBlocks(tree, false)
  const weights = computeWeights(tree, hidden)
  const list: Line[] = []
  const linesBefore = new Int32Array(tree.count + 1)
  let block = 0
  let pending: Line[] = []
  for (let node = 0; node <= tree.count; node += 1) {
    while (block < blocks.count && (blocks.firsts[block] ?? 0) === node) {
      pending = linesOf(tree, blocks, block, weights)
      block += 1
    }
    linesBefore[node] = list.length
    while (pending[0]?.first === node) {
      const line = pending.shift()
      if (line && list.length < maxLines) list.push(line)
    }
  }
  return { tree, list, weights, linesBefore }
}

/** Returns the innermost of these elements around a node, at most so many levels above. */
export function findAncestor(tree: Tree, node: Node, tags: Uint8Array, maxUp: number): Node | undefined {
  for (let at = node, up = 0; at > root && up < maxUp; at = parentOf(tree, at), up += 1)
    if (tags[tagOf(tree, at)] === 1) return at
  return undefined
}

export function linesIn({ tree, linesBefore }: Lines, node: Node): number {
  return (linesBefore[endOf(tree, node)] ?? 0) - (linesBefore[node] ?? 0)
}

interface Text {
  node: Node
  text: string
  isStruck: boolean
  /** Child of the holder that contains the text; the text node itself if it is a child of the holder. */
  part: Node
}

function linesOf(tree: Tree, blocks: Blocks, block: number, weights: Float32Array): Line[] {
  const [first, last] = [blocks.firsts[block] ?? 0, blocks.lasts[block] ?? 0]
  const holder = blocks.holders[block] ?? root
  if ((weights[first] ?? 1) === 0) return []
  const runs: Text[][] = [[]]
  let length = 0
  let struckEnd = 0
  for (let node = first; node < last && length < maxLineLength; node += 1) {
    if (!isText(tree, node)) {
      const name = tagOf(tree, node)
      if (name === tag.br) runs.push([])
      else if (isStrikethrough(tree, node)) struckEnd = Math.max(struckEnd, endOf(tree, node))
      continue
    }
    if ((weights[node] ?? 1) === 0 || skippedTags[tagOf(tree, parentOf(tree, node))] === 1) continue
    const text = textAt(tree, node).slice(0, maxLineLength)
    length += text.length
    const isStruck = node < struckEnd || isInStrikethrough(tree, node, holder)
    runs.at(-1)?.push({ node, text, isStruck, part: node })
  }
  for (const run of runs) assignParts(tree, run, holder)
  return runs.flatMap((run) =>
    [...Map.groupBy(withLabels(run), ({ isStruck }) => isStruck).values()].flatMap(
      (texts) => lineOf(tree, texts, holder, weights) ?? [],
    ),
  )
}

/** Marks a label before a struck-through text too: "RRP" before its price. */
function withLabels(run: readonly Text[]): Text[] {
  return run.map((piece, at) => {
    const next = run[at + 1]
    const isLabel = next?.isStruck && next.part === piece.part && !/\d/.test(piece.text)
    return isLabel ? { ...piece, isStruck: true } : piece
  })
}

const maxLevels = 12

/** Sets `part` of each text. An inline element that contains the complete run counts as the holder. */
function assignParts(tree: Tree, run: Text[], holder: Node): void {
  const first = run.find(({ text }) => text.trim() !== '')
  const last = run.findLast(({ text }) => text.trim() !== '')
  if (!first || !last) return
  let ancestor: Node = holder
  for (
    let at = parentOf(tree, first.node), up = 0;
    at > holder && up < maxLevels;
    at = parentOf(tree, at), up += 1
  )
    if (endOf(tree, at) > last.node) {
      ancestor = at
      break
    }
  for (const text of run) text.part = partOf(tree, text.node, ancestor)
}

function partOf(tree: Tree, node: Node, holder: Node): Node {
  let part = node
  for (let up = 0; up < maxLevels; up += 1) {
    const parent = parentOf(tree, part)
    if (parent <= holder) break
    part = parent
  }
  return part
}

function lineOf(tree: Tree, texts: readonly Text[], holder: Node, weights: Float32Array): Line | undefined {
  const groups: string[] = []
  let [text, part] = ['', -1]
  for (const piece of texts) {
    const isNew = piece.part !== part
    // CSS may separate adjacent elements that have no space between them.
    const needsSpace = isNew && part >= 0 && !isText(tree, part) && !isText(tree, piece.part)
    text += needsSpace ? ` ${piece.text}` : piece.text
    if (isNew || groups.length === 0) groups.push(piece.text)
    else groups[groups.length - 1] += piece.text
    part = piece.part
  }
  const shown = collapseSpaces(text)
  const [first] = texts
  if (shown === '' || !first) return undefined
  const name = tagOf(tree, holder)
  const isHeadingRole = attribute(tree, holder, attr.role) === 'heading'
  return {
    ...{ text: shown, holder, first: first.node, weight: weights[first.node] ?? 1, isStruck: first.isStruck },
    pieces: texts.map((piece) => collapseSpaces(piece.text)).filter(Boolean),
    segments: segmentsOf(groups, shown),
    words: words(shown.slice(0, 120)).slice(0, maxWords),
    level: name >= tag.h1 && name <= tag.h6 ? name - tag.h1 + 1 : isHeadingRole ? 3 : 0,
  }
}

const collapseSpaces = (text: string) => text.replace(/\s+/g, ' ').trim()
const separators = /\s*[·•|‧⋅∙]\s*|(?<![\d€$£%])\s+[–—/]\s+(?=\p{L})|(?<=\p{L})\s+[–—]\s+(?=\d)/u
const maxSegments = 24
const maxSplitLength = 400

function segmentsOf(groups: readonly string[], shown: string): string[] {
  if (shown.length > maxSplitLength || groups.length > maxSegments) return [shown]
  const parts = groups
    .flatMap((group) => collapseSpaces(group).split(separators))
    .filter((part) => /[\p{L}\p{N}\p{Sc}]/u.test(part))
  return parts.slice(0, maxSegments)
}

const skippedTags = tagSet('script style template noscript')

const weightOfTag = new Map<number, number>([
  [tag.nav, 0.2],
  [tag.footer, 0.38],
  [tag.aside, 0.55],
  [tag.form, 0.7],
  [tag.select, 0],
  [tag.button, 0.6],
  [tag.template, 0],
])
const boilerplateWords = wordList('besides')
const boilerplateWeight = 0.45
/** An element with a larger share of the page text is the main content. */
const maxPageShare = 0.35

function computeWeights(tree: Tree, hidden: Uint8Array): Float32Array {
  const weights = new Float32Array(tree.count).fill(1)
  const before = computePrefixSums(tree.count, (node) => {
    const isShown = isText(tree, node) && skippedTags[tagOf(tree, parentOf(tree, node))] !== 1
    return isShown ? textAt(tree, node).trim().length : 0
  })
  const totalLength = before[tree.count] ?? 0
  for (let node = 1; node < tree.count; node += 1) {
    const inherited = weights[parentOf(tree, node)] ?? 1
    if (hidden[node] === 1) {
      const end = endOf(tree, node)
      weights.fill(0, node, end)
      node = end - 1
      continue
    }
    if (isText(tree, node)) {
      weights[node] = inherited
      continue
    }
    const share = ((before[endOf(tree, node)] ?? 0) - (before[node] ?? 0)) / (totalLength || 1)
    const isPage = share > maxPageShare && tagOf(tree, node) !== tag.nav
    weights[node] =
      isPage || isEndOfArticle(tree, node) ? inherited : Math.min(inherited, ownWeight(tree, node))
  }
  return weights
}

const articleTags = tagSet('article')

/** True for the footer of an article, which may contain requested values such as the tags and the author. */
function isEndOfArticle(tree: Tree, node: Node): boolean {
  if (tagOf(tree, node) !== tag.footer) return false
  return findAncestor(tree, parentOf(tree, node), articleTags, maxLevels) !== undefined
}

function ownWeight(tree: Tree, node: Node): number {
  const tagWeight = weightOfTag.get(tagOf(tree, node))
  if (tagWeight !== undefined) return tagWeight
  const names = `${classOf(tree, node) ?? ''} ${attribute(tree, node, attr.id) ?? ''}`
  if (names.length < 4 || names.length > 400) return 1
  for (const token of names.toLowerCase().split(/\s+/)) {
    const parts = token.split(/[-_]+/)
    if (boilerplateWords.has(parts[0] ?? '') || boilerplateWords.has(parts.at(-1) ?? ''))
      return boilerplateWeight
  }
  return 1
}

export const strikethroughTags = tagSet('del s strike')
const strikethroughClass =
  /(?:^|[\s:_-])(?:line-through|strike-?through|text-strike|strike|struck)(?:$|[\s_])/
const strikethroughStyle = /text-decoration[^;]{0,40}line-through/i

function isStrikethrough(tree: Tree, node: Node): boolean {
  const className = classOf(tree, node) ?? ''
  const style = attribute(tree, node, attr.style) ?? ''
  return (
    strikethroughTags[tagOf(tree, node)] === 1 ||
    (className.length < 400 && strikethroughClass.test(className)) ||
    (style.length < 400 && strikethroughStyle.test(style))
  )
}

function isInStrikethrough(tree: Tree, node: Node, holder: Node): boolean {
  for (
    let at = parentOf(tree, node), up = 0;
    at >= holder && at > 0 && up < maxLevels;
    at = parentOf(tree, at), up += 1
  )
    if (isStrikethrough(tree, at)) return true
  return false
}
