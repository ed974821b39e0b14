import { blocksOf } from './blocks.ts'
import type { Heading } from './headings.ts'
import { partStarts, sentenceStarts } from './sentences.ts'
import { countParts, countTokens } from './tokens.ts'

/** What pieces are put together from, in order: blocks, and parts of texts that are too long. Flat, as blocks are. */
export interface Units {
  markdown: string
  starts: number[]
  ends: number[]
  /** 1 for one that is never cut. */
  isWhole: number[]
  /** Tokens of a unit, and of what stands between it and the next. */
  tokens: number[]
  gaps: number[]
  /** Headings that begin a section, by number. */
  headings: Map<number, Heading>
  /** Tokens of the whole Markdown. */
  total: number
}

/** The units of Markdown for pieces of a size. */
export function unitsOf(markdown: string, size: number): Units {
  const blocks = blocksOf(markdown)
  const counted = countParts(markdown, blocks.starts, blocks.ends)
  const units: Units = {
    ...{ markdown, starts: [], ends: [], isWhole: [], tokens: [], gaps: [] },
    ...{ headings: new Map(), total: counted.total },
  }
  // Of headings right before a block: they go with it.
  let led = 0
  for (const [block, start] of blocks.starts.entries()) {
    const end = blocks.ends[block] ?? 0
    const tokens = counted.inside[block] ?? 0
    const heading = blocks.headings.get(block)
    if (heading) units.headings.set(units.starts.length, heading)
    const isWhole = blocks.isWhole[block] ?? 0
    const room = Math.max(size - led, Math.ceil(size / 2))
    if (isWhole === 1 || tokens <= room) addUnit(units, { start, end, tokens, isWhole })
    else addSentences(units, start, end, room)
    const gap = counted.behind[block] ?? 0
    units.gaps[units.starts.length - 1] = gap
    led = heading ? led + tokens + gap : 0
  }
  return units
}

interface Unit {
  start: number
  end: number
  tokens: number
  isWhole: number
}

function addUnit(units: Units, unit: Unit): void {
  units.starts.push(unit.start)
  units.ends.push(unit.end)
  units.tokens.push(unit.tokens)
  units.isWhole.push(unit.isWhole)
  units.gaps.push(0)
}

function addSentences(units: Units, start: number, end: number, size: number): void {
  const { markdown } = units
  const starts = sentenceStarts(markdown, start, end)
  for (const [index, from] of starts.entries()) {
    const to = starts[index + 1] ?? end
    const tokens = countTokens(markdown.slice(from, to))
    if (tokens <= size) addUnit(units, { start: from, end: to, tokens, isWhole: 0 })
    else addWords(units, from, to, size)
  }
}

/** A character is fewer tokens than this, so that a part fits a size if it has no more characters than the size divided by this. */
const mostTokensOfCharacter = 4

function addWords(units: Units, from: number, to: number, size: number): void {
  const { markdown } = units
  const starts = partStarts(markdown, from, to, Math.floor(size / mostTokensOfCharacter))
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? to
    const tokens = countTokens(markdown.slice(start, end))
    addUnit(units, { start, end, tokens, isWhole: 0 })
  }
}
