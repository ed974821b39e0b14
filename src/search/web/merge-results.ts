import { pageKey } from '../index/page-key.ts'

/** Lists of results from the best to the worst → one list without repetitions: high in several is higher (RRF). */
export function mergeResults<Result extends { url: string }>(
  lists: readonly (readonly Result[])[],
  most: number,
  keyOf: (result: Result) => string = ({ url }) => pageKey(url),
): Result[] {
  const merged = new Map<string, { result: Result; score: number }>()
  for (const list of lists)
    for (const [place, result] of list.entries()) {
      const key = keyOf(result)
      const known = merged.get(key)
      const score = 1 / (60 + place)
      if (known) known.score += score
      else merged.set(key, { result, score })
    }
  // Sorting keeps the order of equals, so that the first list comes first.
  const sorted = [...merged.values()].sort((one, other) => other.score - one.score)
  return sorted.slice(0, most).map(({ result }) => result)
}
