import { createHash } from 'node:crypto'
import { AppError, type ErrorCode } from '../../base/errors.ts'
import { pageUrl, readUrl } from '../../base/url.ts'
import type { ContentOptions } from '../../content/content.ts'
import type { FetchPlan } from '../../engine/fetch-plan.ts'
import { browserHeaders } from './browser-headers.ts'
import type { ScrapeRequest } from './schema.ts'

/** What may be read from the cache, what happens on a miss, and whether the page is kept. */
export interface CachePolicy {
  key: string
  /** Undefined: the cache is not consulted. */
  read: { maxAge: number; minAge: number } | undefined
  fetchOnMiss: boolean
  missCode: ErrorCode
  write: boolean
}

/** Every decision about a scrape, made before anything is done. */
export interface ScrapePlan {
  fetch: FetchPlan
  cache: CachePolicy
  content: ContentOptions
  /** Whether the document may be kept as the job's result. */
  retain: boolean
  warnings: string[]
}

const twoDays = 2 * 24 * 3600_000
const twoYears = 2 * 365 * 24 * 3600_000
const largestPage = 64 * 1024 * 1024

/** Request → plan; pure. A request that can never succeed is refused here. */
export function planScrape(request: ScrapeRequest): ScrapePlan {
  refuseImpossible(request)
  const url = readUrl(request.url)
  const retain = mayRetain(request)
  return {
    fetch: {
      url,
      headers: lowerCaseNames(request.headers),
      ownHeaders: browserHeaders(request.location?.languages),
      verifyTls: !request.skipTlsVerification,
      maxBytes: largestPage,
    },
    cache: cachePolicy(request, url, retain),
    content: {
      onlyMainContent: request.onlyMainContent,
      includeTags: request.includeTags,
      excludeTags: request.excludeTags,
      removeBase64Images: request.removeBase64Images,
    },
    retain,
    warnings: optionsWithoutEffect(request),
  }
}

/** Whether anything may be kept of a call: lockdown is treated as zero retention. */
export function mayRetain(request: Pick<ScrapeRequest, 'zeroDataRetention' | 'lockdown'>): boolean {
  return !request.zeroDataRetention && !request.lockdown
}

export function cachePolicy(request: ScrapeRequest, url: URL, retain: boolean): CachePolicy {
  // What was fetched with somebody's credentials is theirs alone.
  const isSensitive = Object.keys(request.headers).length > 0 || url.username !== '' || url.password !== ''
  const isFresh = request.maxAge === 0 && request.minAge === undefined && !request.lockdown
  const isCacheOnly = request.lockdown || request.minAge !== undefined
  const maxAge = request.maxAge ?? (request.lockdown ? twoYears : isCacheOnly ? Infinity : twoDays)
  return {
    key: cacheKey(request, url),
    read: isFresh || (isSensitive && !isCacheOnly) ? undefined : { maxAge, minAge: request.minAge ?? 0 },
    fetchOnMiss: !isCacheOnly,
    missCode: request.lockdown ? 'SCRAPE_LOCKDOWN_CACHE_MISS' : 'SCRAPE_NO_CACHED_DATA',
    write: retain && !isSensitive && request.storeInCache !== false,
  }
}

/** Everything that changes what a fetch brings back. */
function cacheKey(request: ScrapeRequest, url: URL): string {
  const parts = [pageUrl(url), request.location?.languages ?? []]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Options that can never succeed on this installation, whatever the URL. */
export function refuseImpossible(request: Pick<ScrapeRequest, 'actions' | 'profile' | 'redactPII'>): void {
  if (request.actions.length > 0) throw new AppError('SCRAPE_ACTIONS_NOT_SUPPORTED')
  const unavailable = request.profile ? 'profile' : request.redactPII ? 'redactPII' : undefined
  if (unavailable) {
    const message = `${unavailable} is not available on this installation. Leave it out.`
    throw new AppError('OPTION_NOT_AVAILABLE', { option: unavailable }, { message })
  }
}

/** Options that were asked for and change nothing here. Each is named, so that nobody waits for their effect. */
function optionsWithoutEffect(request: ScrapeRequest): string[] {
  const noBrowser = 'pages are fetched without a browser here'
  const asked: [boolean, string, string][] = [
    [request.waitFor > 0, 'waitFor', noBrowser],
    [request.mobile, 'mobile', noBrowser],
    [request.location?.country !== undefined, 'location.country', 'no proxy is configured'],
    [request.proxy === 'enhanced' || request.proxy === 'stealth', 'proxy', 'no enhanced proxy is configured'],
    [request.onlyCleanContent, 'onlyCleanContent', 'no language model is configured'],
    [(request.parsers?.length ?? 0) > 0, 'parsers', 'files are not converted here'],
    [
      request.storeInCache === true && Object.keys(request.headers).length > 0,
      'storeInCache',
      'pages fetched with headers of your own are never kept',
    ],
  ]
  return asked.filter(([isAsked]) => isAsked).map(([, option, why]) => `${option} has no effect: ${why}.`)
}

function lowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
