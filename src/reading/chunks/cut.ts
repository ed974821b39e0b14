import type { Section } from './sections.ts'
import { sentenceStarts } from './sentences.ts'
import { countTokens } from './tokens.ts'
import type { Units } from './units.ts'

/** Units that make one piece, and what is repeated before them. */
export interface Piece {
  /** The first unit, and the one behind the last. */
  from: number
  behind: number
  /** Where the text begins that the piece before ends with; the beginning of its first unit, if nothing is repeated. */
  start: number
}

export interface CutOptions {
  /** The most tokens of a piece. */
  size: number
  /** The most tokens that a piece repeats of the one before it. */
  overlap: number
}

/**
 * A section that fits is one piece with all its subsections; of another one its own text comes first, then each
 * subsection for itself. A heading without a text of its own goes with what follows it.
 */
export function cut(units: Units, sections: readonly Section[], options: CutOptions): Piece[] {
  const packing: Packing = { units, ...sums(units), options, pieces: [] }
  let lead = 0
  for (let index = 0; index < sections.length; ) {
    const section = sections[index]
    if (section === undefined) break
    const isFitting = tokensBetween(packing, lead, section.end) <= options.size
    const end = isFitting ? section.end : section.ownEnd
    index = isFitting ? section.behind : index + 1
    if (isBare(packing, lead, end) && end < units.starts.length) continue
    pack(packing, lead, end)
    lead = end
  }
  return packing.pieces
}

interface Packing {
  units: Units
  /** Tokens of the units before each, with what stands behind them. */
  tokensBefore: number[]
  /** Units before each that are no headings. */
  textsBefore: number[]
  options: CutOptions
  pieces: Piece[]
}

function sums({ tokens, gaps, headings }: Units): Pick<Packing, 'tokensBefore' | 'textsBefore'> {
  const [tokensBefore, textsBefore] = [[0], [0]]
  for (const [unit, own] of tokens.entries()) {
    tokensBefore.push((tokensBefore[unit] ?? 0) + own + (gaps[unit] ?? 0))
    textsBefore.push((textsBefore[unit] ?? 0) + (headings.has(unit) ? 0 : 1))
  }
  return { tokensBefore, textsBefore }
}

/** Tokens of units from one to before another, with what stands between them. */
function tokensBetween({ tokensBefore, units }: Packing, from: number, behind: number): number {
  return (tokensBefore[behind] ?? 0) - (tokensBefore[from] ?? 0) - (units.gaps[behind - 1] ?? 0)
}

/** Whether there is nothing but headings. */
const isBare = ({ textsBefore }: Packing, from: number, behind: number) =>
  textsBefore[behind] === textsBefore[from]

/** Fills pieces with units one after another. What is larger than a piece stands alone, behind its headings. */
function pack(packing: Packing, first: number, end: number): void {
  const { units, options, pieces } = packing
  for (let from = first; from < end; ) {
    const repeated = from === first ? undefined : repeatedFrom(units, from, first, options)
    const room = options.size - (repeated?.tokens ?? 0)
    let fitting = from + 1
    while (fitting < end && tokensBetween(packing, from, fitting + 1) <= room) fitting += 1
    const behind = fitting < end ? withHeadings(packing, from, fitting) : end
    const isTooLarge = tokensBetween(packing, from, behind) > room
    const start = isTooLarge ? undefined : repeated?.at
    pieces.push({ from, behind, start: start ?? units.starts[from] ?? 0 })
    from = behind
  }
}

/** Where a piece ends that would end before a unit: headings go with what follows them. */
function withHeadings(packing: Packing, from: number, behind: number): number {
  const { units, options } = packing
  if (!units.headings.has(behind - 1)) return behind
  if (!isBare(packing, from, behind)) {
    let end = behind
    while (units.headings.has(end - 1)) end -= 1
    return end
  }
  // Of many headings the last leads to what follows; a few of them lead there together.
  if (units.headings.has(behind)) return behind
  const isLong = behind - 1 > from && tokensBetween(packing, from, behind) > options.size / 2
  return isLong ? behind - 1 : behind + 1
}

/** Whole blocks before a unit as far as they fit, and of a text that does not fit its last sentences. */
function repeatedFrom(
  units: Units,
  unit: number,
  first: number,
  { overlap }: CutOptions,
): { at: number; tokens: number } | undefined {
  let [tokens, before] = [0, unit]
  while (before > first && !units.headings.has(before - 1)) {
    const more = (units.tokens[before - 1] ?? 0) + (units.gaps[before - 1] ?? 0)
    if (tokens + more > overlap) break
    tokens += more
    before -= 1
  }
  const isText = before > first && units.isWhole[before - 1] === 0
  const end = units.starts[before] ?? 0
  const part = isText ? lastSentences(units, before - 1, end, overlap - tokens) : undefined
  if (part) return { at: part.at, tokens: tokens + part.tokens }
  return before === unit ? undefined : { at: end, tokens }
}

function lastSentences({ markdown, starts }: Units, unit: number, end: number, room: number) {
  const [first = 0, ...found] = sentenceStarts(markdown, starts[unit] ?? 0, end)
  let [at, tokens] = [end, 0]
  for (let sentence = found.length - 1; sentence >= 0; sentence -= 1) {
    const from = found[sentence] ?? first
    const more = countTokens(markdown.slice(from, at))
    if (tokens + more > room) break
    tokens += more
    at = from
  }
  return at === end ? undefined : { at, tokens }
}
