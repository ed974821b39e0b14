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
    find: (asked, most) => findSections(lists, asked, most),
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

function findSections(lists: Lists, asked: Asked, most: number): FoundUnit[] {
  const { sections, units, postings, rarities } = lists
  const scores = new Float64Array(units.length)
  const covered = new Float64Array(units.length)
  const gains = { scores: new Float64Array(units.length), shares: new Float64Array(units.length) }
  let total = 0
  for (const word of asked.words) {
    const rarity = rarityOfWord(word, postings, rarities)
    total += rarity
    for (const unit of addGains(word, lists, gains)) {
      scores[unit] = (scores[unit] ?? 0) + (gains.scores[unit] ?? 0)
      covered[unit] = (covered[unit] ?? 0) + rarity * (gains.shares[unit] ?? 0)
      gains.scores[unit] = 0
      gains.shares[unit] = 0
    }
  }
  const coverageOf = (unit: number) => (covered[unit] ?? 0) / (total || 1)
  const chosen = bestOfSections(lists, asked, { scores, coverageOf }).slice(0, most)
  const wordsOf = wordsByUnit(asked, postings, new Set(chosen.map(({ unit }) => unit)))
  return chosen.flatMap(({ unit, at, score }) => {
    const section = sections[at]
    const text = units[unit]?.text ?? ''
    return section ? [{ section, score, coverage: coverageOf(unit), words: wordsOf(unit), text }] : []
  })
}

/** The best unit of each section that has a score, the best first. */
function bestOfSections(
  { sections, units }: Lists,
  { factors }: Asked,
  { scores, coverageOf }: { scores: Float64Array; coverageOf: (unit: number) => number },
) {
  const best: { unit: number; at: number; score: number }[] = []
  const ofSection = new Int32Array(sections.length).fill(-1)
  for (let unit = 0; unit < scores.length; unit += 1) {
    const raw = scores[unit] ?? 0
    const at = raw > 0 ? (units[unit]?.section ?? -1) : -1
    const section = sections[at]
    if (!section) continue
    const weight = section.weight * factors[section.kind]
    const score = raw * weight * (1 - coverageWeight + coverageWeight * coverageOf(unit))
    const known = best[ofSection[at] ?? -1]
    if (known === undefined) ofSection[at] = best.push({ unit, at, score }) - 1
    else if (score > known.score) Object.assign(known, { unit, score })
  }
  return best.sort((one, other) => other.score - one.score)
}

/** The words of the question that each of a few units has. */
function wordsByUnit(
  { words }: Asked,
  postings: Lists['postings'],
  chosen: ReadonlySet<number>,
): (unit: number) => string[] {
  const found = new Map<number, Set<string>>()
  for (const { word, term, others } of words) {
    for (const one of [term, ...others]) {
      for (const { unit } of postings.get(one) ?? []) {
        if (chosen.has(unit)) found.set(unit, (found.get(unit) ?? new Set()).add(word))
      }
    }
  }
  return (unit) => [...(found.get(unit) ?? [])]
}

interface Gains {
  /** What a word of the question adds to the score of each unit. */
  scores: Float64Array
  /** How much of the word each unit covers. */
  shares: Float64Array
}

/** Writes what a word of the question adds to each unit, and returns the units that it adds something to. */
function addGains(
  { term, others }: AskedWord,
  { postings, rarities }: Pick<Lists, 'postings' | 'rarities'>,
  { scores, shares }: Gains,
): number[] {
  const reached: number[] = []
  const add = (one: string, share: number) => {
    const rarity = rarities(one)
    for (const { unit, count } of postings.get(one) ?? []) {
      const score = (share * rarity * count * (k1 + 1)) / (count + k1)
      // Other words for the same do not add up: the best of them counts.
      const before = scores[unit] ?? 0
      if (score <= before) continue
      if (before === 0) reached.push(unit)
      scores[unit] = score
      shares[unit] = Math.max(share, shares[unit] ?? 0)
    }
  }
  const isKnown = postings.has(term)
  add(term, 1)
  for (const other of others) add(other, isKnown ? otherWeight : onlyOtherWeight)
  return reached
}

function rarityOfWord(
  { term, others }: AskedWord,
  postings: Lists['postings'],
  rarityOf: Lists['rarities'],
): number {
  const known = others.filter((other) => postings.has(other)).map(rarityOf)
  return postings.has(term) || known.length === 0 ? rarityOf(term) : Math.max(...known)
}
