import type { Language } from '../text/languages.ts'
import { fold, splitWords } from '../text/words.ts'
import type { PageSentences, Sentence } from './markdown-blocks.ts'

/** Request to find passages on a page. */
export interface PassageQuery {
  query: string
}

/** Sentence that may answer a query. */
export interface Candidate extends Omit<Sentence, 'path'> {
  /** Index among all sentences of the page. */
  index: number
  /** Nearest heading above the sentence. */
  heading: string | undefined
  /** Score by the words of the query. */
  score: number
}

/** Sentences of a page that match a query best by its words, in page order. */
export interface PassageResults {
  query: string
  /** Language code of the page, if known. */
  language: string | undefined
  /** True if a significant word of the query is on the page. */
  isMatched: boolean
  /** True if the page has more text than was read. */
  isCut: boolean
  candidates: Candidate[]
}

/** Maximum candidates for a language model; the sentence model gets fewer of them. */
export const maxCandidates = 150

export function findPassages(
  { sentences, isCut }: PageSentences,
  query: string,
  language: Language & { code: string | undefined },
): PassageResults {
  const { scores, isMatched } = rankSentences(sentences, query, language)
  // A heading only introduces an answer. It is an answer itself only on a page without other text.
  const hasText = sentences.some(({ kind }) => kind !== 'heading')
  for (const [place, { kind }] of sentences.entries())
    if (hasText && kind === 'heading') scores[place] = Number.NEGATIVE_INFINITY
  const bestIndexes = findBestIndexes(scores, maxCandidates).filter(
    (place) => scores[place] !== Number.NEGATIVE_INFINITY,
  )
  const candidates = bestIndexes
    .sort((one, other) => one - other)
    .flatMap((place) => {
      const sentence = sentences[place]
      return sentence ? [toCandidate(sentence, place, scores[place] ?? 0)] : []
    })
  return { query, language: language.code, isMatched, isCut, candidates }
}

function toCandidate({ path, ...sentence }: Sentence, place: number, score: number): Candidate {
  return { ...sentence, index: place, heading: path.at(-1), score }
}

interface Ranking {
  /** Score of each sentence by the words of the query, from 0 to about 1.5. */
  scores: Float64Array
  /** True if a significant word of the query is on the page. */
  isMatched: boolean
}

/** Parameters of BM25: saturation of repeated words, and penalty of long sentences. */
const saturation = 1.2
const lengthWeight = 0.3
/** Weights of adjacent sentences, of the whole block and of the headings above, which only support a sentence. */
const neighbourWeight = 0.1
const blockWeight = 0.2
const headingWeight = 0.2

/** Ranks the sentences of a page by the words of a query, in one pass over the words of the page. */
function rankSentences(sentences: readonly Sentence[], query: string, language: Language): Ranking {
  const words = getSignificantStems(query, language)
  const counts = sentences.map(({ text }) => countWords(text, words, language))
  const rarity = getRarity(words.size, counts)
  const total = rarity.reduce((sum, value) => sum + value, 0) || 1
  const meanLength = counts.reduce((sum, { length }) => sum + length, 0) / (counts.length || 1)
  const wordScores = counts.map((count) => wordScore(count, rarity, meanLength) / total)
  const getCoverage = (found: Iterable<number>) => sumRarity(found, rarity) / total
  const blocks = blockCoverage(sentences, counts, getCoverage)
  const headings = headingCoverage(sentences, (text) =>
    getCoverage(countWords(text, words, language).found.keys()),
  )
  const scores = Float64Array.from(sentences, (sentence, at) => {
    const neighbours = [at - 1, at + 1].filter((other) => sentences[other]?.block === sentence.block)
    return (
      (wordScores[at] ?? 0) +
      neighbourWeight * neighbours.reduce((sum, other) => sum + (wordScores[other] ?? 0), 0) +
      blockWeight * (blocks.get(sentence.block) ?? 0) +
      headingWeight * (headings.get(sentence.path) ?? 0)
    )
  })
  return { scores, isMatched: counts.some(({ found }) => found.size > 0) }
}

/** Returns the indexes of the best sentences, highest score first; equal scores in page order. */
function findBestIndexes(scores: Float64Array, limit: number): number[] {
  const indexes = Array.from(scores.keys())
  return indexes
    .sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other)
    .slice(0, limit)
}

/** Maps each stem of the query to its index. Stop words are used only if there are no other words. */
function getSignificantStems(query: string, { stem, stopWords }: Language): Map<string, number> {
  const all = [...new Set(splitWords(query))].slice(0, maxQueryWords)
  const significant = all.filter((word) => !stopWords.has(word))
  const stems = [...new Set((significant.length > 0 ? significant : all).map((word) => fold(stem(word))))]
  return new Map(stems.map((word, index) => [word, index]))
}

/** Maximum words of a query, which is a question and not a text. */
const maxQueryWords = 200

interface WordCount {
  /** Number of occurrences of each query word, by its index. */
  found: Map<number, number>
  /** Number of all words of the text. */
  length: number
}

function countWords(text: string, words: ReadonlyMap<string, number>, { stem }: Language): WordCount {
  const all = splitWords(text)
  const found = new Map<number, number>()
  for (const word of all) {
    const wordIndex = words.get(fold(stem(word)))
    if (wordIndex !== undefined) found.set(wordIndex, (found.get(wordIndex) ?? 0) + 1)
  }
  return { found, length: all.length }
}

/**
 * Returns the inverse sentence frequency of each word. Words in few sentences distinguish them; words of the title are often in
 * all sentences.
 */
function getRarity(words: number, counts: readonly WordCount[]): number[] {
  const sentenceCounts = new Array<number>(words).fill(0)
  for (const { found } of counts)
    for (const word of found.keys()) sentenceCounts[word] = (sentenceCounts[word] ?? 0) + 1
  return sentenceCounts.map((sentenceCount) =>
    Math.log(1 + (counts.length - sentenceCount + 0.5) / (sentenceCount + 0.5)),
  )
}

function wordScore({ found, length }: WordCount, rarity: readonly number[], meanLength: number): number {
  let score = 0
  const lengthNorm = 1 - lengthWeight + (lengthWeight * length) / (meanLength || 1)
  for (const [word, times] of found)
    score += ((rarity[word] ?? 0) * times * (saturation + 1)) / (times + saturation * lengthNorm)
  return score
}

function sumRarity(found: Iterable<number>, rarity: readonly number[]): number {
  let sum = 0
  for (const word of found) sum += rarity[word] ?? 0
  return sum
}

function blockCoverage(
  sentences: readonly Sentence[],
  counts: readonly WordCount[],
  getCoverage: (found: Iterable<number>) => number,
): Map<number, number> {
  const wordsByBlock = new Map<number, Set<number>>()
  for (const [at, { block }] of sentences.entries()) {
    const inBlock = wordsByBlock.get(block) ?? new Set()
    for (const word of counts[at]?.found.keys() ?? []) inBlock.add(word)
    wordsByBlock.set(block, inBlock)
  }
  return new Map([...wordsByBlock].map(([block, words]) => [block, getCoverage(words)]))
}

/** Returns how well each heading path covers the query. Sentences below the same headings share their path. */
function headingCoverage(
  sentences: readonly Sentence[],
  getCoverage: (text: string) => number,
): Map<Sentence['path'], number> {
  const coverage = new Map<Sentence['path'], number>()
  for (const { path } of sentences)
    if (!coverage.has(path)) coverage.set(path, path.length === 0 ? 0 : getCoverage(path.join(' ')))
  return coverage
}
