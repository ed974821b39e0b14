import { scrapePrice } from '../../accounts/prices.ts'
import { type Deadline, startDeadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import type { StorageState } from '../../browser/profile-state.ts'
import type { Profiles } from '../../browser/profiles.ts'
import type { SiteBlocks } from '../../content/main-content/site-blocks.ts'
import type { AudioAnswer } from '../../content/media.ts'
import type { Page } from '../../content/page.ts'
import { pageFields, planParsers } from '../../documents/options.ts'
import type { DocumentNeeds, ReadDocument } from '../../documents/read-document.ts'
import { type Fetched, fetchPage, type LadderNeeds } from '../../engine/fetch-page.ts'
import type { FetchPlan, PageBounds, PageRoom } from '../../engine/fetch-plan.ts'
import { formatNeeding, takesFile } from '../../formats/index.ts'
import { renderFormats } from '../../formats/render.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import { refuseLargeAnswer } from '../../readers/carry.ts'
import type { PageReader } from '../../readers/page-reader.ts'
import type { PageRooms } from '../../readers/page-rooms.ts'
import { type PageParts, type PartWishes, pageParts } from '../../reading/parts.ts'
import type { FileShelf } from '../files.ts'
import { type AudioNeeds, makeAudio } from './audio.ts'
import type { KeptPage, PageCache, PageNotes } from './cache.ts'
import { metadataOf } from './call-metadata.ts'
import { changeHistory, type HistoryNeeds } from './change-tracking.ts'
import { handOut, inlineFile, keeper } from './hand-out.ts'
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
  onRead?: (page: Page, parts: PageParts) => void
  /** What the pages of the same crawl said. */
  site?: SiteBlocks | undefined
  documents: DocumentNeeds
  profiles: Profiles
  reader: PageReader
  rooms: PageRooms
  bounds: { page: PageBounds; answerBytes: number }
}

/** The road of a scrape, top to bottom. */
export async function scrape(
  needs: ScrapeNeeds,
  job: RunningJob<ScrapeRequest>,
  signal: AbortSignal,
): Promise<Outcome<Document>> {
  return withRoom(needs, job, async (room) => {
    const plan = planScrape(job.input, job.teamId, needs.site)
    const walk = { job, plan, deadline: deadlineOf(job, signal), room }
    const isCacheOnly = !plan.cache.fetchOnMiss
    if (isCacheOnly && plan.cache.neverKept !== undefined) return miss(job.input, plan)
    const kept = await lookUp(needs, walk)
    if (kept) return readOut(needs, { ...walk, ...(await fromCache(needs, walk, kept)) })
    if (isCacheOnly) return miss(job.input, plan)
    if (plan.profile) {
      return inProfile(needs.profiles, { ...walk, ...plan.profile }, (kept) => scrapeFresh(needs, walk, kept))
    }
    return (await scrapeFresh(needs, walk)).outcome
  })
}

/** What a large page takes in memory is given back when its answer is made. */
async function withRoom<Result>(
  { rooms }: ScrapeNeeds,
  job: RunningJob<ScrapeRequest>,
  work: (room: PageRoom) => Promise<Result>,
): Promise<Result> {
  const room = rooms(whoOf(job))
  try {
    return await work(room)
  } finally {
    room.leave()
  }
}

/** Pages of crawls and batches: nobody waits for a single one of them. */
const whoOf = (job: RunningJob<unknown>) => ({ team: job.teamId, isBackground: job.isBackground })

/** The rest of the road, for a page that is not kept. */
async function scrapeFresh(
  needs: ScrapeNeeds,
  walk: Walk,
  profile?: FetchPlan['profile'],
): Promise<{ outcome: Outcome<Document>; state: StorageState | undefined }> {
  const plan = {
    ...{ ...walk.plan.fetch, profile, room: walk.room, mostBytes: needs.bounds.page },
    ...{ wishes: wishesFor(needs, walk.plan), isBackground: walk.job.isBackground },
  }
  const fetched = await fetchPage(needs.ladder, plan, walk.deadline)
  if (walk.job.isBackground) await walk.job.giveWay()
  return { outcome: await readOut(needs, { ...walk, fetched }), state: fetched.state }
}

/** The part of the road that needs nothing but a kept page; undefined where there is none, or more is asked for. */
export async function scrapeFromCache(
  needs: ScrapeNeeds,
  job: RunningJob<ScrapeRequest>,
  signal: AbortSignal,
): Promise<Outcome<Document> | undefined> {
  if (formatNeeding(job.input.formats, 'picture', 'openPage', 'history', 'network')) return undefined
  return withRoom(needs, job, async (room) => {
    const plan = planScrape(job.input, job.teamId)
    if (!plan.cache.fetchOnMiss && plan.cache.neverKept !== undefined) return undefined
    const walk = { job, plan, deadline: deadlineOf(job, signal), room }
    const kept = await lookUp(needs, walk)
    if (!kept || isConverted(kept.page, job.input)) return undefined
    return readOut(needs, { ...walk, ...(await fromCache(needs, walk, kept)) })
  })
}

function deadlineOf(job: RunningJob<ScrapeRequest>, signal: AbortSignal): Deadline {
  return startDeadline(job.input.timeout - job.spentMs, 'SCRAPE_TIMEOUT', signal)
}

interface Walk {
  job: RunningJob<ScrapeRequest>
  plan: ScrapePlan
  deadline: Deadline
  room: PageRoom
}

function lookUp(needs: ScrapeNeeds, { job, plan, deadline }: Walk): Promise<KeptPage | undefined> {
  return deadline.during('cache', () => needs.cache.lookUp(job.teamId, plan.cache))
}

/** A page of a crawl is asked where it leads to as well. */
function wishesFor(needs: Pick<ScrapeNeeds, 'onRead'>, plan: ScrapePlan): PartWishes {
  return needs.onRead ? { ...plan.fetch.wishes, follow: true } : plan.fetch.wishes
}

async function fromCache(
  needs: ScrapeNeeds,
  { job, plan, deadline, room }: Walk,
  { page, notes }: KeptPage,
): Promise<{ fetched: Fetched; notes: PageNotes }> {
  const { metadata: _, ...rest } = wishesFor(needs, plan)
  // What was noted of a page need not be read again.
  const wishes = notes.metadata ? rest : wishesFor(needs, plan)
  const wish = { options: plan.content, wishes, isJudged: false, who: whoOf(job) }
  const { parts } = await deadline.during('render', async (signal) => {
    await room.need(page.text?.length ?? page.bytes.length, signal)
    return needs.reader.read(page, wish, signal)
  })
  return { fetched: { page, parts, way: 'basic', warnings: [] }, notes }
}

/** Page → document. With the notes of a kept page there is nothing to keep, and less to read. */
async function readOut(
  needs: ScrapeNeeds,
  walk: Walk & { fetched: Fetched; notes?: PageNotes },
): Promise<Outcome<Document>> {
  const { job, plan, deadline, fetched } = walk
  const { page } = fetched
  const request = job.input
  const who = whoOf(job)
  const wishes = wishesFor(needs, plan)
  const file = await readFile(needs, page, { request, plan, deadline, wishes, who })
  const content = file?.content ?? fetched.parts ?? standIn(page, request)
  if (!content) throw unsupportedFile(page)
  needs.onRead?.(page, content)
  // Before the formats are rendered: what is noted of a page must not depend on what was asked of it.
  const notes = notesOf(walk, content, file)
  const keeping = walk.notes ? undefined : needs.cache.keep(job.teamId, plan.cache, { page, notes })
  const keepFile = plan.retain ? keeper(needs.files, job.teamId) : inlineFile
  const history = plan.retain
    ? changeHistory(
        { ...needs.histories, reader: needs.reader },
        { who, url: plan.fetch.url, page },
        deadline,
      )
    : undefined
  const audio = () => audioOf(needs, plan, fetched, deadline.signal)
  const kit = { page, isFile: file !== undefined, keepFile, history, audio, signal: deadline.signal }
  const rendered = await deadline.during('render', () => renderFormats(request.formats, content, kit))
  const actions = page.captures?.actions && (await handOut(page.captures.actions, keepFile))
  const isHit = walk.notes !== undefined
  const pages = file?.paged?.converted ?? []
  const { surcharge } = rendered
  const facts = { cache: isHit ? ('hit' as const) : ('miss' as const), way: fetched.way, surcharge }
  const credits = priceOf(request, { ...facts, pages: pages.length })
  await keeping
  await history?.commit()
  const warnings = new Set([
    ...[...plan.warnings, ...withoutProxy(needs, plan), ...notes.warnings, ...(file?.warnings ?? [])],
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
  refuseLargeAnswer(document, needs.bounds.answerBytes)
  return { credits, result: document }
}

function withoutProxy({ ladder }: ScrapeNeeds, { fetch }: ScrapePlan): string[] {
  const hasProxy = fetch.proxy !== 'enhanced' || ladder.ways(fetch).enhanced.upstream !== undefined
  return hasProxy ? [] : ['proxy: no enhanced proxy is configured (PROXY_ENHANCED_URL), so basic was used.']
}

function notesOf(
  { fetched, notes }: { fetched: Fetched; notes?: PageNotes },
  content: PageParts,
  file: ReadDocument | undefined,
): PageNotes {
  // What a file says of itself depends on how it is parsed, and every call that reads it converts it anyway.
  if (file) return { metadata: undefined, warnings: notes?.warnings ?? fetched.warnings }
  const metadata = notes?.metadata ?? content.metadata()
  return { metadata, warnings: notes?.warnings ?? [...fetched.warnings, ...content.warnings()] }
}

/** A file has nothing to read, but a recording may be asked for as audio, and anything as its bytes. */
function standIn(page: Page, request: ScrapeRequest): PageParts | undefined {
  if (!takesFile(request.formats, page)) return undefined
  const nothing = (value: unknown) => ({ value, warnings: [] })
  const [text, list, metadata] = [nothing(''), nothing([]), nothing({})]
  const links = nothing({ links: [], next: undefined, canonical: undefined })
  return pageParts({
    ...{ metadata, markdown: text, html: text, rawHtml: text, tracked: text, follow: links },
    ...{ links: list, images: list, media: list },
    attributes: nothing({ found: [] }),
    product: nothing({ ok: false, reason: 'the address holds a file' }),
  })
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
  return makeAudio(how, fetched.page, fetched.parts?.media() ?? [], signal)
}

function miss(request: ScrapeRequest, plan: ScrapePlan): Outcome<Document> {
  const credits = request.lockdown
    ? priceOf(request, { cache: 'miss', way: 'basic', surcharge: 0, pages: 0 })
    : 0
  const missing = plan.cache.neverKept ?? (plan.cache.picture ? 'screenshot' : undefined)
  if (missing === undefined) return { credits, error: new AppError(plan.cache.missCode) }
  const option = request.lockdown ? 'lockdown' : 'minAge'
  const message = plan.cache.neverKept
    ? `${missing} cannot be answered from the cache, and ${option} forbids fetching. Leave out one of the two.`
    : `No kept copy of this URL has the screenshot that is asked for, and ${option} forbids fetching it.`
  return { credits, error: new AppError(plan.cache.missCode, { missing }, { message }) }
}

function priceOf(
  request: ScrapeRequest,
  facts: { cache: 'hit' | 'miss'; way: 'basic' | 'enhanced'; surcharge: number; pages: number },
): number {
  return scrapePrice({
    lockdown: request.lockdown ? facts.cache : 'off',
    isEnhanced: facts.way === 'enhanced',
    surcharge: facts.surcharge,
    pages: facts.pages,
    zeroRetention: request.zeroDataRetention,
  })
}

function unsupportedFile(page: Page): AppError {
  const contentType = page.headers['content-type'] ?? 'unknown'
  const message = `The URL holds a file (${contentType}) that this installation does not turn into text.`
  return new AppError('SCRAPE_UNSUPPORTED_FILE_ERROR', { phase: 'read', contentType }, { message })
}
