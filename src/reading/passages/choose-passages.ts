import { splitWords } from '../text/words.ts'
import type { Candidate } from './find-passages.ts'
import { byScore } from './rescore.ts'

/** Neighbouring sentences that were chosen, as they stand on the page. */
export interface Passage {
  text: string
  sentences: Candidate[]
}

export interface Choosing {
  /** Sentences below this share of the best score are left out. */
  leastShare: number
  /** No further sentence is added after `enoughWords`, and none that leads beyond `mostWords`. */
  enoughWords: number
  mostWords: number
  mostSentences: number
}

/** The best sentences within the bounds, joined where they are neighbours; the best passage first. */
export function choosePassages(candidates: readonly Candidate[], choosing: Choosing): Passage[] {
  const ranked = byScore(candidates)
  const best = ranked[0]?.score ?? 0
  const chosen: Candidate[] = []
  let words = 0
  for (const candidate of ranked) {
    const isEnough = words >= choosing.enoughWords || chosen.length >= choosing.mostSentences
    if (isEnough || candidate.score < best * choosing.leastShare) break
    const length = wordCount(candidate.text)
    if (chosen.length > 0 && words + length > choosing.mostWords) continue
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
