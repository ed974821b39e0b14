import { STATUS_CODES } from 'node:http'
import type { StorageState } from '../../browser/profile/profile-state.ts'
import type { ProfileLease, Profiles } from '../../browser/profile/profiles.ts'
import type { Page } from '../../content/page.ts'
import { typeOfMediaType, typeOfName } from '../../documents/index.ts'
import { pageFields, planParsers } from '../../documents/options.ts'
import type { ReadDocument } from '../../documents/read-document.ts'
import { type Fetched, fetchPage } from '../../fetch/fetch-page.ts'
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
import { isConverted, type ReadPage, readCached, readFetched } from './read-page.ts'
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

export type ScrapeDeps = ReadDeps & Pick<Deps, 'profiles' | 'rooms'>

/** The road of a scrape, top to bottom. */
export async function scrape(
  deps: ScrapeDeps,
  job: RunningJob<ScrapeRequest>,
  signal: AbortSignal,
  among?: CrawlPageContext,
): Promise<Scraped> {
  return deps.rooms(requesterOf(job), async (room) => {
    const plan = planScrape(job.input, job.teamId, among?.site)
    const call = startCall(job, { plan, room, signal, among })
    notePlan(call)
    const isCacheOnly = !plan.cache.fetchOnMiss
    if (isCacheOnly && plan.cache.neverKept !== undefined) return { outcome: cacheMiss(job.input, plan) }
    const kept = await lookUp(deps, call)
    if (kept) return answer(deps, call, await readCached(deps, call, kept))
    if (isCacheOnly) return { outcome: cacheMiss(job.input, plan) }
    if (plan.profile)
      return withProfile(deps.profiles, { ...call, ...plan.profile }, (saved) =>
        scrapeFresh(deps, call, saved),
      )
    return scrapeFresh(deps, call)
  })
}

/** The part of the road that needs nothing but a kept page; undefined where there is none, or more is asked for. */
export async function scrapeFromCache(
  deps: ScrapeDeps,
  job: RunningJob<ScrapeRequest>,
  signal: AbortSignal,
): Promise<Outcome<Document> | undefined> {
  const plan = planScrape(job.input, job.teamId)
  if (plan.cache.neverKept !== undefined || plan.cache.picture) return undefined
  if (plan.formats.usesModel && deps.models(job.teamId)) return undefined
  return deps.rooms(requesterOf(job), async (room) => {
    const call = startCall(job, { plan, room, signal, among: undefined })
    notePlan(call)
    const kept = await lookUp(deps, call)
    if (!kept || isConverted(kept.page, plan)) return undefined
    return (await answer(deps, call, await readCached(deps, call, kept))).outcome
  })
}

async function lookUp(deps: ScrapeDeps, call: ScrapeCall): Promise<CachedPage | undefined> {
  const { job, plan, deadline } = call
  const kept = await deadline.during('cache', () => deps.cache.lookUp(job.teamId, plan.cache))
  noteCache(call, kept)
  return kept
}

/** The rest of the road, for a page that is not kept. */
async function scrapeFresh(
  deps: ScrapeDeps,
  call: ScrapeCall,
  profile?: FetchPlan['profile'],
): Promise<Scraped & { state: StorageState | undefined }> {
  const { job, plan, deadline, room, wishes } = call
  const fetching = { ...plan.fetch, profile, room, wishes, maxBytes: deps.bounds.page, trace: job.trace }
  const { isBackground } = job
  const fetched = await fetchPage(
    deps.fetching,
    { ...fetching, jobId: poolRequestOf(job), isBackground },
    deadline,
  )
  if (job.isBackground) await job.giveWay()
  const read = await readFetched(deps, call, fetched)
  return { ...(await answer(deps, call, read)), state: fetched.state }
}

/** A page that was read → the end of the call. */
async function answer(deps: ScrapeDeps, call: ScrapeCall, read: ReadPage): Promise<Scraped> {
  const { job, plan } = call
  const { page } = read.fetched
  // Beside the rendering; what came from the cache is there already.
  const keeping = read.isHit
    ? undefined
    : deps.cache.keep(job.teamId, plan.cache, { page, notes: read.notes })
  // No caller waits for it.
  if (!read.isHit)
    void bestEffort(deps.log, 'a page could not be offered to the index', () =>
      offerToIndex(deps, call, read),
    )
  noteRead(call, read)
  const began = performance.now()
  const rendered = await renderPage(deps, call, read)
  const uncached = await keeping
  const unrecorded = await rendered.commit()
  const recording = [...(uncached === undefined ? [] : [uncached]), ...unrecorded]
  const warnings = [...warningsOf(deps, call, read, rendered), ...recording]
  noteWritten(call, rendered, { ms: Math.round(performance.now() - began), warnings })
  return {
    outcome: describe(deps, call, read, { ...rendered, warnings }),
    read: { page, parts: read.content },
  }
}

/** A page that is kept can be searched; what is read of it later says no more. */
async function offerToIndex(deps: ScrapeDeps, { job, plan }: ScrapeCall, read: ReadPage): Promise<void> {
  const { page } = read.fetched
  if (!plan.cache.write) return
  const isGone = page.status === 404 || page.status === 410
  if (page.status >= 400 && !isGone) return
  const fields = isGone ? noFields : await read.content.search()
  if (!fields) return
  const type = read.file ? fileType(page) : 'html'
  deps.indexing.offer({ teamId: job.teamId, url: page.url, type, fields, fetchedAt: page.fetchedAt })
}

/** What the index gets for a page that is there no more. */
const noFields = new Uint8Array()

function fileType({ url, headers }: Page): string {
  const type = typeOfName(new URL(url).pathname) ?? typeOfMediaType(headers['content-type'])
  return type?.name ?? 'file'
}

/** Everything that is known of a call → its document and its price. */
function describe(
  deps: ScrapeDeps,
  call: ScrapeCall,
  read: ReadPage,
  rendered: RenderedPage,
): Outcome<Document> {
  const { job, plan } = call
  const { fetched, content, file, notes, isHit } = read
  const pages = file?.paged?.converted ?? []
  const credits = priceOf(job.input, {
    cache: isHit ? 'hit' : 'miss',
    tier: fetched.tier,
    surcharge: rendered.surcharge,
    pages: pages.length,
  })
  const result = writeDocument(
    {
      rendered,
      beside: {
        ...pageFields(pages, planParsers(job.input.parsers)),
        ...(rendered.actions ? { actions: rendered.actions } : {}),
        ...(fetched.page.captures?.task ? { task: fetched.page.captures.task } : {}),
      },
      metadata: {
        ...(notes.metadata ?? content.metadata()),
        ...metadataOf({ job, plan, fetched, isHit, credits, file }),
      },
      warnings: rendered.warnings,
    },
    deps.bounds.answerBytes,
  )
  return { credits, result }
}

/** All that the caller should know. */
function warningsOf(
  deps: ScrapeDeps,
  { plan }: ScrapeCall,
  read: ReadPage,
  rendered: RenderedPage,
): string[] {
  const { notes, file, content } = read
  const ofPage = [...notes.warnings, ...(file?.warnings ?? [])]
  const warnings = [...plan.warnings, ...withoutProxy(deps, plan), ...ofPage]
  return [...new Set([...warnings, ...rendered.warnings, ...content.warnings()])]
}

function withoutProxy({ fetching }: ScrapeDeps, { fetch }: ScrapePlan): string[] {
  const hasProxy = fetch.proxy !== 'enhanced' || fetching.tiers(fetch).enhanced.upstream !== undefined
  return hasProxy ? [] : ['proxy: no enhanced proxy is configured (PROXY_ENHANCED_URL), so basic was used.']
}

/** The end of a call that may use the cache alone and found nothing there that answers it. */
function cacheMiss(request: ScrapeRequest, { cache }: ScrapePlan): Outcome<Document> {
  const credits = request.lockdown
    ? priceOf(request, { cache: 'miss', tier: 'basic', surcharge: 0, pages: 0 })
    : 0
  const missing = cache.neverKept ?? (cache.picture ? 'screenshot' : undefined)
  if (missing === undefined) return { credits, error: new AppError(cache.missCode) }
  const option = request.lockdown ? 'lockdown' : 'minAge'
  const message = cache.neverKept
    ? `${missing} cannot be answered from the cache, and ${option} forbids fetching. Leave out one of the two.`
    : `No kept copy of this URL has the screenshot that is asked for, and ${option} forbids fetching it.`
  return { credits, error: new AppError(cache.missCode, { missing }, { message }) }
}

interface Facts {
  job: RunningJob<ScrapeRequest>
  plan: ScrapePlan
  fetched: Fetched
  isHit: boolean
  credits: number
  file: ReadDocument | undefined
}

/** What the page itself cannot know. */
function metadataOf(facts: Facts): Document['metadata'] {
  const { job, plan } = facts
  const { page, tier } = facts.fetched
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
    ...(plan.cache.read ? { cacheState: facts.isHit ? 'hit' : 'miss' } : {}),
    ...(facts.isHit ? { cachedAt: new Date(page.fetchedAt).toISOString() } : {}),
    ...(facts.file?.paged
      ? { numPages: facts.file.paged.converted.length, totalPages: facts.file.paged.total }
      : {}),
    creditsUsed: facts.credits,
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

type Work = (profile: FetchPlan['profile']) => Promise<Scraped & { state: StorageState | undefined }>

/** Does the work in the browser storage of a profile, which is saved when all of it went well. */
export async function withProfile(
  profiles: Profiles,
  { job, deadline, name, saveChanges }: ProfileUse,
  work: Work,
): Promise<Scraped> {
  // Before the state is read: what another has just saved must not be lost.
  const lease = saveChanges ? await profiles.lease(job.teamId, name, job.id) : undefined
  try {
    const saved = await deadline.during('profile', () => profiles.load(job.teamId, name))
    const { state, ...scraped } = await work({ state: saved, isSaved: saveChanges })
    const { outcome } = scraped
    if (!lease || !state || !('result' in outcome)) return scraped
    const warning = await deadline.during('profile', () => saveOrSay(lease, state))
    if (warning === undefined) return scraped
    return { ...scraped, outcome: { ...outcome, result: warned(outcome.result, warning) } }
  } finally {
    await lease?.giveBack()
  }
}

/** The page is there: that its storage is too large is a warning. That it was not saved for any other reason is an error. */
async function saveOrSay(lease: ProfileLease, state: StorageState): Promise<string | undefined> {
  try {
    await lease.save(state)
    return undefined
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.code === 'PROFILE_TOO_LARGE') return thrown.message
    throw thrown
  }
}

function warned(document: Document, warning: string): Document {
  const { warning: before } = document
  return { ...document, warning: before === undefined ? warning : `${before} ${warning}` }
}

/** What a scrape notes of itself, step by step. */

function notePlan({ job, plan, deadline }: ScrapeCall): void {
  const { fetch, cache, content } = plan
  job.trace.note({
    step: 'plan',
    formats: job.input.formats.map(({ type }) => type),
    cache: cache.read ? (cache.fetchOnMiss ? 'read' : 'only') : 'not read',
    keeps: cache.write,
    proxy: fetch.proxy,
    timeoutMs: deadline.remaining(),
    ...(fetch.browserReason === undefined ? {} : { browserFor: fetch.browserReason }),
    onlyMainContent: content.onlyMainContent,
    includeTags: content.includeTags.length,
    excludeTags: content.excludeTags.length,
    waitForMs: fetch.waitFor,
    actions: fetch.actions.length,
  })
}

function noteCache({ job, plan }: ScrapeCall, kept: CachedPage | undefined): void {
  if (!plan.cache.read) return
  job.trace.note(
    kept
      ? { step: 'cache', result: 'hit', fetchedAt: kept.page.fetchedAt }
      : { step: 'cache', result: 'miss' },
  )
}

function noteRead({ job, wishes }: ScrapeCall, { content, file }: ReadPage): void {
  if (file || !wishes.account) return
  const { whole, kept, leftOut } = content.account()
  job.trace.note({ step: 'read', pageCharacters: whole, keptCharacters: kept, leftOut })
}

function noteWritten(
  { job }: ScrapeCall,
  { fields }: Pick<RenderedPage, 'fields'>,
  { ms, warnings }: { ms: number; warnings: string[] },
): void {
  const { markdown } = fields
  const length =
    typeof markdown === 'string' ? markdown.length : markdown instanceof JsonText ? markdown.size : undefined
  job.trace.note({
    step: 'write',
    ms,
    ...(length === undefined ? {} : { markdownCharacters: length }),
    warnings,
  })
}
