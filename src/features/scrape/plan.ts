import { hash } from 'node:crypto'
import { scrapePrice, taskPrice } from '../../accounts/prices.ts'
import type { ContentOptions } from '../../content/content.ts'
import type { SiteBlocks } from '../../content/main-content/site-blocks.ts'
import type { CapturePlan, ScreenshotOptions } from '../../content/page.ts'
import { type FormatPlan, maxSurcharge, planFormats } from '../../extraction/formats/index.ts'
import type { FetchPlan } from '../../fetch/fetch-plan.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'
import { pageUrl, readUrl } from '../../platform/url.ts'
import { browserHeaders } from './browser-headers.ts'
import { type ScrapeRequest, taskOf, throwIfFormatUnavailable } from './schema.ts'

/** Rules for the cache: which entries may be read, whether a miss is fetched, and whether the page is stored. */
export interface CachePolicy {
  key: string
  /** Accepted age range in milliseconds; undefined if the cache is not read. */
  read: { maxAge: number; minAge: number } | undefined
  fetchOnMiss: boolean
  missCode: ErrorCode
  /** Options of the screenshot that a cached page must include. */
  screenshot: ScreenshotOptions | undefined
  /** Requested option whose result is never cached. A cache-only request with this option always fails. */
  uncacheableOption: string | undefined
  write: boolean
}

/** All decisions about a scrape, made before any work starts. */
export interface ScrapePlan {
  /** Fields that the call or the installation provides are omitted. */
  fetch: Omit<FetchPlan, 'jobId' | 'maxBytes' | 'isBackground' | 'permit' | 'trace'>
  cache: CachePolicy
  formats: FormatPlan
  content: ContentOptions
  profile: ScrapeRequest['profile']
  /** True if the document may be stored as the result of the job. */
  retain: boolean
  warnings: string[]
}

const twoDaysMs = 2 * 24 * 3600_000
const twoYearsMs = 2 * 365 * 24 * 3600_000

/** Builds the plan of a request without side effects. Throws if the request can never succeed. */
export function planScrape(request: ScrapeRequest, teamId: string, site?: SiteBlocks): ScrapePlan {
  throwIfImpossible(request)
  const url = readUrl(request.url)
  const retain = canRetain(request)
  const languages = request.location?.languages ?? []
  const formats = planFormats(request, retain)
  const { captures, requestedParts } = formats
  const content = {
    onlyMainContent: request.onlyMainContent,
    onlyCleanContent: formats.isCleaned,
    mainContentMode: request.mainContentMode,
    includeTags: request.includeTags,
    excludeTags: request.excludeTags,
    removeBase64Images: request.removeBase64Images,
    blocksAds: request.blockAds,
    // Tracked pages ignore the site blocks: a comparison must not report a change because the crawl order differed.
    site: requestedParts.tracked ? undefined : site,
  }
  return {
    fetch: {
      teamId,
      url,
      headers: lowerCaseNames(request.headers),
      ownHeaders: browserHeaders(languages),
      verifyTls: !request.skipTlsVerification,
      browserReason: request.fastMode ? undefined : browserReason(request, captures),
      mayUseBrowser: !request.fastMode,
      proxy: request.proxy === 'stealth' ? 'enhanced' : request.proxy,
      isMobile: request.mobile,
      country: request.location?.country,
      languages,
      blocksAds: request.blockAds,
      waitFor: request.waitFor,
      actions: request.actions,
      task: taskOf(request),
      captures,
      profile: undefined,
      content,
      requestedParts,
    },
    cache: cachePolicy(request, { url, retain, formats }),
    formats,
    content,
    profile: request.profile,
    retain,
    warnings: [...optionsWithoutEffect(request), ...formats.warnings],
  }
}

/** Returns the first requested feature that needs a browser. */
function browserReason(request: ScrapeRequest, captures: CapturePlan): string | undefined {
  if (request.profile) return 'profile'
  if (request.actions.length > 0) return 'actions'
  if (taskOf(request) !== undefined) return 'task'
  const captured = Object.keys(captures)[0]
  if (captured !== undefined) return captured
  if (request.waitFor > 0) return 'waitFor'
  return request.mobile ? 'mobile' : undefined
}

/** Returns true if data of a call may be stored. Lockdown is treated like zero data retention. */
export function canRetain(request: Pick<ScrapeRequest, 'zeroDataRetention' | 'lockdown'>): boolean {
  return !request.zeroDataRetention && !request.lockdown
}

function cachePolicy(
  request: ScrapeRequest,
  { url, retain, formats }: { url: URL; retain: boolean; formats: FormatPlan },
): CachePolicy {
  // A page fetched with credentials of a caller belongs to that caller alone.
  const isSensitive =
    Object.keys(request.headers).length > 0 ||
    request.actions.length > 0 ||
    taskOf(request) !== undefined ||
    request.profile !== undefined ||
    url.username !== '' ||
    url.password !== ''
  const { screenshot } = formats.captures
  const isFresh = request.maxAge === 0 && request.minAge === undefined && !request.lockdown
  const isCacheOnly = request.lockdown || request.minAge !== undefined
  const maxAge = request.maxAge ?? (request.lockdown ? twoYearsMs : isCacheOnly ? Infinity : twoDaysMs)
  return {
    key: cacheKey(request, url, screenshot),
    read:
      isFresh || ((isSensitive || formats.needsOpenPage) && !isCacheOnly)
        ? undefined
        : { maxAge, minAge: request.minAge ?? 0 },
    fetchOnMiss: !isCacheOnly,
    missCode: request.lockdown ? 'SCRAPE_LOCKDOWN_CACHE_MISS' : 'SCRAPE_NO_CACHED_DATA',
    screenshot,
    uncacheableOption: request.actions.length > 0 ? 'actions' : formats.uncacheableFormat,
    write: retain && !isSensitive && request.storeInCache !== false,
  }
}

/** Returns the cache key: a hash of all options that change the fetch result. */
function cacheKey(request: ScrapeRequest, url: URL, screenshot: ScreenshotOptions | undefined): string {
  const { mobile, waitFor, blockAds, location, proxy, fastMode, skipTlsVerification } = request
  const isEnhanced = proxy === 'enhanced' || proxy === 'stealth'
  const device = [mobile, location ?? {}, screenshot?.viewport ?? null]
  const fetching = [waitFor, blockAds, isEnhanced, fastMode, skipTlsVerification]
  const parts = [pageUrl(url), ...device, ...fetching]
  return hash('sha256', JSON.stringify(parts))
}

/** Throws if options can never succeed on this installation, for any URL. */
export function throwIfImpossible(request: Pick<ScrapeRequest, 'actions' | 'fastMode' | 'formats'>): void {
  if (request.fastMode && request.actions.length > 0) {
    const message = 'Actions need a browser, which fastMode does not use. Remove one of the two.'
    throw new AppError('SCRAPE_ACTIONS_NOT_SUPPORTED', {}, { message })
  }
  throwIfFormatUnavailable(request)
}

/** Returns a warning for each requested option that has no effect. */
function optionsWithoutEffect(request: ScrapeRequest): string[] {
  const checks: [boolean, string, string][] = [
    [request.fastMode && request.waitFor > 0, 'waitFor', 'fastMode forbids a browser'],
    [request.fastMode && request.mobile, 'mobile', 'fastMode forbids a browser'],
    [
      request.storeInCache === true &&
        (Object.keys(request.headers).length > 0 ||
          request.actions.length > 0 ||
          request.profile !== undefined),
      'storeInCache',
      'pages fetched with custom headers, actions or a profile are never cached',
    ],
  ]
  const applicable = checks.filter(([applies]) => applies)
  return applicable.map(([, option, reason]) => `${option} has no effect: ${reason}.`)
}

function lowerCaseNames(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

type PricedOptions = Pick<ScrapeRequest, 'proxy' | 'lockdown' | 'formats' | 'zeroDataRetention' | 'redactPII'>

/** Returns the maximum price of a call, as far as it is known before the run. This amount is reserved. */
export function maxPrice(request: PricedOptions, hasEnhancedProxy: boolean): number {
  const isEnhanced = request.proxy === 'enhanced' || request.proxy === 'stealth'
  return scrapePrice({
    lockdown: request.lockdown ? 'hit' : 'off',
    isEnhanced: hasEnhancedProxy && (isEnhanced || request.proxy === 'auto'),
    surcharge: maxSurcharge(request.formats) + taskSurcharge(request),
    pages: 0,
    isRedacted: isRedacted(request),
    zeroRetention: request.zeroDataRetention,
  })
}

/** Returns the price of a finished call. */
export function priceOf(
  request: PricedOptions,
  facts: { cache: 'hit' | 'miss'; tier: 'basic' | 'enhanced'; surcharge: number; pages: number },
): number {
  return scrapePrice({
    lockdown: request.lockdown ? facts.cache : 'off',
    isEnhanced: facts.tier === 'enhanced',
    surcharge: facts.surcharge + taskSurcharge(request),
    pages: facts.pages,
    isRedacted: isRedacted(request),
    zeroRetention: request.zeroDataRetention,
  })
}

const taskSurcharge = (request: object) => (taskOf(request) === undefined ? 0 : taskPrice)
const isRedacted = ({ redactPII }: PricedOptions) => redactPII !== undefined && redactPII !== false
