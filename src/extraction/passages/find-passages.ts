import type { Language } from '../text/languages.ts'
import { fold, splitWords } from '../text/words.ts'
import type { PageSentences, Sentence } from './markdown-blocks.ts'

export interface Candidate extends Omit<Sentence, 'path'> {
  index: number
  heading: string | undefined
  score: number
}

export interface PassageResults {
  query: string
  language: string | undefined
  isMatched: boolean
  isCut: boolean
  candidates: Candidate[]
}

/** For a language model. The sentence model receives fewer. */
export const maxCandidates = 150

export function findPassages(
  { sentences, isCut }: PageSentences,
  query: string,
  language: Language & { code: string | undefined },
): PassageResults {
  const { scores, isMatched } = scoreSentences(sentences, query, language)
  // Exclude headings, which introduce answers, unless the page has no other text.
  const hasText = sentences.some(({ kind }) => kind !== 'heading')
  for (const [index, { kind }] of sentences.entries())
    if (hasText && kind === 'heading') scores[index] = Number.NEGATIVE_INFINITY
  const bestIndexes = [...scores.keys()]
    .filter((index) => scores[index] !== Number.NEGATIVE_INFINITY)
    .sort((one, other) => (scores[other] ?? 0) - (scores[one] ?? 0) || one - other)
    .slice(0, maxCandidates)
  const candidates = bestIndexes
    .sort((one, other) => one - other)
    .flatMap((index) => {
      const found = sentences[index]
      if (!found) return []
      const { path, ...sentence } = found
      return [{ ...sentence, index, heading: path.at(-1), score: scores[index] ?? 0 }]
    })
  return { query, language: language.code, isMatched, isCut, candidates }
}

/** BM25: saturation of repeated words, and penalty of long sentences. */
const saturation = 1.2
const lengthWeight = 0.3
/** Weights of adjacent sentences, of the complete block and of the headings above. */
const neighbourWeight = 0.1
const blockWeight = 0.2
const headingWeight = 0.2

/** Scores are 0 to about 1.5. Takes one pass over the words of the page. */
function scoreSentences(sentences: readonly Sentence[], query: string, language: Language) {
  const queryStems = getSignificantStems(query, language)
  const counts = sentences.map(({ text }) => countWords(text, queryStems, language))
  const rarity = getRarity(queryStems.size, counts)
  const total = rarity.reduce((sum, value) => sum + value, 0) || 1
  const meanLength = counts.reduce((sum, { length }) => sum + length, 0) / (counts.length || 1)
  const wordScores = counts.map((count) => wordScore(count, rarity, meanLength) / total)
  const getCoverage = (found: Iterable<number>) =>
    [...found].reduce((sum, word) => sum + (rarity[word] ?? 0), 0) / total
  const blocks = blockCoverage(sentences, counts, getCoverage)
  const headings = headingCoverage(sentences, (text) =>
    getCoverage(countWords(text, queryStems, language).found.keys()),
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

/** Maps each stem to its index. Stop words are used only if there are no other words. */
function getSignificantStems(query: string, { stem, stopWords }: Language): Map<string, number> {
  const all = [...new Set(splitWords(query))].slice(0, maxQueryWords)
  const significant = all.filter((word) => !stopWords.has(word))
  const stems = [...new Set((significant.length > 0 ? significant : all).map((word) => fold(stem(word))))]
  return new Map(stems.map((word, index) => [word, index]))
}

const maxQueryWords = 200

interface WordCount {
  found: Map<number, number>
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

/** Inverse sentence frequency. A word in few sentences has a high weight; a word of the title may be in all of them. */
function getRarity(stemCount: number, counts: readonly WordCount[]): number[] {
  const sentenceCounts = new Array<number>(stemCount).fill(0)
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

/** Sentences below the same headings share a path object. */
function headingCoverage(
  sentences: readonly Sentence[],
  getCoverage: (text: string) => number,
): Map<Sentence['path'], number> {
  const coverage = new Map<Sentence['path'], number>()
  for (const { path } of sentences)
    if (!coverage.has(path)) coverage.set(path, path.length === 0 ? 0 : getCoverage(path.join(' ')))
  return coverage
}
