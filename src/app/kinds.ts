import type { ModelOfTeam } from '../accounts/team-models.ts'
import type { Profiles } from '../browser/profile/profiles.ts'
import type { DocumentNeeds } from '../documents/read-document.ts'
import type { FetchNeeds } from '../engine/fetch-page.ts'
import type { PageBounds } from '../engine/fetch-plan.ts'
import {
  type CrawlPageRequest,
  type CrawlStartInput,
  crawlStartKind,
  pageInput,
  startInput,
} from '../features/crawl/job-inputs.ts'
import { crawlMemory } from '../features/crawl/memory.ts'
import { crawlPage, isCrawlPage } from '../features/crawl/page.ts'
import { runCrawlStart } from '../features/crawl/start.ts'
import { robotsMemory } from '../features/discover/robots-files.ts'
import { siteFiles } from '../features/discover/site-files.ts'
import type { FileShelf } from '../features/files.ts'
import { type MapRequest, type MapResult, mapSite } from '../features/map.ts'
import { type ParsedDocument, type ParseInput, parse } from '../features/parse.ts'
import type { PageCache } from '../features/scrape/cache.ts'
import { readOnlyScrape } from '../features/scrape/read-only.ts'
import type { Document, ScrapeRequest } from '../features/scrape/schema.ts'
import { scrape, scrapeFromCache } from '../features/scrape/scrape.ts'
import { fileGetter, linkReader } from '../features/scrape/site-reader.ts'
import type { AmongPages } from '../features/scrape/walk.ts'
import type { LookUpNeeds } from '../features/search/look-up.ts'
import type { SearchRequest } from '../features/search/schema.ts'
import { type SearchFindings, search } from '../features/search/search.ts'
import { defineBackgroundJob, defineJob, type RunningJob } from '../jobs/job.ts'
import type { RunNeeds } from '../jobs/run-job.ts'
import type { HttpClient } from '../network/client.ts'
import type { PageReader } from '../page-threads/page-reader.ts'
import type { PageRooms } from '../page-threads/page-rooms.ts'
import type { Indexing } from '../search/indexing.ts'
import type { SentenceComparison } from '../search/sentence-model/compare-sentences.ts'
import { extractKinds } from './extract-kinds.ts'
import { researchKinds } from './research-kinds.ts'

export interface KindNeeds extends RunNeeds {
  cache: PageCache
  files: FileShelf
  fetching: FetchNeeds
  documents: DocumentNeeds
  profiles: Profiles
  reader: PageReader
  indexing: Pick<Indexing, 'offer'>
  searching: LookUpNeeds
  sentences: SentenceComparison | undefined
  retentionHours: number
  rooms: PageRooms
  bounds: { page: PageBounds; answerBytes: number }
  client: HttpClient
  models: ModelOfTeam
  ffmpeg: string | undefined
  publicUrl: () => string
}

/** The kinds of jobs, each bound to what its run needs. */
export function jobKinds(needs: KindNeeds) {
  const site = siteFiles({ ...needs, get: fileGetter(needs.fetching, needs.client) })
  const crawls = crawlMemory(needs)
  const scraping = { ...needs, histories: needs, audio: needs }
  const crawling = {
    ...needs,
    crawls,
    robots: robotsMemory(site, needs.clock.now),
    scrape: (job: RunningJob<ScrapeRequest>, signal: AbortSignal, among: AmongPages) =>
      scrape(scraping, job, signal, among),
  }
  const hasBrowser = needs.fetching.engines.some(({ name }) => name === 'chromium')
  /** What the exploration of a site needs, on behalf of a team. */
  const discovering = (teamId: string, request: Pick<ScrapeRequest, 'headers' | 'location'>) => ({
    files: site,
    readLinks: linkReader(needs, { teamId, headers: request.headers, location: request.location }),
  })
  return {
    discovering,
    readOnlyScrape: readOnlyScrape(scraping),
    scrape: defineBackgroundJob<ScrapeRequest | CrawlPageRequest, Document>({
      kind: 'scrape',
      takesSlot: true,
      input: pageInput,
      // Keep their names, so that a replay of the page can say what is missing.
      onRecord: ({ headers, ...kept }) => ({ ...kept, headerNames: Object.keys(headers) }),
      atOnce: (job, signal) => scrapeFromCache(scraping, job, signal),
      run: async (job, signal) =>
        isCrawlPage(job) ? crawlPage(crawling, job, signal) : (await scrape(scraping, job, signal)).outcome,
    }),
    crawlStart: defineBackgroundJob<CrawlStartInput, object>({
      kind: crawlStartKind,
      takesSlot: false,
      input: startInput,
      onRecord: (input) => input,
      run: (job, signal) => runCrawlStart({ ...needs, crawls, files: site }, job, signal),
    }),
    map: defineJob<MapRequest, MapResult>({
      kind: 'map',
      takesSlot: true,
      onRecord: ({ headers: _, ...kept }) => kept,
      run: (job, signal) =>
        mapSite({ ...needs, discovering: (request) => discovering(job.teamId, request) }, job, signal),
    }),
    search: defineJob<SearchRequest, SearchFindings>({
      kind: 'search',
      takesSlot: true,
      onRecord: ({ scrapeOptions: _, ...kept }) => kept,
      run: (job, signal) => search({ ...needs.searching, clock: needs.clock }, job, signal),
    }),
    ...researchKinds({ ...needs.searching, clock: needs.clock }),
    ...extractKinds({ ...needs, discovering, hasBrowser }),
    parse: defineJob<ParseInput, ParsedDocument>({
      kind: 'parse',
      takesSlot: true,
      onRecord: ({ file, options: { headers: _, ...options } }) => ({ file: file.name, options }),
      run: (job, signal) => parse(needs, job, signal),
    }),
  }
}

export type JobKinds = ReturnType<typeof jobKinds>
