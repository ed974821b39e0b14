import { bestEffort } from '../../base/best-effort.ts'
import type { StorageState } from '../../browser/profile/profile-state.ts'
import type { Profiles } from '../../browser/profile/profiles.ts'
import type { Page } from '../../content/page.ts'
import { typeOfMediaType, typeOfName } from '../../documents/index.ts'
import { pageFields, planParsers } from '../../documents/options.ts'
import { fetchPage } from '../../engine/fetch-page.ts'
import type { FetchPlan } from '../../engine/fetch-plan.ts'
import { formatNeeding, useModel } from '../../formats/index.ts'
import type { Outcome, RunningJob } from '../../jobs/job.ts'
import type { PageRooms } from '../../page-threads/page-rooms.ts'
import { writeDocument } from '../write-document.ts'
import type { KeptPage } from './cache.ts'
import { cacheMiss } from './cache-miss.ts'
import { metadataOf } from './call-metadata.ts'
import { inProfile } from './in-profile.ts'
import { noteCache, notePlan, noteRead, noteWritten } from './note-steps.ts'
import { planScrape, type ScrapePlan } from './plan.ts'
import { priceOf } from './price.ts'
import { isConverted } from './read-file.ts'
import { type ReadPage, readFetched, readKept } from './read-page.ts'
import { type RenderedPage, renderPage } from './render-page.ts'
import type { Document, ScrapeRequest } from './schema.ts'
import {
  type AmongPages,
  poolJobOf,
  type ReadNeeds,
  type Scraped,
  startWalk,
  type Walk,
  whoOf,
} from './walk.ts'

export interface ScrapeNeeds extends ReadNeeds {
  profiles: Profiles
  rooms: PageRooms
}

/** The road of a scrape, top to bottom. */
export async function scrape(
  needs: ScrapeNeeds,
  job: RunningJob<ScrapeRequest>,
  signal: AbortSignal,
  among?: AmongPages,
): Promise<Scraped> {
  return needs.rooms(whoOf(job), async (room) => {
    const plan = planScrape(job.input, job.teamId, among?.site)
    const walk = startWalk(job, { plan, room, signal, among })
    notePlan(walk)
    const isCacheOnly = !plan.cache.fetchOnMiss
    if (isCacheOnly && plan.cache.neverKept !== undefined) return { outcome: cacheMiss(job.input, plan) }
    const kept = await lookUp(needs, walk)
    if (kept) return answer(needs, walk, await readKept(needs, walk, kept))
    if (isCacheOnly) return { outcome: cacheMiss(job.input, plan) }
    if (plan.profile)
      return inProfile(needs.profiles, { ...walk, ...plan.profile }, (saved) =>
        scrapeFresh(needs, walk, saved),
      )
    return scrapeFresh(needs, walk)
  })
}

/** The part of the road that needs nothing but a kept page; undefined where there is none, or more is asked for. */
export async function scrapeFromCache(
  needs: ScrapeNeeds,
  job: RunningJob<ScrapeRequest>,
  signal: AbortSignal,
): Promise<Outcome<Document> | undefined> {
  if (formatNeeding(job.input.formats, 'picture', 'openPage', 'history', 'network')) return undefined
  if (useModel(job.input.formats) && needs.models(job.teamId)) return undefined
  return needs.rooms(whoOf(job), async (room) => {
    const plan = planScrape(job.input, job.teamId)
    if (!plan.cache.fetchOnMiss && plan.cache.neverKept !== undefined) return undefined
    const walk = startWalk(job, { plan, room, signal, among: undefined })
    notePlan(walk)
    const kept = await lookUp(needs, walk)
    if (!kept || isConverted(kept.page, job.input)) return undefined
    return (await answer(needs, walk, await readKept(needs, walk, kept))).outcome
  })
}

async function lookUp(needs: ScrapeNeeds, walk: Walk): Promise<KeptPage | undefined> {
  const { job, plan, deadline } = walk
  const kept = await deadline.during('cache', () => needs.cache.lookUp(job.teamId, plan.cache))
  noteCache(walk, kept)
  return kept
}

/** The rest of the road, for a page that is not kept. */
async function scrapeFresh(
  needs: ScrapeNeeds,
  walk: Walk,
  profile?: FetchPlan['profile'],
): Promise<Scraped & { state: StorageState | undefined }> {
  const { job, plan, deadline, room, wishes } = walk
  const fetching = { ...plan.fetch, profile, room, wishes, mostBytes: needs.bounds.page, trace: job.trace }
  const { isBackground } = job
  const fetched = await fetchPage(
    needs.fetching,
    { ...fetching, jobId: poolJobOf(job), isBackground },
    deadline,
  )
  if (job.isBackground) await job.giveWay()
  const read = await readFetched(needs, walk, fetched)
  return { ...(await answer(needs, walk, read)), state: fetched.state }
}

/** A page that was read → the end of the call. */
async function answer(needs: ScrapeNeeds, walk: Walk, read: ReadPage): Promise<Scraped> {
  const { job, plan } = walk
  const { page } = read.fetched
  // Beside the rendering; what came from the cache is there already.
  const keeping = read.isHit
    ? undefined
    : needs.cache.keep(job.teamId, plan.cache, { page, notes: read.notes })
  // No caller waits for it.
  if (!read.isHit)
    void bestEffort(needs.log, 'a page could not be offered to the index', () =>
      offerToIndex(needs, walk, read),
    )
  noteRead(walk, read)
  const began = performance.now()
  const rendered = await renderPage(needs, walk, read)
  const uncached = await keeping
  const unrecorded = await rendered.commit()
  const recording = [...(uncached === undefined ? [] : [uncached]), ...unrecorded]
  const warnings = [...warningsOf(needs, walk, read, rendered), ...recording]
  noteWritten(walk, rendered, { ms: Math.round(performance.now() - began), warnings })
  return {
    outcome: describe(needs, walk, read, { ...rendered, warnings }),
    read: { page, parts: read.content },
  }
}

/** A page that is kept can be searched; what is read of it later says no more. */
async function offerToIndex(needs: ScrapeNeeds, { job, plan }: Walk, read: ReadPage): Promise<void> {
  const { page } = read.fetched
  if (!plan.cache.write) return
  const isGone = page.status === 404 || page.status === 410
  if (page.status >= 400 && !isGone) return
  const fields = isGone ? noFields : await read.content.search()
  if (!fields) return
  const type = read.file ? fileType(page) : 'html'
  needs.indexing.offer({ teamId: job.teamId, url: page.url, type, fields, fetchedAt: page.fetchedAt })
}

/** What the index gets for a page that is there no more. */
const noFields = new Uint8Array()

function fileType({ url, headers }: Page): string {
  const type = typeOfName(new URL(url).pathname) ?? typeOfMediaType(headers['content-type'])
  return type?.name ?? 'file'
}

/** Everything that is known of a call → its document and its price. */
function describe(needs: ScrapeNeeds, walk: Walk, read: ReadPage, rendered: RenderedPage): Outcome<Document> {
  const { job, plan } = walk
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
    needs.bounds.answerBytes,
  )
  return { credits, result }
}

/** All that the caller should know. */
function warningsOf(needs: ScrapeNeeds, { plan }: Walk, read: ReadPage, rendered: RenderedPage): string[] {
  const { notes, file, content } = read
  const ofPage = [...notes.warnings, ...(file?.warnings ?? [])]
  const warnings = [...plan.warnings, ...withoutProxy(needs, plan), ...ofPage]
  return [...new Set([...warnings, ...rendered.warnings, ...content.warnings()])]
}

function withoutProxy({ fetching }: ScrapeNeeds, { fetch }: ScrapePlan): string[] {
  const hasProxy = fetch.proxy !== 'enhanced' || fetching.tiers(fetch).enhanced.upstream !== undefined
  return hasProxy ? [] : ['proxy: no enhanced proxy is configured (PROXY_ENHANCED_URL), so basic was used.']
}
