export interface Candidate {
  /** By the words of the query. */
  score: number
  /** By its meaning; undefined where nothing is known of that. */
  similarity: number | undefined
}

/** How much a similarity of 1 counts beside the best score by words. */
const meaningWeight = 1.25

/**
 * Puts candidates, which come best first, into the order of words and meaning together. One whose meaning is not known keeps
 * its place; the others share the remaining places among them.
 */
export function fuse<One extends Candidate>(candidates: readonly One[], weight = meaningWeight): One[] {
  const best = candidates.reduce((most, { score }) => Math.max(most, score), 0)
  const order = candidates
    .flatMap((candidate, place) => {
      const { score, similarity } = candidate
      if (similarity === undefined) return []
      const byWords = best > 0 ? score / best : 0
      return [{ candidate, place, value: byWords + weight * Math.max(similarity, 0) }]
    })
    .sort((one, other) => other.value - one.value || one.place - other.place)
  let next = 0
  return candidates.map((candidate) => {
    if (candidate.similarity === undefined) return candidate
    next += 1
    return order[next - 1]?.candidate ?? candidate
  })
}
