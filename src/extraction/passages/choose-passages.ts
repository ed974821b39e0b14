import { splitWords } from '../text/words.ts'
import type { Candidate } from './find-passages.ts'

export interface Passage {
  text: string
  sentences: Candidate[]
}

export interface PassageLimits {
  minShare: number
  /** No sentence is added after this number of words, and none that would exceed `maxWords`. */
  enoughWords: number
  maxWords: number
  maxSentences: number
}

export function choosePassages(candidates: readonly Candidate[], limits: PassageLimits): Passage[] {
  const ranked = byScore(candidates)
  const best = ranked[0]?.score ?? 0
  const chosen: Candidate[] = []
  let words = 0
  for (const candidate of ranked) {
    const isEnough = words >= limits.enoughWords || chosen.length >= limits.maxSentences
    if (isEnough || candidate.score < best * limits.minShare) break
    const length = wordCount(candidate.text)
    if (chosen.length > 0 && words + length > limits.maxWords) continue
    if (chosen.some(({ text }) => text === candidate.text)) continue
    chosen.push(candidate)
    words += length
  }
  return joinPassages(chosen)
}

/** In scripts without spaces, `splitWords` returns about two pairs of characters per word. */
export function wordCount(text: string): number {
  const words = splitWords(text).length
  return unspaced.test(text) ? Math.ceil(words / 2) : words
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

export function joinPassages(chosen: readonly Candidate[]): Passage[] {
  const runs: Candidate[][] = []
  for (const candidate of chosen.toSorted((one, other) => one.index - other.index)) {
    const last = runs.at(-1)?.at(-1)
    const isNext = last?.index === candidate.index - 1 && last.block === candidate.block
    if (isNext) runs.at(-1)?.push(candidate)
    else runs.push([candidate])
  }
  const getBestRank = (run: Candidate[]) => Math.min(...run.map((candidate) => chosen.indexOf(candidate)))
  return runs
    .sort((one, other) => getBestRank(one) - getBestRank(other))
    .map((run) => ({ text: toText(run), sentences: run }))
}

/** A shorter passage is preceded by its heading. */
const minWordsWithoutHeading = 4

function toText(run: readonly Candidate[]): string {
  const text = run.map((candidate) => candidate.text).join(' ')
  const heading = run[0]?.heading
  return heading !== undefined && wordCount(text) < minWordsWithoutHeading ? `${heading}\n${text}` : text
}

/** Fewer than 1 % of the other candidates contain the answer. */
const maxRescored = 40
const neighbourWeight = 0.1
/** Similarity of a question and an unrelated sentence. */
const unrelatedSimilarity = 0.2

export function candidatesToRescore(candidates: readonly Candidate[]): Candidate[] {
  return byScore(candidates).slice(0, maxRescored)
}

export function rescored(candidates: readonly Candidate[], similarities: readonly number[]): Candidate[] {
  const similarityByIndex = new Map(
    candidates.map(({ index }, at) => [index, { at, value: similarities[at] ?? 0 }]),
  )
  return candidates.map((candidate, at) => {
    const neighbours = [candidate.index - 1, candidate.index + 1].map((index) => {
      const neighbour = similarityByIndex.get(index)
      if (neighbour && candidates[neighbour.at]?.block === candidate.block) return neighbour.value
      return unrelatedSimilarity
    })
    const neighbourSum = neighbours.reduce((sum, value) => sum + value, 0)
    return { ...candidate, score: candidate.score + (similarities[at] ?? 0) + neighbourWeight * neighbourSum }
  })
}

export function byScore(candidates: readonly Candidate[]): Candidate[] {
  return candidates.toSorted((one, other) => other.score - one.score || one.index - other.index)
}
