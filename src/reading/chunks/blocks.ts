import { type Heading, headingOf, plainTitle } from './headings.ts'
import {
  behindSpace,
  endOf,
  indentOf,
  inside,
  isBlank,
  type Lines,
  linesOf,
  markOf,
  startOf,
  textStart,
} from './lines.ts'
import { isFence, isItem, isMarked, isRule, isUnderline, tableEnd } from './marks.ts'

/**
 * The pieces of Markdown between which it may be cut, in order; between them stands nothing but white space and the marks
 * of empty lines in quotes. Flat, because a file may have millions.
 */
export interface Blocks {
  starts: number[]
  ends: number[]
  /** 1 for one that is never cut: a table, a listing, an item of a list, a note, a formula, a heading. */
  isWhole: number[]
  /** Headings that begin a section, by their number. */
  headings: Map<number, Heading>
}

/**
 * Reads the dialect that Winnow writes (listings in fences, tables with a bar at each edge) and what else is common in
 * files: headings with a line below them, tables without bars at the edges.
 */
export function blocksOf(markdown: string): Blocks {
  const blocks: Blocks = { starts: [], ends: [], isWhole: [], headings: new Map() }
  readBlocks(blocks, linesOf(markdown), 0)
  return blocks
}

/** Reads the block that begins at a line and gives the number of the line behind it; -1 for another kind of block. */
type Reader = (blocks: Blocks, lines: Lines, at: number, depth: number) => number

const readers: Reader[] = [readFence, readFormula, readHeading, readRule, readQuote, readItem, readTable]

/** The depth is that of the quotes around. */
function readBlocks(blocks: Blocks, lines: Lines, depth: number): void {
  for (let at = 0; at < lines.count; ) {
    if (isBlank(lines, at)) at += 1
    else at = readBlock(blocks, lines, at, depth)
  }
}

function readBlock(blocks: Blocks, lines: Lines, at: number, depth: number): number {
  for (const read of readers) {
    const behind = read(blocks, lines, at, depth)
    if (behind !== -1) return behind
  }
  return readParagraph(blocks, lines, at, depth)
}

function add(blocks: Blocks, lines: Lines, from: number, behind: number, isWhole: 0 | 1): number {
  // Empty lines at its end belong to nobody.
  let last = behind - 1
  while (last > from && isBlank(lines, last)) last -= 1
  blocks.starts.push(startOf(lines, from))
  blocks.ends.push(endOf(lines, last))
  blocks.isWhole.push(isWhole)
  return behind
}

/** A fence that is never closed reaches to the end. */
function readFence(blocks: Blocks, lines: Lines, at: number): number {
  if (!isFence(markOf(lines, at))) return -1
  const sign = lines.text[textStart(lines, at)] ?? ''
  const length = runOf(lines, at, sign)
  let last = at + 1
  while (last < lines.count && !closes(lines, last, sign, length)) last += 1
  return add(blocks, lines, at, Math.min(last + 1, lines.count), 1)
}

function runOf(lines: Lines, line: number, sign: string): number {
  const from = textStart(lines, line)
  let at = from
  while (at < endOf(lines, line) && lines.text[at] === sign) at += 1
  return at - from
}

function closes(lines: Lines, line: number, sign: string, length: number): boolean {
  const run = runOf(lines, line, sign)
  const end = endOf(lines, line)
  return run >= length && behindSpace(lines.text, textStart(lines, line) + run, end) === end
}

const formula = /^\$\$\s*$/

/** Without its end in the same paragraph it is a text. */
function readFormula(blocks: Blocks, lines: Lines, at: number): number {
  if (!formula.test(markOf(lines, at))) return -1
  for (let last = at + 1; last < lines.count && !isBlank(lines, last); last += 1) {
    if (formula.test(markOf(lines, last))) return add(blocks, lines, at, last + 1, 1)
  }
  return -1
}

function readHeading(blocks: Blocks, lines: Lines, at: number, depth: number): number {
  const heading = headingOf(lines, at)
  if (heading === undefined) return -1
  addHeading(blocks, heading, depth)
  return add(blocks, lines, at, at + 1, 1)
}

/** In a quote a heading begins no section of the page. */
function addHeading({ starts, headings }: Blocks, heading: Heading, depth: number): void {
  if (depth === 0) headings.set(starts.length, heading)
}

function readRule(blocks: Blocks, lines: Lines, at: number): number {
  return isRule(markOf(lines, at)) ? add(blocks, lines, at, at + 1, 1) : -1
}

/** Deeper quotes than anybody writes are not taken apart. */
const deepest = 16

function readQuote(blocks: Blocks, lines: Lines, at: number, depth: number): number {
  let behind = at
  while (behind < lines.count && lines.text[textStart(lines, behind)] === '>') behind += 1
  if (behind === at) return -1
  if (depth >= deepest) return add(blocks, lines, at, behind, 1)
  const froms = new Int32Array(behind - at)
  for (let line = at; line < behind; line += 1) {
    const mark = textStart(lines, line) + 1
    froms[line - at] = mark + (lines.text[mark] === ' ' ? 1 : 0)
  }
  readBlocks(blocks, inside(lines, at, froms), depth + 1)
  return behind
}

function readTable(blocks: Blocks, lines: Lines, at: number): number {
  const behind = tableEnd(lines, at)
  return behind === at ? -1 : add(blocks, lines, at, behind, 1)
}

/** An item of a list or a note, with all that is indented below it. */
function readItem(blocks: Blocks, lines: Lines, at: number): number {
  if (!isItem(markOf(lines, at))) return -1
  const outer = indentOf(lines, at)
  let behind = at + 1
  for (let isAfterBlank = false; behind < lines.count; behind += 1) {
    const isNow = isBlank(lines, behind)
    const mayEnd = !isNow && indentOf(lines, behind) <= outer
    if (mayEnd && (isAfterBlank || isMarked(markOf(lines, behind)))) break
    isAfterBlank = isNow
  }
  return add(blocks, lines, at, behind, 1)
}

/** Longer texts above a line are no titles. */
const longestTitle = 300

/** Up to an empty line, or one that is marked as something else. */
function readParagraph(blocks: Blocks, lines: Lines, at: number, depth: number): number {
  const from = textStart(lines, at)
  let behind = at + 1
  for (; behind < lines.count && !isBlank(lines, behind); behind += 1) {
    const mark = markOf(lines, behind)
    const end = endOf(lines, behind - 1)
    if (isUnderline(mark) && end - from <= longestTitle && indentOf(lines, at) <= 3) {
      const level = mark.startsWith('=') ? 1 : 2
      addHeading(blocks, { level, title: plainTitle(lines.text.slice(from, end)), at: from }, depth)
      return add(blocks, lines, at, behind + 1, 1)
    }
    if (isMarked(mark)) break
  }
  return add(blocks, lines, at, behind, 0)
}
