import { type Pauses, yieldOften } from '../../base/yield-often.ts'
import { textBlocks } from '../../reading/passages/markdown-blocks.ts'
import type { Language } from '../../reading/text/languages.ts'
import { docTerms } from './doc-terms.ts'
import { keywords } from './keywords.ts'
import type { Asked, AskedWord } from './read-question.ts'
import type { DocSection } from './section.ts'

/** How often a term stands in the parts of a unit, each divided by how long the part is. */
interface Posting {
  unit: number
  count: number
}

/** A section as a whole, or one paragraph, item or row of it below the same headings. */
interface Unit {
  section: number
  /** As it is written: of a whole section, how it begins. */
  text: string
  title: string[]
  keywords: string[]
  headings: string[]
  body: string[]
}

export interface DocsIndex {
  sections: readonly DocSection[]
  language: Language
  /** The sections with words of a question, the best first. */
  find(asked: Asked, most: number): FoundUnit[]
  has(term: string): boolean
}

export interface FoundUnit {
  section: DocSection
  score: number
  /** The share of the question's words that it has, rare words counting more. */
  coverage: number
  /** The words of the question that it has, in one form or another. */
  words: string[]
  /** The part of it that has most of them. */
  text: string
}

/** Terms count more where fewer words stand; how much of each part is forgiven for its length is its `b`. */
const weights = { title: 3, keywords: 1.8, headings: 1.2, body: 1 }
const forgiven = { title: 0.5, keywords: 0.4, headings: 0.3, body: 0.35 }
const k1 = 1.7
/** A word that other people use says less than the word itself. */
const otherWeight = 0.6
const onlyOtherWeight = 0.7
/** How much of the score goes with the share of the question that is covered. */
const coverageWeight = 0.7
/** Words that no title and no keyword has say little about what is asked for. */
const generalWeight = 0.5
/** Below 1: a rare word counts less beside common ones. */
const rarityPower = 0.7

/** Built in parts, so that calls are answered meanwhile. */
export async function buildDocsIndex(
  sections: readonly DocSection[],
  language: Language,
): Promise<DocsIndex> {
  const pauses = yieldOften()
  const units: Unit[] = []
  for (const [at, section] of sections.entries()) {
    units.push(...unitsOf(section, at, language))
    if (pauses.isDue()) await pauses.take()
  }
  const averages = averagesOf(units)
  const postings = new Map<string, Posting[]>()
  for (const [at, unit] of units.entries()) {
    for (const [term, count] of countsOf(unit, averages)) {
      const list = postings.get(term)
      if (list) list.push({ unit: at, count })
      else postings.set(term, [{ unit: at, count }])
    }
    if (pauses.isDue()) await pauses.take()
  }
  const kept = units.map(({ section, text }) => ({ section, text }))
  const rarities = await raritiesOf({ sections, units, postings }, pauses)
  const lists = { sections, units: kept, postings, rarities }
  return {
    sections,
    language,
    has: (term) => postings.has(term),
    find: (asked, most) => findSections(lists, asked).slice(0, most),
  }
}

function unitsOf({ key, title, headings, text }: DocSection, section: number, language: Language): Unit[] {
  const shared = {
    section,
    title: docTerms(title, language),
    keywords: docTerms(keywords[key] ?? '', language),
    headings: docTerms(headings.join(' '), language),
  }
  const texts = [...textBlocks(text).map((block) => block.text), ...codeOf(text)]
  const leads = [...text.matchAll(lead)].map(([, words = '']) => words)
  const blocks = texts.map((one) => {
    const own = leads.find((words) => one.startsWith(words)) ?? ''
    return {
      ...shared,
      title: [...shared.title, ...docTerms(own, language)],
      text: one,
      body: docTerms(one, language),
    }
  })
  const whole = { ...shared, text: texts[0] ?? '', body: docTerms(text, language) }
  return blocks.length < 2 ? [whole] : [whole, ...blocks]
}

/** Bold words at the beginning of a paragraph are its title. */
const lead = /^\*\*([^*\n]{1,100}?)\.?\*\*/gm
/** What is typed stands in code. */
const codeOf = (text: string) => text.match(/^(`{3,})(?:.|\n)*?^\1$/gm) ?? []

type Part = keyof typeof weights
const parts: Part[] = ['title', 'keywords', 'headings', 'body']

function averagesOf(units: readonly Unit[]): Record<Part, number> {
  const average = (part: Part) =>
    Math.max(1, units.reduce((sum, unit) => sum + unit[part].length, 0) / Math.max(units.length, 1))
  return {
    title: average('title'),
    keywords: average('keywords'),
    headings: average('headings'),
    body: average('body'),
  }
}

function countsOf(unit: Unit, averages: Record<Part, number>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const part of parts) {
    const terms = unit[part]
    const length = 1 - forgiven[part] + (forgiven[part] * terms.length) / averages[part]
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + weights[part] / length)
  }
  return counts
}

/** How much a term says: few sections have it, and it is what some section is about. */
async function raritiesOf(
  { postings, units, sections }: Omit<Lists, 'rarities' | 'units'> & { units: readonly Unit[] },
  pauses: Pauses,
): Promise<Lists['rarities']> {
  const topics = new Set<string>()
  for (const { title, keywords: named } of units) for (const term of [...title, ...named]) topics.add(term)
  const rarity = (uses: number) => Math.log(1 + (sections.length - uses + 0.5) / (uses + 0.5)) ** rarityPower
  const known = new Map<string, number>()
  for (const [term, list] of postings) {
    const uses = new Set(list.map(({ unit }) => units[unit]?.section)).size
    known.set(term, rarity(uses) * (topics.has(term) ? 1 : generalWeight))
    if (pauses.isDue()) await pauses.take()
  }
  const unknown = rarity(0) * generalWeight
  return (term) => known.get(term) ?? unknown
}

interface Lists {
  sections: readonly DocSection[]
  units: readonly Pick<Unit, 'section' | 'text'>[]
  postings: ReadonlyMap<string, Posting[]>
  rarities: (term: string) => number
}

function findSections(
  { sections, units, postings, rarities }: Lists,
  { words, factors }: Asked,
): FoundUnit[] {
  const scores = new Float64Array(units.length)
  const covered = new Float64Array(units.length)
  const found = new Map<number, Set<string>>()
  let total = 0
  for (const asked of words) {
    const { rarity, gains } = gainsOf(asked, postings, rarities)
    total += rarity
    for (const [unit, { score, share }] of gains) {
      scores[unit] = (scores[unit] ?? 0) + score
      covered[unit] = (covered[unit] ?? 0) + rarity * share
      found.set(unit, (found.get(unit) ?? new Set()).add(asked.word))
    }
  }
  return bestOfSections([...found.keys()], (unit) => {
    const coverage = (covered[unit] ?? 0) / (total || 1)
    const { text, section: at } = units[unit] ?? { text: '', section: -1 }
    const section = sections[at]
    if (!section) return undefined
    const weight = section.weight * factors[section.kind]
    const score = (scores[unit] ?? 0) * weight * (1 - coverageWeight + coverageWeight * coverage)
    return { section, score, coverage, words: [...(found.get(unit) ?? [])], text }
  })
}

/** What a word of the question adds to the score of each unit, and how much of the word that unit covers. */
function gainsOf({ term, others }: AskedWord, postings: Lists['postings'], rarityOf: Lists['rarities']) {
  const gains = new Map<number, { score: number; share: number }>()
  const isKnown = postings.has(term)
  const add = (one: string, share: number) => {
    const rarity = rarityOf(one)
    for (const { unit, count } of postings.get(one) ?? []) {
      const score = (share * rarity * count * (k1 + 1)) / (count + k1)
      // Other words for the same do not add up: the best of them counts.
      if (score > (gains.get(unit)?.score ?? 0))
        gains.set(unit, { score, share: Math.max(share, gains.get(unit)?.share ?? 0) })
    }
  }
  add(term, 1)
  for (const other of others) add(other, isKnown ? otherWeight : onlyOtherWeight)
  const known = others.filter((other) => postings.has(other)).map(rarityOf)
  const rarity = isKnown || known.length === 0 ? rarityOf(term) : Math.max(...known)
  return { rarity, gains }
}

function bestOfSections(
  units: readonly number[],
  foundOf: (unit: number) => FoundUnit | undefined,
): FoundUnit[] {
  const best = new Map<DocSection, FoundUnit>()
  for (const unit of units) {
    const found = foundOf(unit)
    if (found && found.score > (best.get(found.section)?.score ?? 0)) best.set(found.section, found)
  }
  return [...best.values()].sort((one, other) => other.score - one.score)
}
