import { LRUCache } from 'lru-cache'
import { pathTemplate } from '../platform/url.ts'

/**
 * Page of a team. Failures of one team must not affect how pages of another team are fetched, so the team is in the
 * key.
 */
interface TeamPage {
  teamId: string
  url: URL
}

interface Evidence {
  /** Consecutive rounds in which HTTP failed. */
  rounds: number
  /** Number of further pages for which HTTP is skipped if they are fetched before `until`. */
  remaining: number
  until: number
}

/** Number of failed rounds from which HTTP is skipped; the first failure may be an exception. */
const minRounds = 2
/** HTTP is tried again after `first` pages or milliseconds. Each further failure doubles the value, up to `max`. */
const skippedPages = { first: 2, max: 32 }
const skipMs = { first: 30_000, max: 10 * 60_000 }
/** Maximum number of templates over all hosts; the least recently used ones are evicted. */
const maxTemplates = 10_000

/**
 * Predicts which pages need a browser, by the template of their path. HTTP costs a tenth of a browser. It is therefore
 * skipped only for templates with failures, and only for a limited number of pages.
 */
export function createBrowserPredictor(now: () => number) {
  const evidenceByTemplate = new LRUCache<string, Evidence>({ max: maxTemplates })
  return {
    /** Returns true if plain HTTP is skipped for this page. Each true result counts as one skipped page. */
    shouldSkipHttp(page: TeamPage): boolean {
      const evidence = evidenceByTemplate.get(getTemplateKey(page))
      if (!evidence || evidence.remaining === 0 || now() >= evidence.until) return false
      evidence.remaining -= 1
      return true
    },
    /** Records that HTTP returned a good page. */
    recordHttpSuccess(page: TeamPage): void {
      evidenceByTemplate.delete(getTemplateKey(page))
    },
    /** Records that HTTP failed and a browser returned a good page. */
    recordHttpFailure(page: TeamPage): void {
      const key = getTemplateKey(page)
      const previous = evidenceByTemplate.get(key)
      // Pages that were fetched concurrently count as one round.
      if (previous && previous.remaining > 0 && now() < previous.until) return
      evidenceByTemplate.set(key, nextRound((previous?.rounds ?? 0) + 1, now()))
    },
  }
}

export type BrowserPredictor = ReturnType<typeof createBrowserPredictor>

function getTemplateKey({ teamId, url }: TeamPage): string {
  return JSON.stringify([teamId, pathTemplate(url)])
}

function nextRound(rounds: number, now: number): Evidence {
  if (rounds < minRounds) return { rounds, remaining: 0, until: now }
  const factor = 2 ** Math.min(rounds - minRounds, 10)
  return {
    rounds,
    remaining: Math.min(skippedPages.first * factor, skippedPages.max),
    until: now + Math.min(skipMs.first * factor, skipMs.max),
  }
}
