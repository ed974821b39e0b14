import { LRUCache } from 'lru-cache'
import { pathTemplate } from '../platform/url.ts'

/** What one team learns must not decide how pages of another team are fetched. */
interface PageOfTeam {
  teamId: string
  url: URL
}

interface Evidence {
  /** Rounds in which HTTP was tried in vain, without one in which it worked. */
  rounds: number
  /** Number of further pages that are opened in a browser at once, if they come before `until`. */
  left: number
  until: number
}

/** One page may be an exception: a browser is taken at once from the second on. */
const minRounds = 2
/** HTTP is tried again after `first` pages or milliseconds; after twice as many for each round in vain, up to `most`. */
const pages = { first: 2, most: 32 }
const time = { first: 30_000, most: 10 * 60_000 }
/** Templates that are remembered, over all hosts; those that were heard of last stay. */
const maxFrontierSize = 10_000

/**
 * Which pages need a browser, by the template of their path. HTTP costs a tenth of a browser, so it is left out only for pages of a kind
 * that has failed with it before, and tried again soon.
 */
export function createBrowserPredictor(now: () => number) {
  const known = new LRUCache<string, Evidence>({ max: maxFrontierSize })
  return {
    /** Whether plain HTTP is left out for this page. Counts as one time that it was. */
    leavesOutHttp(page: PageOfTeam): boolean {
      const evidence = known.get(keyOf(page))
      if (!evidence || evidence.left === 0 || now() >= evidence.until) return false
      evidence.left -= 1
      return true
    },
    /** HTTP brought a good page. */
    httpWorked(page: PageOfTeam): void {
      known.delete(keyOf(page))
    },
    /** HTTP was tried in vain, and a browser brought a good page. */
    httpFailed(page: PageOfTeam): void {
      const key = keyOf(page)
      const before = known.get(key)
      // Pages that were fetched side by side are one round.
      if (before && before.left > 0 && now() < before.until) return
      known.set(key, nextRound((before?.rounds ?? 0) + 1, now()))
    },
  }
}

export type BrowserPredictor = ReturnType<typeof createBrowserPredictor>

function keyOf({ teamId, url }: PageOfTeam): string {
  return JSON.stringify([teamId, pathTemplate(url)])
}

function nextRound(rounds: number, now: number): Evidence {
  if (rounds < minRounds) return { rounds, left: 0, until: now }
  const factor = 2 ** Math.min(rounds - minRounds, 10)
  return {
    rounds,
    left: Math.min(pages.first * factor, pages.most),
    until: now + Math.min(time.first * factor, time.most),
  }
}
