import { LRUCache } from 'lru-cache'
import { dayMs } from '../../accounts/team-models.ts'
import {
  allowAll,
  disallowAll,
  type Robots,
  type RobotsRules,
  readRobots,
} from '../../content/site/robots.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'
import { createTimeSlice } from '../../platform/time-slice.ts'
import type { SiteFiles } from './site-files.ts'

export const ownAgent = 'WinnowBot'

export interface SiteRobots {
  robots: Robots
  problem?: string
  unreachableError?: AppError
}

/** By the standard, a missing file allows everything, and a file that the server fails to send allows nothing. */
export async function readSiteRobots(
  files: SiteFiles,
  teamId: string,
  site: { origin: string; ignoreCache?: boolean | undefined; signal: AbortSignal },
): Promise<SiteRobots> {
  const url = new URL('/robots.txt', site.origin)
  try {
    const maxAge = site.ignoreCache ? 0 : dayMs
    const file = await files.read(teamId, url, { maxAge, signal: site.signal })
    if (file.status >= 500 || file.status === 429) {
      return { robots: disallowAll, problem: `${url.href} answers ${file.status}` }
    }
    if (file.status !== 200) return { robots: allowAll }
    return { robots: await readRobots(new TextDecoder().decode(file.bytes.subarray(0, maxBytes))) }
  } catch (thrown) {
    // An aborted caller needs no result, but a timeout means that the file cannot be read.
    const { aborted, reason: abortReason } = site.signal
    const isTimeout = abortReason instanceof DOMException && abortReason.name === 'TimeoutError'
    if (aborted && !isTimeout) throw thrown
    const message = 'The site did not answer in time.'
    const error =
      thrown instanceof AppError
        ? thrown
        : new AppError('SCRAPE_SITE_ERROR', { phase: 'connect' }, { message, cause: thrown })
    // An unknown or forbidden host fails with its own error when one of its pages is requested.
    if (hostErrorCodes.has(error.code)) return { robots: allowAll }
    const isUnreachable = error !== thrown || unreachableCauses.has(String(error.detail.cause))
    if (isUnreachable) return { robots: disallowAll, unreachableError: error }
    return { robots: disallowAll, problem: `${url.href} cannot be read: ${error.message}` }
  }
}

const maxBytes = 2 * 1024 * 1024

const hostErrorCodes = new Set<ErrorCode>([
  'SCRAPE_DNS_RESOLUTION_ERROR',
  'TARGET_FORBIDDEN',
  'SCRAPE_SSL_ERROR',
])

const unreachableCauses = new Set(['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH'])

export function createRobotsCache(files: SiteFiles, now: () => number) {
  const cache = new LRUCache<string, Promise<SiteRobots>>({
    ...{ max: maxCached, maxSize: maxCachedRules, ttl: cacheTtlMs, ttlResolution: 0 },
    perf: { now },
  })
  return (teamId: string, origin: string): Promise<SiteRobots> => {
    const key = `${teamId} ${origin}`
    const cached = cache.get(key)
    if (cached) return cached
    // One request serves many pages, so none of them may abort it.
    const pending = readSiteRobots(files, teamId, { origin, signal: AbortSignal.timeout(requestTimeoutMs) })
    const start = now()
    cache.set(key, pending, { size: 1, start })
    pending.then(
      ({ robots, problem, unreachableError }) => {
        if (cache.peek(key) !== pending) return
        // The cache updates the size of a value only if the entry is deleted first.
        cache.delete(key)
        if ((problem ?? unreachableError) === undefined)
          cache.set(key, pending, { size: robots.size + 1, start })
      },
      () => cache.delete(key),
    )
    return pending
  }
}

const requestTimeoutMs = 30_000
const maxCached = 2000
/** Maximum number of cached rules. A rule takes about 200 bytes, and a site may have 46,000 rules. */
const maxCachedRules = 500_000
const cacheTtlMs = 10 * 60_000

export type RobotsCache = ReturnType<typeof createRobotsCache>

/** Maximum number of comparisons with wildcard rules for the links of one page, or one part of a sitemap. */
const maxComparisons = 1_000_000

/** Yields to the event loop. Links beyond the bound count as disallowed, because the site may intend that. */
export function createRobotsCheck(rules: Pick<RobotsRules, 'check'> | undefined, signal: AbortSignal) {
  const timeSlice = createTimeSlice()
  let comparisons = 0
  return {
    async allows(path: string): Promise<boolean> {
      if (timeSlice.isDue()) await timeSlice.take()
      signal.throwIfAborted()
      if (rules === undefined) return true
      if (comparisons >= maxComparisons) return false
      const comparison = rules.check(path)
      comparisons += comparison.comparisons
      return comparison.isAllowed
    },
    isExhausted: () => comparisons >= maxComparisons,
  }
}

export const robotsExhausted =
  'robots.txt has so many rules with wildcards that some links were not compared with all of them; these links were left out.'
