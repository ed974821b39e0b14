import type { Candidate } from './find-passages.ts'

/** This many candidates are worth the time of the sentence model: of the rest, fewer than one in a hundred answers. */
const mostRescored = 40
const neighbourWeight = 0.1
/** The similarity of a question and a sentence that have nothing to do with each other. */
const unrelated = 0.2

/** The candidates that a sentence model is asked about, the best first. */
export function toRescore(candidates: readonly Candidate[]): Candidate[] {
  return byScore(candidates).slice(0, mostRescored)
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
