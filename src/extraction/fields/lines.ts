import { type Blocks, readBlocks } from '../../content/main-content/blocks.ts'
import { attr, tag, tagSet } from '../../content/tree/names.ts'
import {
  attribute,
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

/** What a reader would call a line: a paragraph, a heading, an item, a cell. */
export interface Line {
  text: string
  /** The texts that it is made of, where elements part them. */
  pieces: string[]
  /** What it says one after the other, where elements or signs part it: "3 beds · 2 baths". */
  segments: string[]
  /** Whether it is crossed out: what was, and is no more. */
  isStruck: boolean
  /** Its words as names are compared, the first of them only. */
  words: string[]
  /** The innermost element on lines of its own around it. */
  holder: Node
  first: Node
  /** 1 to 6 for a heading, else 0. */
  level: number
  /** How likely its place is that of the content: 1 in the middle, little in a footer. */
  weight: number
}

export interface Lines {
  tree: Tree
  list: Line[]
  blocks: Blocks
  /** How likely the place of each node is that of the content. */
  weights: Float32Array
  /** For each node the number of lines before it. */
  before: Int32Array
}

const maxLines = 30_000
const maxWords = 14
const longestLine = 20_000

/** The lines that a page shows, in order. */
export function readLines(tree: Tree, hidden: Uint8Array): Lines {
  const blocks = readBlocks(tree, false)
  const weights = placeWeights(tree, hidden)
  const list: Line[] = []
  const before = new Int32Array(tree.count + 1)
  let block = 0
  let ahead: Line[] = []
  for (let node = 0; node <= tree.count; node += 1) {
    while (block < blocks.count && (blocks.firsts[block] ?? 0) === node) {
      ahead = linesOf(tree, blocks, block, weights)
      block += 1
    }
    before[node] = list.length
    while (ahead[0]?.first === node) {
      const [line] = ahead.splice(0, 1)
      if (line && list.length < maxLines) list.push(line)
    }
  }
  return { tree, list, blocks, weights, before }
}

interface Text {
  node: Node
  text: string
  isStruck: boolean
  /** Its element below the holder; the text itself where it stands in the holder. */
  part: Node
}

/** The lines of a block: one, unless breaks part it or a part of it is crossed out. */
function linesOf(tree: Tree, blocks: Blocks, block: number, weights: Float32Array): Line[] {
  const [first, last] = [blocks.firsts[block] ?? 0, blocks.lasts[block] ?? 0]
  const holder = blocks.holders[block] ?? root
  if ((weights[first] ?? 1) === 0) return []
  const runs: Text[][] = [[]]
  let length = 0
  let struckEnd = 0
  for (let node = first; node < last && length < longestLine; node += 1) {
    if (!isText(tree, node)) {
      const name = tagOf(tree, node)
      if (name === tag.br) runs.push([])
      else if (isStrikethrough(tree, node)) struckEnd = Math.max(struckEnd, endOf(tree, node))
      continue
    }
    if ((weights[node] ?? 1) === 0 || unread[tagOf(tree, parentOf(tree, node))] === 1) continue
    const text = textAt(tree, node).slice(0, longestLine)
    length += text.length
    const isOut = node < struckEnd || isInStrikethrough(tree, node, holder)
    runs.at(-1)?.push({ node, text, isStruck: isOut, part: node })
  }
  for (const run of runs) setParts(tree, run, holder)
  return runs.flatMap((run) =>
    [withLabels(run).filter(({ isStruck }) => isStruck), withLabels(run).filter(({ isStruck }) => !isStruck)]
      .sort((one, other) => (one[0]?.node ?? 0) - (other[0]?.node ?? 0))
      .flatMap((texts) => lineOf(tree, texts, holder, weights) ?? []),
  )
}

/** What is crossed out, with the label in front of it: "RRP" and its price. */
function withLabels(run: readonly Text[]): Text[] {
  return run.map((piece, at) => {
    const next = run[at + 1]
    const isLabel = next?.isStruck && next.part === piece.part && !/\d/.test(piece.text)
    return isLabel ? { ...piece, isStruck: true } : piece
  })
}

const maxLevels = 12

/** The element around all texts of a run may be an inline one. */
function setParts(tree: Tree, run: Text[], holder: Node): void {
  const [first, last] = [
    run.find(({ text }) => text.trim() !== ''),
    run.findLast(({ text }) => text.trim() !== ''),
  ]
  if (!first || !last) return
  let around: Node = holder
  for (
    let at = parentOf(tree, first.node), up = 0;
    at > holder && up < maxLevels;
    at = parentOf(tree, at), up += 1
  )
    if (endOf(tree, at) > last.node) {
      around = at
      break
    }
  for (const text of run) text.part = partOf(tree, text.node, around)
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
    // Elements that touch are parted by their look.
    const isApart = isNew && part >= 0 && !isText(tree, part) && !isText(tree, piece.part)
    text += isApart ? ` ${piece.text}` : piece.text
    if (isNew || groups.length === 0) groups.push(piece.text)
    else groups[groups.length - 1] += piece.text
    part = piece.part
  }
  const shown = spaced(text)
  const [first] = texts
  if (shown === '' || !first) return undefined
  const name = tagOf(tree, holder)
  return {
    ...{ text: shown, holder, first: first.node, weight: weights[first.node] ?? 1, isStruck: first.isStruck },
    pieces: texts.map((piece) => spaced(piece.text)).filter(Boolean),
    segments: segmentsOf(groups, shown),
    words: words(shown.slice(0, 120)).slice(0, maxWords),
    level: name >= tag.h1 && name <= tag.h6 ? name - tag.h1 + 1 : headingRole(tree, holder),
  }
}

const spaced = (text: string) => text.replace(/\s+/g, ' ').trim()
const separators = /\s*[·•|‧⋅∙]\s*|(?<![\d€$£%])\s+[–—/]\s+(?=\p{L})|(?<=\p{L})\s+[–—]\s+(?=\d)/u
const maxSegments = 24
const longestParted = 400

function segmentsOf(groups: readonly string[], shown: string): string[] {
  if (shown.length > longestParted || groups.length > maxSegments) return [shown]
  const parts = groups
    .flatMap((group) => spaced(group).split(separators))
    .filter((part) => /[\p{L}\p{N}\p{Sc}]/u.test(part))
  return parts.slice(0, maxSegments)
}

const unread = tagSet('script style template noscript')

function headingRole(tree: Tree, node: Node): number {
  return attribute(tree, node, attr.role) === 'heading' ? 3 : 0
}

/** What stands there is about the site, or about other pages. */
const weightOfTag = new Map<number, number>([
  [tag.nav, 0.2],
  [tag.footer, 0.38],
  [tag.aside, 0.55],
  [tag.form, 0.7],
  [tag.select, 0],
  [tag.button, 0.6],
  [tag.template, 0],
])
/** Words with which the name of such a part begins or ends. */
const besides = wordList('besides')
const weightOfName = 0.45
/** What holds more of the page than this is the page, whatever it is called. */
const mostOfPage = 0.35

function placeWeights(tree: Tree, hidden: Uint8Array): Float32Array {
  const weights = new Float32Array(tree.count).fill(1)
  const before = textBefore(tree)
  const all = before[tree.count] ?? 0
  for (let node = 1; node < tree.count; node += 1) {
    const around = weights[parentOf(tree, node)] ?? 1
    if (hidden[node] === 1) {
      const end = endOf(tree, node)
      weights.fill(0, node, end)
      node = end - 1
      continue
    }
    if (isText(tree, node)) {
      weights[node] = around
      continue
    }
    const share = ((before[endOf(tree, node)] ?? 0) - (before[node] ?? 0)) / (all || 1)
    const isPage = share > mostOfPage && tagOf(tree, node) !== tag.nav
    weights[node] = isPage || isEndOfArticle(tree, node) ? around : Math.min(around, ownWeight(tree, node))
  }
  return weights
}

/** The last lines of an article are no end of the page: they have its tags and its author. */
function isEndOfArticle(tree: Tree, node: Node): boolean {
  if (tagOf(tree, node) !== tag.footer) return false
  for (let at = parentOf(tree, node), up = 0; at > root && up < maxLevels; at = parentOf(tree, at), up += 1)
    if (tagOf(tree, at) === tag.article) return true
  return false
}

function ownWeight(tree: Tree, node: Node): number {
  const ofTag = weightOfTag.get(tagOf(tree, node))
  if (ofTag !== undefined) return ofTag
  const called = `${attribute(tree, node, attr.class) ?? ''} ${attribute(tree, node, attr.id) ?? ''}`
  if (called.length < 4 || called.length > 400) return 1
  for (const token of called.toLowerCase().split(/\s+/)) {
    const parts = token.split(/[-_]+/)
    if (besides.has(parts[0] ?? '') || besides.has(parts.at(-1) ?? '')) return weightOfName
  }
  return 1
}

/** For every node, and for the end of the page: how many characters of text stand before it. */
function textBefore(tree: Tree): Int32Array {
  const before = new Int32Array(tree.count + 1)
  let length = 0
  for (let node = 0; node < tree.count; node += 1) {
    before[node] = length
    if (isText(tree, node) && unread[tagOf(tree, parentOf(tree, node))] !== 1)
      length += textAt(tree, node).trim().length
  }
  before[tree.count] = length
  return before
}

const struck = tagSet('del s strike')
const struckClass = /(?:^|[\s:_-])(?:line-through|strike-?through|text-strike|strike|struck)(?:$|[\s_])/
const struckStyle = /text-decoration[^;]{0,40}line-through/i

/** Whether an element crosses out what it holds: by what it is, by a class that says so, or by its style. */
export function isStrikethrough(tree: Tree, node: Node): boolean {
  if (struck[tagOf(tree, node)] === 1) return true
  const called = attribute(tree, node, attr.class)
  if (called !== undefined && called.length < 400 && struckClass.test(called)) return true
  const style = attribute(tree, node, attr.style)
  return style !== undefined && style.length < 400 && struckStyle.test(style)
}

/** Whether an element around a text crosses it out, up to the one that holds its line. */
export function isInStrikethrough(tree: Tree, node: Node, holder: Node): boolean {
  for (
    let at = parentOf(tree, node), up = 0;
    at >= holder && at > 0 && up < maxLevels;
    at = parentOf(tree, at), up += 1
  )
    if (isStrikethrough(tree, at)) return true
  return false
}
