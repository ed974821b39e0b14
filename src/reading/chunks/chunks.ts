import { type CutOptions, cut, type Piece } from './cut.ts'
import { commonSection, pathOf, type Section, sectionsOf } from './sections.ts'
import { countTokens, forgetWords } from './tokens.ts'
import { type Units, unitsOf } from './units.ts'

/** A piece of Markdown for retrieval. */
export interface Chunk {
  text: string
  /** The titles of the sections around all of it, the outermost first. */
  headings: string[]
  /** The name of the place on the page of the innermost of them that has one. */
  anchor?: string
  /** Its place in the Markdown: `markdown.slice(start, end)` is its text. */
  start: number
  end: number
  tokens: number
  /** Number of characters at its beginning that are the end of the chunk before. */
  overlap?: number
  /** It is larger than it should be, because it is not to be cut. */
  oversize?: true
}

export interface ChunkedMarkdown {
  chunks: Chunk[]
  /** Of the whole Markdown. */
  tokens: number
}

/** A heading with the name by which links lead to it. */
interface NamedHeading {
  at: number
  id: string
}

/** Cuts Markdown at its headings, and where a section is too long between its blocks. In linear time. */
export function chunksOf(
  markdown: string,
  anchors: readonly NamedHeading[],
  options: CutOptions,
): ChunkedMarkdown {
  const units = unitsOf(markdown, options.size)
  const sections = sectionsOf(units)
  const reading = { units, sections, names: new Map(anchors.map(({ at, id }) => [at, id])), options }
  const sectionOf = sectionsByUnit(units, sections)
  const chunks = cut(units, sections, options).map((piece) => chunkOf(reading, piece, sectionOf))
  forgetWords()
  return { chunks, tokens: units.total }
}

interface Reading {
  units: Units
  sections: readonly Section[]
  names: ReadonlyMap<number, string>
  options: CutOptions
}

function chunkOf(reading: Reading, piece: Piece, sectionOf: Int32Array): Chunk {
  const { units, sections, options } = reading
  const own = units.starts[piece.from] ?? 0
  const end = trimmedEnd(units.markdown, own, units.ends[piece.behind - 1] ?? 0)
  const text = units.markdown.slice(piece.start, end)
  // Not the sum of its units: at its ends a text alone may count another way than in the whole.
  const tokens = countTokens(text)
  const section = sectionAround(reading, piece, sectionOf)
  const anchor = anchorOf(reading, section)
  return {
    ...{ text, headings: pathOf(sections, section) },
    ...(anchor !== undefined && { anchor }),
    ...{ start: piece.start, end, tokens },
    ...(piece.start < own && { overlap: own - piece.start }),
    ...(tokens > options.size && { oversize: true as const }),
  }
}

function trimmedEnd(markdown: string, start: number, end: number): number {
  let at = end
  while (at > start && /\s/.test(markdown.charAt(at - 1))) at -= 1
  return at
}

function sectionsByUnit({ starts }: Units, sections: readonly Section[]): Int32Array {
  const sectionOf = new Int32Array(starts.length)
  for (const [index, { start, ownEnd }] of sections.entries()) sectionOf.fill(index, start, ownEnd)
  return sectionOf
}

/** The innermost section around all the text of a piece: headings at its beginning only lead there. */
function sectionAround({ units, sections }: Reading, { from, behind }: Piece, sectionOf: Int32Array): number {
  let found: number | undefined
  for (let unit = from; unit < behind; unit += 1) {
    if (units.headings.has(unit)) continue
    const section = sectionOf[unit] ?? 0
    found = found === undefined ? section : commonSection(sections, found, section)
  }
  return found ?? sectionOf[behind - 1] ?? 0
}

function anchorOf({ sections, names }: Reading, section: number): string | undefined {
  for (let at = section; at > 0; at = sections[at]?.parent ?? 0) {
    const name = names.get(sections[at]?.heading?.at ?? -1)
    if (name !== undefined) return name
  }
  return undefined
}
