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

export interface CachePolicy {
  key: string
  read: { maxAge: number; minAge: number } | undefined
  fetchOnMiss: boolean
  missCode: ErrorCode
  screenshot: ScreenshotOptions | undefined
  uncacheableOption: string | undefined
  write: boolean
}

export interface ScrapePlan {
  fetch: Omit<FetchPlan, 'jobId' | 'maxBytes' | 'isBackground' | 'permit' | 'trace'>
  cache: CachePolicy
  formats: FormatPlan
  content: ContentOptions
  profile: ScrapeRequest['profile']
  retain: boolean
  warnings: string[]
}

const twoDaysMs = 2 * 24 * 3600_000
const twoYearsMs = 2 * 365 * 24 * 3600_000

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
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
      ),
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

function browserReason(request: ScrapeRequest, captures: CapturePlan): string | undefined {
  if (request.profile) return 'profile'
  if (request.actions.length > 0) return 'actions'
  if (taskOf(request) !== undefined) return 'task'
  const captured = Object.keys(captures)[0]
  if (captured !== undefined) return captured
  if (request.waitFor > 0) return 'waitFor'
  return request.mobile ? 'mobile' : undefined
}

/** Lockdown is treated like zero data retention. */
export const canRetain = (request: Pick<ScrapeRequest, 'zeroDataRetention' | 'lockdown'>) =>
  !request.zeroDataRetention && !request.lockdown

function cachePolicy(
  request: ScrapeRequest,
  { url, retain, formats }: { url: URL; retain: boolean; formats: FormatPlan },
): CachePolicy {
  // A page fetched with credentials of a caller belongs to that caller alone.
  const isSensitive =
    isPersonal(request) || taskOf(request) !== undefined || url.username !== '' || url.password !== ''
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

const isPersonal = ({ headers, actions, profile }: ScrapeRequest) =>
  Object.keys(headers).length > 0 || actions.length > 0 || profile !== undefined

function cacheKey(request: ScrapeRequest, url: URL, screenshot: ScreenshotOptions | undefined): string {
  const { mobile, waitFor, blockAds, location, proxy, fastMode, skipTlsVerification } = request
  const isEnhanced = proxy === 'enhanced' || proxy === 'stealth'
  const device = [mobile, location ?? {}, screenshot?.viewport ?? null]
  const fetching = [waitFor, blockAds, isEnhanced, fastMode, skipTlsVerification]
  return hash('sha256', JSON.stringify([pageUrl(url), ...device, ...fetching]))
}

export function throwIfImpossible(request: Pick<ScrapeRequest, 'actions' | 'fastMode' | 'formats'>): void {
  if (request.fastMode && request.actions.length > 0) {
    const message = 'Actions need a browser, which fastMode does not use. Remove one of the two.'
    throw new AppError('SCRAPE_ACTIONS_NOT_SUPPORTED', {}, { message })
  }
  throwIfFormatUnavailable(request)
}

function optionsWithoutEffect(request: ScrapeRequest): string[] {
  const checks: [boolean, string, string][] = [
    [request.fastMode && request.waitFor > 0, 'waitFor', 'fastMode forbids a browser'],
    [request.fastMode && request.mobile, 'mobile', 'fastMode forbids a browser'],
    [
      request.storeInCache === true && isPersonal(request),
      'storeInCache',
      'pages fetched with custom headers, actions or a profile are never cached',
    ],
  ]
  const applicable = checks.filter(([applies]) => applies)
  return applicable.map(([, option, reason]) => `${option} has no effect: ${reason}.`)
}

type PricedOptions = Pick<ScrapeRequest, 'proxy' | 'lockdown' | 'formats' | 'zeroDataRetention' | 'redactPII'>

export function maxPrice(request: PricedOptions, hasEnhancedProxy: boolean): number {
  const tier = hasEnhancedProxy && request.proxy !== 'basic' ? 'enhanced' : 'basic'
  return priceOf(request, { cache: 'hit', tier, surcharge: maxSurcharge(request.formats), pages: 0 })
}

export function priceOf(
  request: PricedOptions,
  facts: { cache: 'hit' | 'miss'; tier: 'basic' | 'enhanced'; surcharge: number; pages: number },
): number {
  return scrapePrice({
    lockdown: request.lockdown ? facts.cache : 'off',
    isEnhanced: facts.tier === 'enhanced',
    surcharge: facts.surcharge + (taskOf(request) === undefined ? 0 : taskPrice),
    pages: facts.pages,
    isRedacted: request.redactPII !== undefined && request.redactPII !== false,
    zeroRetention: request.zeroDataRetention,
  })
}
