import { STATUS_CODES } from 'node:http'
import { scrapePrice } from '../../accounts/prices.ts'
import { type Deadline, startDeadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import type { StorageState } from '../../browser/profile-state.ts'
import type { Profiles } from '../../browser/profiles.ts'
import type { ActionResults, CapturedFile } from '../../content/captures.ts'
import { type Content, readPage } from '../../content/content.ts'
import { isTextual } from '../../content/content-type.ts'
import type { SiteBlocks } from '../../content/main-content/site-blocks.ts'
import { type AudioAnswer, isMedia } from '../../content/media.ts'
import type { Page } from '../../content/page.ts'
import type { ContentPart } from '../../content/parts.ts'
import { pageFields, planParsers } from '../../documents/options.ts'
import type { DocumentNeeds, ReadDocument } from '../../documents/read-document.ts'
import { type Fetched, fetchPage, type LadderNeeds } from '../../engine/fetch-page.ts'
import type { FetchPlan } from '../../engine/fetch-plan.ts'
import { type FormatName, partsOf } from '../../formats/index.ts'
import { renderFormats } from '../../formats/render.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import type { PageReader } from '../../readers/page-reader.ts'
import type { FileShelf } from '../files.ts'
import { type AudioNeeds, makeAudio } from './audio.ts'
import type { KeptPage, PageCache, PageNotes } from './cache.ts'
import { changeHistory, type HistoryNeeds } from './change-tracking.ts'
import { inProfile } from './in-profile.ts'
import { planScrape, type ScrapePlan } from './plan.ts'
import { isConverted, readFile } from './read-file.ts'
import type { Document, ScrapeRequest } from './schema.ts'

export interface ScrapeNeeds {
  cache: PageCache
  ladder: LadderNeeds
  files: FileShelf
  histories: HistoryNeeds
  audio: Pick<AudioNeeds, 'client' | 'ffmpeg'>
  /** Hears what was read, before it is rendered. */
  onRead?: (page: Page, content: Content) => void
  /** What the pages of the same crawl said. */
  site?: SiteBlocks | undefined
  documents: DocumentNeeds
  profiles: Profiles
  reader: PageReader
}

/** The road of a scrape, top to bottom. */
export async function scrape(
  needs: ScrapeNeeds,
  job: RunningJob<ScrapeRequest>,
  signal: AbortSignal,
): Promise<Outcome<Document>> {
  const plan = planScrape(job.input, job.teamId, needs.site)
  const deadline = deadlineOf(job, signal)
  const kept = await lookUp(needs, { job, plan, deadline })
  if (kept) return readOut(needs, { job, plan, deadline, ...fromCache(kept, plan) })
  if (!plan.cache.fetchOnMiss) return miss(job.input, plan)
  const walk = { job, plan, deadline }
  if (plan.profile) {
    return inProfile(needs.profiles, { ...walk, ...plan.profile }, (kept) => scrapeFresh(needs, walk, kept))
  }
  return (await scrapeFresh(needs, walk)).outcome
}

/** The rest of the road, for a page that is not kept. */
async function scrapeFresh(
  needs: ScrapeNeeds,
  walk: Walk,
  profile?: FetchPlan['profile'],
): Promise<{ outcome: Outcome<Document>; state: StorageState | undefined }> {
  const isBackground = walk.job.parentId !== null
  const fetchPlan = { ...walk.plan.fetch, profile, isBackground }
  const fetched = await fetchPage(needs.ladder, fetchPlan, walk.deadline)
  return { outcome: await readOut(needs, { ...walk, fetched }), state: fetched.state }
}

/** The part of the road that needs nothing but a kept page; undefined where there is none, or more is asked for. */
export async function scrapeFromCache(
  needs: ScrapeNeeds,
  job: RunningJob<ScrapeRequest>,
  signal: AbortSignal,
): Promise<Outcome<Document> | undefined> {
  if (!job.input.formats.every((format) => readsOnly.has(format.type))) return undefined
  const plan = planScrape(job.input, job.teamId)
  const deadline = deadlineOf(job, signal)
  const kept = await lookUp(needs, { job, plan, deadline })
  if (!kept || isConverted(kept.page, job.input)) return undefined
  return readOut(needs, { job, plan, deadline, ...fromCache(kept, plan) })
}

/** Formats that are made from the page alone: they fetch nothing, keep nothing and wait for nobody. */
const readsOnly: ReadonlySet<FormatName> = new Set([
  ...(['markdown', 'html', 'rawHtml', 'links', 'images'] as const),
  ...(['attributes', 'product', 'rawBase64'] as const),
])

function deadlineOf(job: RunningJob<ScrapeRequest>, signal: AbortSignal): Deadline {
  return startDeadline(job.input.timeout - job.spentMs, 'SCRAPE_TIMEOUT', signal)
}

interface Walk {
  job: RunningJob<ScrapeRequest>
  plan: ScrapePlan
  deadline: Deadline
}

function lookUp(needs: ScrapeNeeds, { job, plan, deadline }: Walk): Promise<KeptPage | undefined> {
  return deadline.during('cache', () => needs.cache.lookUp(job.teamId, plan.cache))
}

function fromCache({ page, notes }: KeptPage, plan: ScrapePlan): { fetched: Fetched; notes: PageNotes } {
  const content = isTextual(page) ? readPage(page, plan.content) : undefined
  return { fetched: { page, content, way: 'basic', warnings: [] }, notes }
}

/** Page → document. With the notes of a kept page there is nothing to keep, and less to read. */
async function readOut(
  needs: ScrapeNeeds,
  walk: Walk & { fetched: Fetched; notes?: PageNotes },
): Promise<Outcome<Document>> {
  const { job, plan, deadline, fetched } = walk
  const { page } = fetched
  const request = job.input
  const file = await readFile(needs.documents, page, { request, plan, deadline })
  const content = file?.content ?? (await readAhead(needs, walk)) ?? standIn(page, request, plan)
  if (!content) throw unsupportedFile(page)
  needs.onRead?.(page, content)
  // Before the formats are rendered: what is noted of a page must not depend on what was asked of it.
  const notes = notesOf(walk, content, file)
  const keeping = walk.notes ? undefined : needs.cache.keep(job.teamId, plan.cache, { page, notes })
  const keepFile = plan.retain ? keeper(needs.files, job.teamId) : inlineFile
  const history = plan.retain
    ? changeHistory(needs.histories, { teamId: job.teamId, url: plan.fetch.url, page })
    : undefined
  const audio = () => audioOf(needs, plan, fetched, deadline.signal)
  const kit = { page, keepFile, history, audio, signal: deadline.signal }
  const rendered = await deadline.during('render', () => renderFormats(request.formats, content, kit))
  const actions = page.captures?.actions && (await handOut(page.captures.actions, keepFile))
  const isHit = walk.notes !== undefined
  const hasAudio = 'audio' in rendered.fields
  const pages = file?.paged?.converted ?? []
  const facts = { cache: isHit ? ('hit' as const) : ('miss' as const), way: fetched.way, hasAudio }
  const credits = priceOf(request, { ...facts, pages: pages.length })
  await keeping
  await history?.commit()
  const warnings = new Set([
    ...[...plan.warnings, ...notes.warnings, ...(file?.warnings ?? [])],
    ...[...rendered.warnings, ...content.warnings()],
  ])
  const document = {
    ...rendered.fields,
    ...pageFields(pages, planParsers(request.parsers)),
    ...(actions ? { actions } : {}),
    metadata: {
      ...(notes.metadata ?? content.metadata()),
      ...metadataOf({ job, plan, fetched, isHit, credits, file }),
    },
    ...(warnings.size > 0 ? { warning: [...warnings].join(' ') } : {}),
  }
  return { credits, result: document }
}

/** The page with all that will be asked of it; undefined where it is not text. */
async function readAhead(
  needs: ScrapeNeeds,
  { job, plan, deadline, fetched, notes }: Walk & { fetched: Fetched; notes?: PageNotes },
): Promise<Content | undefined> {
  const { page, content } = fetched
  if (!content) return undefined
  const parts = new Set<ContentPart>([
    // First: what is noted of a page must not hold the warnings of what else was asked of it.
    ...(notes?.metadata ? [] : ['metadata' as const]),
    ...partsOf(job.input.formats),
    ...(needs.onRead ? ['links' as const] : []),
  ])
  const known = { page, content, options: plan.content }
  return deadline.during('render', (signal) => needs.reader.read(known, [...parts], signal))
}

function notesOf(
  { fetched, notes }: { fetched: Fetched; notes?: PageNotes },
  content: Content,
  file: ReadDocument | undefined,
): PageNotes {
  // What a file says of itself depends on how it is parsed, and every call that reads it converts it anyway.
  if (file) return { metadata: undefined, warnings: notes?.warnings ?? fetched.warnings }
  const metadata = notes?.metadata ?? content.metadata()
  return { metadata, warnings: notes?.warnings ?? [...fetched.warnings, ...content.warnings()] }
}

/** A file has nothing to read, but a recording may be asked for as audio, and anything as its bytes. */
function standIn(page: Page, request: ScrapeRequest, plan: ScrapePlan): Content | undefined {
  const wants = (name: FormatName) => request.formats.some((format) => format.type === name)
  if (!wants('rawBase64') && !(wants('audio') && isMedia(page))) return undefined
  return readPage(
    { ...page, bytes: new Uint8Array(), headers: { 'content-type': 'text/plain' } },
    plan.content,
  )
}

async function audioOf(
  needs: ScrapeNeeds,
  plan: ScrapePlan,
  fetched: Fetched,
  signal: AbortSignal,
): Promise<AudioAnswer> {
  if (!plan.cache.fetchOnMiss) return { reason: 'this call may use the cache only.' }
  const { upstream } = needs.ladder.ways(plan.fetch)[fetched.way]
  const how = { ...needs.audio, verifyTls: plan.fetch.verifyTls, upstream }
  return makeAudio(how, fetched.page, fetched.content, signal)
}

type KeepFile = (file: CapturedFile, hours: number) => Promise<string>

function keeper(files: FileShelf, teamId: string): KeepFile {
  return (file, hours) => files.keep(teamId, file, hours)
}

/** Where nothing may be kept, the file itself travels in its address. */
const inlineFile: KeepFile = async ({ mediaType, bytes }) =>
  `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`

/** Files that actions made become addresses; everything else is handed out as it is. */
async function handOut(
  results: ActionResults,
  keepFile: KeepFile,
): Promise<NonNullable<Document['actions']>> {
  const keepAll = (files: CapturedFile[]) => Promise.all(files.map((file) => keepFile(file, 24)))
  return {
    screenshots: await keepAll(results.screenshots),
    scrapes: results.scrapes,
    javascriptReturns: results.javascriptReturns,
    pdfs: await keepAll(results.pdfs),
  }
}

function miss(request: ScrapeRequest, plan: ScrapePlan): Outcome<Document> {
  const credits = request.lockdown
    ? priceOf(request, { cache: 'miss', way: 'basic', hasAudio: false, pages: 0 })
    : 0
  return { credits, error: new AppError(plan.cache.missCode) }
}

function priceOf(
  request: ScrapeRequest,
  facts: { cache: 'hit' | 'miss'; way: 'basic' | 'enhanced'; hasAudio: boolean; pages: number },
): number {
  return scrapePrice({
    lockdown: request.lockdown ? facts.cache : 'off',
    isEnhanced: facts.way === 'enhanced',
    hasAudio: facts.hasAudio,
    pages: facts.pages,
    zeroRetention: request.zeroDataRetention,
  })
}

function unsupportedFile(page: Page): AppError {
  const contentType = page.headers['content-type'] ?? 'unknown'
  const message = `The URL holds a file (${contentType}) that this installation does not turn into text.`
  return new AppError('SCRAPE_UNSUPPORTED_FILE_ERROR', { phase: 'read', contentType }, { message })
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
  const { page, way } = facts.fetched
  const contentType = page.headers['content-type']
  return {
    sourceURL: job.input.url,
    url: withoutCredentials(page.url),
    statusCode: page.status,
    ...(contentType === undefined ? {} : { contentType }),
    ...(page.status >= 400 ? { error: STATUS_CODES[page.status] ?? `Status ${page.status}` } : {}),
    scrapeId: job.id,
    proxyUsed: way === 'enhanced' ? 'stealth' : 'basic',
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
