import { yieldOften } from '../../base/yield-often.ts'
import type { RobotsRules } from '../../content/site/robots.ts'

/** Comparisons with wildcard rules that the links of one page, or one part of a sitemap, may take. */
const maxComparisons = 1_000_000

export interface RobotsCheck {
  /** Resolves to false if the path must not be fetched. Rejects once the job is cancelled. */
  allows(path: string): Promise<boolean>
  /** True if links were left out because comparing them all would take too long. */
  isExhausted(): boolean
}

/**
 * Compares many links with the rules of their site. The event loop gets its turn in between. A file can be written so that
 * every rule has to be compared with every link: links beyond the bound count as forbidden, since the site may mean that.
 */
export function createRobotsCheck(
  rules: Pick<RobotsRules, 'check'> | undefined,
  signal: AbortSignal,
): RobotsCheck {
  const pauses = yieldOften()
  let comparisons = 0
  return {
    async allows(path) {
      if (pauses.isDue()) await pauses.take()
      signal.throwIfAborted()
      if (rules === undefined) return true
      if (comparisons >= maxComparisons) return false
      const verdict = rules.check(path)
      comparisons += verdict.comparisons
      return verdict.isAllowed
    },
    isExhausted: () => comparisons >= maxComparisons,
  }
}

export const robotsExhausted =
  'robots.txt has so many rules with wildcards that some links were not compared with all of them; these links were left out.'
