/**
 * Reciprocal rank fusion: each ranking adds 1 / (k + rank) to an item. Ranks need no common scale, so the scores of
 * words and of vectors need no tuned weight. Items with equal sums keep the order of their first appearance.
 */
export function fuseRankings<T>(rankings: readonly (readonly T[])[], k = 20): T[] {
  const sums = new Map<T, number>()
  for (const ranking of rankings)
    for (const [index, item] of [...new Set(ranking)].entries())
      sums.set(item, (sums.get(item) ?? 0) + 1 / (k + index + 1))
  return [...sums].sort(([, one], [, other]) => other - one).map(([item]) => item)
}
