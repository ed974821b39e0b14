import { LRUCache } from 'lru-cache'
import { pathTemplate } from '../platform/url.ts'

/** The team is part of the key: failures of one team must not affect how pages of another are fetched. */
interface TeamPage {
  teamId: string
  url: URL
}

interface Evidence {
  rounds: number
  /** Number of further pages for which HTTP is skipped if they are fetched before `until`. */
  remaining: number
  until: number
}

const minRounds = 2
/** HTTP is tried again after `first` pages or milliseconds. Each further failure doubles the value, up to `max`. */
const skippedPages = { first: 2, max: 32 }
const skipMs = { first: 30_000, max: 10 * 60_000 }
const maxTemplates = 10_000

/** HTTP costs a tenth of a browser, so it is skipped only for some pages of templates with failures. */
export function createBrowserPredictor(now: () => number) {
  const evidenceByTemplate = new LRUCache<string, Evidence>({ max: maxTemplates })
  return {
    shouldSkipHttp(page: TeamPage): boolean {
      const evidence = evidenceByTemplate.get(getTemplateKey(page))
      if (!evidence || evidence.remaining === 0 || now() >= evidence.until) return false
      evidence.remaining -= 1
      return true
    },
    recordHttpSuccess(page: TeamPage): void {
      evidenceByTemplate.delete(getTemplateKey(page))
    },
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

const getTemplateKey = ({ teamId, url }: TeamPage) => JSON.stringify([teamId, pathTemplate(url)])

function nextRound(rounds: number, now: number): Evidence {
  if (rounds < minRounds) return { rounds, remaining: 0, until: now }
  const factor = 2 ** Math.min(rounds - minRounds, 10)
  return {
    rounds,
    remaining: Math.min(skippedPages.first * factor, skippedPages.max),
    until: now + Math.min(skipMs.first * factor, skipMs.max),
  }
}
