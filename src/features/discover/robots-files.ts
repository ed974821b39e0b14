import { LRUCache } from 'lru-cache'
import {
  allowEverything,
  allowNothing,
  type Robots,
  type RobotsRules,
  readRobots,
} from '../../content/site/robots.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'
import { createTimeSlice } from '../../platform/time-slice.ts'
import type { SiteFiles } from './site-files.ts'

/** The name by which robots.txt files can speak to this service. */
export const ownAgent = 'WinnowBot'

const day = 24 * 3600_000

export interface SiteRobots {
  robots: Robots
  /** Why nothing may be fetched although the site does not say so. */
  trouble?: string
  /** Nothing of the site can be had, and its robots.txt is not to blame. */
  dead?: AppError
}

/**
 * The robots.txt of a site, by the standard: none means that everything is allowed, and one that cannot be had, because
 * the server fails, means that nothing is.
 */
export async function readSiteRobots(
  files: SiteFiles,
  teamId: string,
  site: { origin: string; ignoreCache?: boolean; signal: AbortSignal },
): Promise<SiteRobots> {
  const url = new URL('/robots.txt', site.origin)
  try {
    const maxAge = site.ignoreCache ? 0 : day
    const file = await files.read(teamId, url, { maxAge, signal: site.signal })
    if (file.status >= 500 || file.status === 429) {
      return { robots: allowNothing, trouble: `${url.href} answers ${file.status}` }
    }
    if (file.status !== 200) return { robots: allowEverything }
    return { robots: await readRobots(new TextDecoder().decode(file.bytes.subarray(0, maxBytes))) }
  } catch (thrown) {
    // A caller that has gone needs no answer; a site that is slow is one that cannot be read.
    if (site.signal.aborted && !isTimeout(site.signal.reason)) throw thrown
    // A host that is unknown or forbidden fails with its own error when a page of it is asked for.
    if (thrown instanceof AppError && isAboutHost.has(thrown.code)) return { robots: allowEverything }
    const dead = deathOf(thrown)
    if (dead) return { robots: allowNothing, dead }
    const reason = thrown instanceof AppError ? thrown.message : String(thrown)
    return { robots: allowNothing, trouble: `${url.href} cannot be read: ${reason}` }
  }
}

/** Of a file that is read at all, more than the reader looks at. */
const maxBytes = 2 * 1024 * 1024

const isAboutHost: ReadonlySet<ErrorCode> = new Set([
  'SCRAPE_DNS_RESOLUTION_ERROR',
  'TARGET_FORBIDDEN',
  'SCRAPE_SSL_ERROR',
])

/** The error of a site that does not answer at all. */
function deathOf(thrown: unknown): AppError | undefined {
  if (!(thrown instanceof AppError)) {
    const message = 'The site did not answer in time.'
    return new AppError('SCRAPE_SITE_ERROR', { phase: 'connect' }, { message, cause: thrown })
  }
  return unreached.has(String(thrown.detail.cause)) ? thrown : undefined
}

const unreached: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ETIMEDOUT', 'EHOSTUNREACH'])

/** What robots.txt files say, remembered for a while: a crawl asks for every page. */
export function robotsMemory(files: SiteFiles, now: () => number) {
  const known = new LRUCache<string, Promise<SiteRobots>>({
    ...{ max: maxCached, maxSize: maxRememberedRules, ttl: rememberedFor, ttlResolution: 0 },
    perf: { now },
  })
  return (teamId: string, origin: string): Promise<SiteRobots> => {
    const name = `${teamId} ${origin}`
    const found = known.get(name)
    if (found) return found
    // One answer serves many pages, so none of them may break it off.
    const answer = readSiteRobots(files, teamId, { origin, signal: AbortSignal.timeout(longestWait) })
    const start = now()
    known.set(name, answer, { size: 1, start })
    // One that failed is asked for anew.
    answer.then(
      ({ robots, trouble, dead }) => {
        if (known.peek(name) !== answer) return
        // The size of a known value changes only if it is set anew.
        known.delete(name)
        if ((trouble ?? dead) === undefined) known.set(name, answer, { size: robots.size + 1, start })
      },
      () => known.delete(name),
    )
    return answer
  }
}

const longestWait = 30_000
const maxCached = 2000
/** A rule takes about 200 bytes, and a site may have 46,000 of them. */
const maxRememberedRules = 500_000
const rememberedFor = 10 * 60_000

export type RobotsMemory = ReturnType<typeof robotsMemory>

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

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
  const pauses = createTimeSlice()
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
