import { STATUS_CODES } from 'node:http'
import type { StorageState } from '../../browser/profile/profile-state.ts'
import type { ProfileLease, Profiles } from '../../browser/profile/profiles.ts'
import { findTypeByMediaType, findTypeByName } from '../../documents/index.ts'
import { pageFields, planParsers } from '../../documents/options.ts'
import { formatReadingFrom } from '../../extraction/formats/index.ts'
import { fetchPage } from '../../fetch/fetch-page.ts'
import type { FetchPlan } from '../../fetch/fetch-plan.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import type { Deadline } from '../../platform/deadline.ts'
import { AppError } from '../../platform/errors.ts'
import { bestEffort } from '../../platform/functions.ts'
import { JsonText } from '../../platform/json/json.ts'
import type { Deps } from '../needs.ts'
import { writeDocument } from '../write-document.ts'
import type { CachedPage } from './cache.ts'
import { planScrape, priceOf, type ScrapePlan } from './plan.ts'
import { isConverted, type ReadPage, readCached, readContent } from './read-page.ts'
import { type RenderedPage, renderPage } from './render-page.ts'
import type { Document, ScrapeRequest } from './schema.ts'
import {
  type CrawlPageContext,
  poolRequestOf,
  type ReadDeps,
  requesterOf,
  type ScrapeCall,
  type Scraped,
  startCall,
} from './scrape-call.ts'

export type ScrapeDeps = ReadDeps & Pick<Deps, 'profiles' | 'memoryPermits'>

export async function scrape(
  deps: ScrapeDeps,
  job: RunningJob<ScrapeRequest>,
  signal: AbortSignal,
  crawlContext?: CrawlPageContext,
): Promise<Scraped> {
  return deps.memoryPermits(requesterOf(job), async (permit) => {
    const plan = planScrape(job.input, job.teamId, crawlContext?.site)
    const call = startCall(job, { plan, permit, signal, crawlContext })
    tracePlan(call)
    const isCacheOnly = !plan.cache.fetchOnMiss
    if (isCacheOnly && plan.cache.uncacheableOption !== undefined)
      return { outcome: cacheMiss(job.input, plan) }
    const cached = await lookUp(deps, call)
    if (cached) return finishCall(deps, call, await readCached(deps, call, cached))
    if (isCacheOnly) return { outcome: cacheMiss(job.input, plan) }
    if (plan.profile)
      return withProfile(deps.profiles, { ...call, ...plan.profile }, (saved) =>
        scrapeFresh(deps, call, saved),
      )
    return scrapeFresh(deps, call)
  })
}

export async function scrapeFromCache(deps: ScrapeDeps, job: RunningJob<ScrapeRequest>, signal: AbortSignal) {
  const plan = planScrape(job.input, job.teamId)
  if (plan.cache.uncacheableOption !== undefined || plan.cache.screenshot) return undefined
  if (plan.formats.usesModel && deps.models(job.teamId)) return undefined
  return deps.memoryPermits(requesterOf(job), async (permit) => {
    const call = startCall(job, { plan, permit, signal })
    tracePlan(call)
    const cached = await lookUp(deps, call)
    if (!cached || isConverted(cached.page, plan)) return undefined
    return (await finishCall(deps, call, await readCached(deps, call, cached))).outcome
  })
}

/** Creates a scrape that cannot write to the cache, the index, profiles or file storage. */
export function readOnlyScrape(deps: ScrapeDeps) {
  const readOnlyDeps: ScrapeDeps = {
    ...deps,
    cache: { ...deps.cache, store: async () => {} },
    indexing: { enqueue: () => {} },
    files: { ...deps.files, store: rejectWrite },
    profiles: { ...deps.profiles, lease: rejectWrite, delete: rejectWrite },
  }
  return async (job: RunningJob<ScrapeRequest>, signal: AbortSignal): Promise<Scraped> => {
    // A change history cannot be read without being written.
    if (formatReadingFrom(job.input.formats, 'history')) await rejectWrite()
    return scrape(readOnlyDeps, job, signal)
  }
}

async function rejectWrite(): Promise<never> {
  const message = 'This scrape is read-only: it neither tracks changes nor saves profiles or files.'
  throw new AppError('BAD_REQUEST', {}, { message })
}

async function lookUp(deps: ScrapeDeps, call: ScrapeCall): Promise<CachedPage | undefined> {
  const { job, plan, deadline } = call
  const cached = await deadline.during('cache', () => deps.cache.lookUp(job.teamId, plan.cache))
  const result = cached ? 'hit' : 'miss'
  if (plan.cache.read) job.trace.note({ step: 'cache', result, fetchedAt: cached?.page.fetchedAt })
  return cached
}

async function scrapeFresh(deps: ScrapeDeps, call: ScrapeCall, profile?: FetchPlan['profile']) {
  const { job, plan, deadline, permit, requestedParts } = call
  const { trace, isBackground } = job
  const fetchPlan = {
    ...plan.fetch,
    ...{ profile, permit, requestedParts, trace, isBackground },
    maxBytes: deps.bounds.page,
    jobId: poolRequestOf(job),
  }
  const fetched = await fetchPage(deps.fetching, fetchPlan, deadline)
  if (isBackground) await job.yieldToForeground()
  const read = await readContent(deps, call, fetched)
  return { ...(await finishCall(deps, call, read)), state: fetched.state }
}

async function finishCall(deps: ScrapeDeps, call: ScrapeCall, read: ReadPage): Promise<Scraped> {
  const { job, plan } = call
  const { page } = read.fetched
  // The page is stored while it is rendered. A cache hit is already stored.
  const storing = read.isHit
    ? undefined
    : deps.cache.store(job.teamId, plan.cache, { page, notes: read.notes })
  // Not awaited: the caller must not wait for the index.
  if (!read.isHit)
    void bestEffort(deps.log, 'a page could not be offered to the index', () =>
      offerToIndex(deps, call, read),
    )
  traceRead(call, read)
  const startedAt = performance.now()
  const rendered = await renderPage(deps, call, read)
  const cacheWarning = await storing
  const trackingWarnings = await rendered.commit()
  const storageWarnings = [...(cacheWarning === undefined ? [] : [cacheWarning]), ...trackingWarnings]
  const warnings = [...warningsOf(deps, call, read, rendered), ...storageWarnings]
  const { markdown } = rendered.fields
  const markdownCharacters =
    typeof markdown === 'string' ? markdown.length : markdown instanceof JsonText ? markdown.size : undefined
  const ms = Math.round(performance.now() - startedAt)
  job.trace.note({ step: 'write', ms, markdownCharacters, warnings })
  const outcome = buildOutcome(deps, call, read, { ...rendered, warnings })
  return { outcome, read: { page, parts: read.content } }
}

async function offerToIndex(deps: ScrapeDeps, { job, plan }: ScrapeCall, read: ReadPage): Promise<void> {
  const { page } = read.fetched
  if (!plan.cache.write) return
  const isGone = page.status === 404 || page.status === 410
  if (page.status >= 400 && !isGone) return
  const fields = isGone ? new Uint8Array() : await read.content.search()
  if (!fields) return
  const { url, headers, fetchedAt } = page
  const fileType =
    read.file && (findTypeByName(new URL(url).pathname) ?? findTypeByMediaType(headers['content-type']))
  const type = read.file ? (fileType?.name ?? 'file') : 'html'
  deps.indexing.enqueue({ teamId: job.teamId, url, type, fields, fetchedAt })
}

function buildOutcome(deps: ScrapeDeps, call: ScrapeCall, read: ReadPage, rendered: RenderedPage) {
  const { input } = call.job
  const { fetched, content, file, notes, isHit } = read
  const { actions, surcharge, warnings } = rendered
  const pages = file?.paged?.converted ?? []
  const cache = isHit ? 'hit' : 'miss'
  const credits = priceOf(input, { cache, tier: fetched.tier, surcharge, pages: pages.length })
  const extraFields = {
    ...pageFields(pages, planParsers(input.parsers)),
    ...(actions ? { actions } : {}),
    ...(fetched.page.captures?.task ? { task: fetched.page.captures.task } : {}),
  }
  const metadata = { ...(notes.metadata ?? content.metadata()), ...metadataOf(call, read, credits) }
  const result = writeDocument({ rendered, extraFields, metadata, warnings }, deps.bounds.answerBytes)
  return { credits, result }
}

function warningsOf(
  deps: ScrapeDeps,
  { plan: { fetch, warnings } }: ScrapeCall,
  { notes, file, content }: ReadPage,
  rendered: RenderedPage,
): string[] {
  const hasProxy = fetch.proxy !== 'enhanced' || deps.fetching.tiers(fetch).enhanced.upstream !== undefined
  const all = [
    ...warnings,
    ...(hasProxy ? [] : [noProxyWarning]),
    ...notes.warnings,
    ...(file?.warnings ?? []),
  ]
  return [...new Set([...all, ...rendered.warnings, ...content.warnings()])]
}

const noProxyWarning = 'proxy: no enhanced proxy is configured (PROXY_ENHANCED_URL), so basic was used.'

function cacheMiss(request: ScrapeRequest, { cache }: ScrapePlan): Outcome<Document> {
  const credits = request.lockdown
    ? priceOf(request, { cache: 'miss', tier: 'basic', surcharge: 0, pages: 0 })
    : 0
  const missing = cache.uncacheableOption ?? (cache.screenshot ? 'screenshot' : undefined)
  if (missing === undefined) return { credits, error: new AppError(cache.missCode) }
  const option = request.lockdown ? 'lockdown' : 'minAge'
  const message = cache.uncacheableOption
    ? `${missing} cannot be answered from the cache, and ${option} forbids fetching. Leave out one of the two.`
    : `No kept copy of this URL has the screenshot that is asked for, and ${option} forbids fetching it.`
  return { credits, error: new AppError(cache.missCode, { missing }, { message }) }
}

function metadataOf(
  { job, plan }: ScrapeCall,
  { fetched, isHit, file }: ReadPage,
  creditsUsed: number,
): Document['metadata'] {
  const { page, tier } = fetched
  const contentType = page.headers['content-type']
  return {
    sourceURL: job.input.url,
    url: withoutCredentials(page.url),
    statusCode: page.status,
    ...(contentType === undefined ? {} : { contentType }),
    ...(page.status >= 400 ? { error: STATUS_CODES[page.status] ?? `Status ${page.status}` } : {}),
    scrapeId: job.id,
    engine: page.text === undefined ? 'http' : 'chromium',
    proxyUsed: tier === 'enhanced' ? 'stealth' : 'basic',
    ...(plan.cache.read ? { cacheState: isHit ? 'hit' : 'miss' } : {}),
    ...(isHit ? { cachedAt: new Date(page.fetchedAt).toISOString() } : {}),
    ...(file?.paged ? { numPages: file.paged.converted.length, totalPages: file.paged.total } : {}),
    creditsUsed,
    concurrencyLimited: job.waitedMs !== undefined,
    ...(job.waitedMs === undefined ? {} : { concurrencyQueueDurationMs: job.waitedMs }),
  }
}

function withoutCredentials(text: string): string {
  const url = new URL(text)
  url.username = ''
  url.password = ''
  return url.href
}

interface ProfileUse {
  job: Pick<RunningJob<unknown>, 'id' | 'teamId'>
  deadline: Deadline
  name: string
  saveChanges: boolean
}

export async function withProfile(
  profiles: Profiles,
  { job, deadline, name, saveChanges }: ProfileUse,
  work: (profile: FetchPlan['profile']) => Promise<Scraped & { state: StorageState | undefined }>,
): Promise<Scraped> {
  // The lease is taken before the state is loaded, so that changes saved by another job are not overwritten.
  const lease = saveChanges ? await profiles.lease(job.teamId, name, job.id) : undefined
  try {
    const saved = await deadline.during('profile', () => profiles.load(job.teamId, name))
    const { state, ...scraped } = await work({ state: saved, isSaved: saveChanges })
    const { outcome } = scraped
    if (!lease || !state || !('result' in outcome)) return scraped
    const warning = await deadline.during('profile', () => saveOrWarn(lease, state))
    if (warning === undefined) return scraped
    const { result } = outcome
    const allWarnings = result.warning === undefined ? warning : `${result.warning} ${warning}`
    return { ...scraped, outcome: { ...outcome, result: { ...result, warning: allWarnings } } }
  } finally {
    await lease?.release()
  }
}

async function saveOrWarn(lease: ProfileLease, state: StorageState): Promise<string | undefined> {
  try {
    await lease.save(state)
    return undefined
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'PROFILE_TOO_LARGE') return thrown.message
    throw thrown
  }
}

function tracePlan({ job, plan, deadline }: ScrapeCall): void {
  const { fetch, cache, content } = plan
  job.trace.note({
    step: 'plan',
    formats: job.input.formats.map(({ type }) => type),
    cache: cache.read ? (cache.fetchOnMiss ? 'read' : 'only') : 'not read',
    keeps: cache.write,
    proxy: fetch.proxy,
    timeoutMs: deadline.remaining(),
    browserFor: fetch.browserReason,
    onlyMainContent: content.onlyMainContent,
    includeTags: content.includeTags.length,
    excludeTags: content.excludeTags.length,
    waitForMs: fetch.waitFor,
    actions: fetch.actions.length,
  })
}

function traceRead({ job, requestedParts }: ScrapeCall, { content, file }: ReadPage): void {
  if (file || !requestedParts.account) return
  const { whole, kept, leftOut } = content.account()
  job.trace.note({ step: 'read', pageCharacters: whole, keptCharacters: kept, leftOut })
}
