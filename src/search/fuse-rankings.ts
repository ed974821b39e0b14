/**
 * Merges rankings of the same items by reciprocal rank fusion: each ranking adds 1 / (k + rank) to an item, and an item that a
 * ranking lacks gets nothing from it. Ranks need no common scale, so scores of words and of vectors need no tuned weight.
 * Equal sums keep the order in which the items first appear.
 */
export function fuseRankings<T>(rankings: readonly (readonly T[])[], k = 20): T[] {
  const sums = new Map<T, number>()
  for (const ranking of rankings)
    for (const [at, item] of [...new Set(ranking)].entries())
      sums.set(item, (sums.get(item) ?? 0) + 1 / (k + at + 1))
  return [...sums].sort(([, one], [, other]) => other - one).map(([item]) => item)
}
