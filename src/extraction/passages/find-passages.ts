import type { Language } from '../text/languages.ts'
import { fold, splitWords } from '../text/words.ts'
import type { PageSentences, Sentence } from './markdown-blocks.ts'

/** What a caller wants to find on a page. */
export interface PassageQuery {
  query: string
}

/** A sentence that may answer a query. */
export interface Candidate extends Omit<Sentence, 'path'> {
  /** Its place among all sentences of the page. */
  place: number
  /** The nearest heading above it. */
  heading: string | undefined
  /** By the words of the query. */
  score: number
}

/** The sentences of a page that answer a query best by its words, in page order. */
export interface PassageResults {
  query: string
  /** The code of the language of the page, where it is known. */
  language: string | undefined
  /** Whether a word of the query that says something stands on the page. */
  isMatched: boolean
  /** Whether the page has more text than was read. */
  isCut: boolean
  candidates: Candidate[]
}

/** A language model reads this many; the sentence model reads fewer of them. */
export const maxCandidates = 150

export function findPassages(
  { sentences, isCut }: PageSentences,
  query: string,
  language: Language & { code: string | undefined },
): PassageResults {
  const { scores, isMatched } = rankSentences(sentences, query, language)
  // A heading says where an answer stands. It is one only on a page of nothing else.
  const hasText = sentences.some(({ kind }) => kind !== 'heading')
  for (const [place, { kind }] of sentences.entries())
    if (hasText && kind === 'heading') scores[place] = Number.NEGATIVE_INFINITY
  const places = bestPlaces(scores, maxCandidates).filter(
    (place) => scores[place] !== Number.NEGATIVE_INFINITY,
  )
  const candidates = places
    .sort((one, other) => one - other)
    .flatMap((place) => {
      const sentence = sentences[place]
      return sentence ? [candidateOf(sentence, place, scores[place] ?? 0)] : []
    })
  return { query, language: language.code, isMatched, isCut, candidates }
}

function candidateOf({ path, ...sentence }: Sentence, place: number, score: number): Candidate {
  return { ...sentence, place, heading: path.at(-1), score }
}

interface Ranking {
  /** The score of each sentence by the words of the query, from 0 to about 1.5. */
  scores: Float64Array
  /** Whether a word of the query that says something stands on the page. */
  isMatched: boolean
}

/** BM25: how fast further uses of a word stop counting, and how much long sentences lose. */
const saturation = 1.2
const lengthWeight = 0.3
/** Sentences before and after, the whole block and the headings above only help: they do not answer. */
const neighbourWeight = 0.1
const blockWeight = 0.2
const headingWeight = 0.2

/** Ranks the sentences of a page by the words of a query. One pass over the words of the page. */
function rankSentences(sentences: readonly Sentence[], query: string, language: Language): Ranking {
  const words = tellingWords(query, language)
  const counts = sentences.map(({ text }) => countWords(text, words, language))
  const rarity = rarityOf(words.size, counts)
  const total = rarity.reduce((sum, value) => sum + value, 0) || 1
  const meanLength = counts.reduce((sum, { length }) => sum + length, 0) / (counts.length || 1)
  const own = counts.map((count) => wordScore(count, rarity, meanLength) / total)
  const coverageOf = (found: Iterable<number>) => sumOf(found, rarity) / total
  const blocks = blockCoverage(sentences, counts, coverageOf)
  const headings = headingCoverage(sentences, (text) =>
    coverageOf(countWords(text, words, language).found.keys()),
  )
  const scores = Float64Array.from(sentences, (sentence, at) => {
    const beside = [at - 1, at + 1].filter((other) => sentences[other]?.block === sentence.block)
    return (
      (own[at] ?? 0) +
      neighbourWeight * beside.reduce((sum, other) => sum + (own[other] ?? 0), 0) +
      blockWeight * (blocks.get(sentence.block) ?? 0) +
      headingWeight * (headings.get(sentence.path) ?? 0)
    )
  })
  return { scores, isMatched: counts.some(({ found }) => found.size > 0) }
}

/** The places of the best sentences, the best first; equal ones in page order. */
function bestPlaces(scores: Float64Array, most: number): number[] {
  const places = Array.from(scores.keys())
  return places.sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other).slice(0, most)
}

/** Every form of a word of the query → which word it is. Stop words count only where there is nothing else. */
function tellingWords(query: string, { stem, stopWords }: Language): Map<string, number> {
  const all = [...new Set(splitWords(query))].slice(0, maxQueryWords)
  const telling = all.filter((word) => !stopWords.has(word))
  const stems = [...new Set((telling.length > 0 ? telling : all).map((word) => fold(stem(word))))]
  return new Map(stems.map((word, index) => [word, index]))
}

/** A query is a question, not a text. */
const maxQueryWords = 200

interface WordCount {
  /** How often each word of the query stands in the text. */
  found: Map<number, number>
  /** All words of the text. */
  length: number
}

function countWords(text: string, words: ReadonlyMap<string, number>, { stem }: Language): WordCount {
  const all = splitWords(text)
  const found = new Map<number, number>()
  for (const word of all) {
    const which = words.get(fold(stem(word)))
    if (which !== undefined) found.set(which, (found.get(which) ?? 0) + 1)
  }
  return { found, length: all.length }
}

/** Words that stand in few sentences tell them apart; those of the title often stand in all. */
function rarityOf(words: number, counts: readonly WordCount[]): number[] {
  const uses = new Array<number>(words).fill(0)
  for (const { found } of counts) for (const word of found.keys()) uses[word] = (uses[word] ?? 0) + 1
  return uses.map((used) => Math.log(1 + (counts.length - used + 0.5) / (used + 0.5)))
}

function wordScore({ found, length }: WordCount, rarity: readonly number[], meanLength: number): number {
  let score = 0
  const normal = 1 - lengthWeight + (lengthWeight * length) / (meanLength || 1)
  for (const [word, times] of found)
    score += ((rarity[word] ?? 0) * times * (saturation + 1)) / (times + saturation * normal)
  return score
}

function sumOf(found: Iterable<number>, rarity: readonly number[]): number {
  let sum = 0
  for (const word of found) sum += rarity[word] ?? 0
  return sum
}

function blockCoverage(
  sentences: readonly Sentence[],
  counts: readonly WordCount[],
  coverageOf: (found: Iterable<number>) => number,
): Map<number, number> {
  const found = new Map<number, Set<number>>()
  for (const [at, { block }] of sentences.entries()) {
    const inBlock = found.get(block) ?? new Set()
    for (const word of counts[at]?.found.keys() ?? []) inBlock.add(word)
    found.set(block, inBlock)
  }
  return new Map([...found].map(([block, words]) => [block, coverageOf(words)]))
}

/** Sentences below the same headings share their path. */
function headingCoverage(
  sentences: readonly Sentence[],
  coverageOf: (text: string) => number,
): Map<Sentence['path'], number> {
  const coverage = new Map<Sentence['path'], number>()
  for (const { path } of sentences)
    if (!coverage.has(path)) coverage.set(path, path.length === 0 ? 0 : coverageOf(path.join(' ')))
  return coverage
}
