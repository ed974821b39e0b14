import { splitWords } from '../text/words.ts'
import type { Candidate } from './find-passages.ts'

/** Neighbouring sentences that were chosen, as they stand on the page. */
export interface Passage {
  text: string
  sentences: Candidate[]
}

export interface Choosing {
  /** Sentences below this share of the best score are left out. */
  minShare: number
  /** No further sentence is added after `enoughWords`, and none that leads beyond `maxWords`. */
  enoughWords: number
  maxWords: number
  maxSentences: number
}

/** The best sentences within the bounds, joined where they are neighbours; the best passage first. */
export function choosePassages(candidates: readonly Candidate[], choosing: Choosing): Passage[] {
  const ranked = byScore(candidates)
  const best = ranked[0]?.score ?? 0
  const chosen: Candidate[] = []
  let words = 0
  for (const candidate of ranked) {
    const isEnough = words >= choosing.enoughWords || chosen.length >= choosing.maxSentences
    if (isEnough || candidate.score < best * choosing.minShare) break
    const length = wordCount(candidate.text)
    if (chosen.length > 0 && words + length > choosing.maxWords) continue
    if (chosen.some(({ text }) => text === candidate.text)) continue
    chosen.push(candidate)
    words += length
  }
  return joinPassages(chosen)
}

/** Pages in scripts without spaces give a pair of letters for each letter, and about two letters are a word. */
export function wordCount(text: string): number {
  const words = splitWords(text).length
  return unspaced.test(text) ? Math.ceil(words / 2) : words
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/** Sentences in the order of their rank → passages in the order of their best sentence. */
export function joinPassages(chosen: readonly Candidate[]): Passage[] {
  const runs: Candidate[][] = []
  for (const candidate of [...chosen].sort((one, other) => one.place - other.place)) {
    const last = runs.at(-1)?.at(-1)
    const isNext = last?.place === candidate.place - 1 && last.block === candidate.block
    if (isNext) runs.at(-1)?.push(candidate)
    else runs.push([candidate])
  }
  const rankOf = (run: Candidate[]) => Math.min(...run.map((candidate) => chosen.indexOf(candidate)))
  return runs
    .sort((one, other) => rankOf(one) - rankOf(other))
    .map((run) => ({ text: textOf(run), sentences: run }))
}

/** Fewer words than this mean little without their heading. */
const fewWords = 4

function textOf(run: readonly Candidate[]): string {
  const text = run.map((candidate) => candidate.text).join(' ')
  const [{ heading } = { heading: undefined }] = run
  return heading !== undefined && wordCount(text) < fewWords ? `${heading}\n${text}` : text
}

/** This many candidates are worth the time of the sentence model: of the rest, fewer than one in a hundred answers. */
const maxRescored = 40
const neighbourWeight = 0.1
/** The similarity of a question and a sentence that have nothing to do with each other. */
const unrelated = 0.2

/** The candidates that a sentence model is asked about, the best first. */
export function candidatesToRescore(candidates: readonly Candidate[]): Candidate[] {
  return byScore(candidates).slice(0, maxRescored)
}

/** The candidates with scores by their words and their meaning together. */
export function rescored(candidates: readonly Candidate[], similarities: readonly number[]): Candidate[] {
  const known = new Map(candidates.map(({ place }, at) => [place, { at, value: similarities[at] ?? 0 }]))
  return candidates.map((candidate, at) => {
    const beside = [candidate.place - 1, candidate.place + 1].map((place) => {
      const neighbour = known.get(place)
      if (neighbour && candidates[neighbour.at]?.block === candidate.block) return neighbour.value
      return unrelated
    })
    const around = beside.reduce((sum, value) => sum + value, 0)
    return { ...candidate, score: candidate.score + (similarities[at] ?? 0) + neighbourWeight * around }
  })
}

/** The best first; equal ones in page order. */
export function byScore(candidates: readonly Candidate[]): Candidate[] {
  return [...candidates].sort((one, other) => other.score - one.score || one.place - other.place)
}
