import { STATUS_CODES } from 'node:http'
import { scrapePrice } from '../../accounts/prices.ts'
import { startDeadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import type { ActionResults, CapturedFile } from '../../content/captures.ts'
import { type Content, readPage } from '../../content/content.ts'
import { isTextual } from '../../content/content-type.ts'
import { type AudioAnswer, isMedia } from '../../content/media.ts'
import type { Page } from '../../content/page.ts'
import { type Fetched, fetchPage, type LadderNeeds } from '../../engine/fetch-page.ts'
import type { FormatName } from '../../formats/index.ts'
import { renderFormats } from '../../formats/render.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import type { FileShelf } from '../files.ts'
import { type AudioNeeds, makeAudio } from './audio.ts'
import type { PageCache } from './cache.ts'
import { changeHistory, type HistoryNeeds } from './change-tracking.ts'
import { planScrape, type ScrapePlan } from './plan.ts'
import type { Document, ScrapeRequest } from './schema.ts'

export interface ScrapeNeeds {
  cache: PageCache
  ladder: LadderNeeds
  files: FileShelf
  histories: HistoryNeeds
  audio: Pick<AudioNeeds, 'client' | 'ffmpeg'>
}

/** The road of a scrape, top to bottom. */
export async function scrape(
  needs: ScrapeNeeds,
  job: RunningJob<ScrapeRequest>,
  signal: AbortSignal,
): Promise<Outcome<Document>> {
  const request = job.input
  const plan = planScrape(request, job.teamId)
  const deadline = startDeadline(request.timeout - (job.waitedMs ?? 0), 'SCRAPE_TIMEOUT', signal)
  const kept = await deadline.during('cache', () => needs.cache.lookUp(job.teamId, plan.cache))
  if (!kept && !plan.cache.fetchOnMiss) return miss(request, plan)
  const fetched = kept ? fromCache(kept, plan) : await fetchPage(needs.ladder, plan.fetch, deadline)
  const { page } = fetched
  const content = fetched.content ?? standIn(page, request, plan)
  if (!content) throw unsupportedFile(page)
  const keeping = kept ? undefined : needs.cache.keep(job.teamId, plan.cache, page)
  const keepFile = plan.retain ? keeper(needs.files, job.teamId) : inlineFile
  const history = plan.retain
    ? changeHistory(needs.histories, { teamId: job.teamId, url: plan.fetch.url, page })
    : undefined
  const audio = () => audioOf(needs, plan, fetched, deadline.signal)
  const kit = { page, keepFile, history, audio, signal: deadline.signal }
  const rendered = await deadline.during('render', () => renderFormats(request.formats, content, kit))
  const actions = page.captures?.actions && (await handOut(page.captures.actions, keepFile))
  const hasAudio = 'audio' in rendered.fields
  const credits = priceOf(request, { cache: kept ? 'hit' : 'miss', way: fetched.way, hasAudio })
  await keeping
  await history?.commit()
  const warnings = [...plan.warnings, ...fetched.warnings, ...rendered.warnings, ...content.warnings()]
  const document = {
    ...rendered.fields,
    ...(actions ? { actions } : {}),
    metadata: metadataOf(content, { job, request, plan, fetched, isHit: kept !== undefined, credits }),
    ...(warnings.length > 0 ? { warning: warnings.join(' ') } : {}),
  }
  return { credits, result: document }
}

function fromCache(page: Page, plan: ScrapePlan): Fetched {
  const content = isTextual(page) ? readPage(page, plan.content) : undefined
  return { page, content, way: 'basic', warnings: [] }
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
  const credits = request.lockdown ? priceOf(request, { cache: 'miss', way: 'basic', hasAudio: false }) : 0
  return { credits, error: new AppError(plan.cache.missCode) }
}

function priceOf(
  request: ScrapeRequest,
  facts: { cache: 'hit' | 'miss'; way: 'basic' | 'enhanced'; hasAudio: boolean },
): number {
  return scrapePrice({
    lockdown: request.lockdown ? facts.cache : 'off',
    isEnhanced: facts.way === 'enhanced',
    hasAudio: facts.hasAudio,
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
  request: ScrapeRequest
  plan: ScrapePlan
  fetched: Fetched
  isHit: boolean
  credits: number
}

function metadataOf(content: Content, facts: Facts): Document['metadata'] {
  const { job, plan } = facts
  const { page, way } = facts.fetched
  const contentType = page.headers['content-type']
  return {
    ...content.metadata(),
    sourceURL: facts.request.url,
    url: withoutCredentials(page.url),
    statusCode: page.status,
    ...(contentType === undefined ? {} : { contentType }),
    ...(page.status >= 400 ? { error: STATUS_CODES[page.status] ?? `Status ${page.status}` } : {}),
    scrapeId: job.id,
    proxyUsed: way === 'enhanced' ? 'stealth' : 'basic',
    ...(plan.cache.read ? { cacheState: facts.isHit ? 'hit' : 'miss' } : {}),
    ...(facts.isHit ? { cachedAt: new Date(page.fetchedAt).toISOString() } : {}),
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
