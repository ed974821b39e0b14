import { endRun } from '../../features/agent/run.ts'
import { runStep } from '../../features/agent/step.ts'
import { endInput, endKind, stepInput, stepKind } from '../../features/agent/stored.ts'
import {
  type CrawlPageRequest,
  crawlStartKind,
  pageInput,
  startInput,
} from '../../features/crawl/job-inputs.ts'
import { createCrawlCache } from '../../features/crawl/options.ts'
import { crawlPage, isCrawlPage } from '../../features/crawl/page.ts'
import { runCrawlStart } from '../../features/crawl/start.ts'
import type { DiscoverDeps } from '../../features/discover/discover.ts'
import { createRobotsCache } from '../../features/discover/robots-files.ts'
import { createSiteFileReader } from '../../features/discover/site-files.ts'
import { mergeExtract } from '../../features/extract/extract.ts'
import { findPages } from '../../features/extract/find.ts'
import { findInput, findKind, mergeInput, mergeKind } from '../../features/extract/schema.ts'
import type { FileStorage } from '../../features/file-storage.ts'
import { type MapRequest, type MapResult, mapSite } from '../../features/map.ts'
import type { SearchForPages } from '../../features/multi-page/page-jobs.ts'
import type { GatherDeps, PageReadDeps } from '../../features/multi-page/read-pages.ts'
import type { Deps } from '../../features/needs.ts'
import { type ParsedDocument, type ParseInput, parse } from '../../features/parse.ts'
import type { PageCache } from '../../features/scrape/cache.ts'
import type { Document, ScrapeRequest } from '../../features/scrape/schema.ts'
import { readOnlyScrape, scrape, scrapeFromCache } from '../../features/scrape/scrape.ts'
import type { CrawlPageContext } from '../../features/scrape/scrape-call.ts'
import { createFileGetter, createLinkReader } from '../../features/scrape/site-reader.ts'
import { researchKinds } from '../../features/search/research-jobs.ts'
import { type SearchRequest, searchRequest, withoutUnavailableSources } from '../../features/search/schema.ts'
import { type SearchDeps, type SearchFindings, search } from '../../features/search/search.ts'
import { defineBackgroundJob, defineJob, type RunningJob } from '../../jobs/job.ts'
import type { RunDeps } from '../../jobs/run-job.ts'

export interface KindDeps extends RunDeps, Deps {
  cache: PageCache
  files: FileStorage
  searching: SearchDeps
}

type DiscoverOptions = Pick<ScrapeRequest, 'headers' | 'location'>

export function jobKinds(deps: KindDeps) {
  const site = createSiteFileReader({ ...deps, get: createFileGetter(deps.fetching, deps.client) })
  const crawls = createCrawlCache(deps)
  const scrapeDeps = { ...deps, histories: deps, audio: deps }
  const crawlPageDeps = {
    ...deps,
    crawls,
    robots: createRobotsCache(site, deps.clock.now),
    scrape: (job: RunningJob<ScrapeRequest>, signal: AbortSignal, context: CrawlPageContext) =>
      scrape(scrapeDeps, job, signal, context),
  }
  const hasBrowser = deps.fetching.engines.some(({ name }) => name === 'chromium')
  const discoverDepsFor = (teamId: string, { headers, location }: DiscoverOptions) => ({
    files: site,
    readLinks: createLinkReader(deps, { teamId, headers, location }),
  })
  return {
    discoverDepsFor,
    readOnlyScrape: readOnlyScrape(scrapeDeps),
    scrape: defineBackgroundJob<ScrapeRequest | CrawlPageRequest, Document>({
      kind: 'scrape',
      takesSlot: true,
      input: pageInput,
      // Only the names of headers are recorded, so that a replay of the page can report which ones are missing.
      toRecordedInput: ({ headers, ...recorded }) => ({ ...recorded, headerNames: Object.keys(headers) }),
      runImmediately: (job, signal) => scrapeFromCache(scrapeDeps, job, signal),
      run: async (job, signal) =>
        isCrawlPage(job)
          ? crawlPage(crawlPageDeps, job, signal)
          : (await scrape(scrapeDeps, job, signal)).outcome,
    }),
    crawlStart: defineBackgroundJob({
      kind: crawlStartKind,
      takesSlot: false,
      input: startInput,
      toRecordedInput: (input) => input,
      run: (job, signal) => runCrawlStart({ ...deps, crawls, files: site }, job, signal),
    }),
    map: defineJob<MapRequest, MapResult>({
      kind: 'map',
      takesSlot: true,
      toRecordedInput: ({ headers: _, ...recorded }) => recorded,
      run: (job, signal) =>
        mapSite({ ...deps, discoverDepsFor: (request) => discoverDepsFor(job.teamId, request) }, job, signal),
    }),
    search: defineJob<SearchRequest, SearchFindings>({
      kind: 'search',
      takesSlot: true,
      toRecordedInput: ({ scrapeOptions: _, ...recorded }) => recorded,
      run: (job, signal) => search(deps.searching, job, signal),
    }),
    ...researchKinds(deps.searching),
    ...extractKinds({ ...deps, discoverDepsFor, hasBrowser }),
    parse: defineJob<ParseInput, ParsedDocument>({
      kind: 'parse',
      takesSlot: true,
      toRecordedInput: ({ file, options: { headers: _, ...options } }) => ({ file: file.name, options }),
      run: (job, signal) => parse(deps, job, signal),
    }),
  }
}

interface ExtractKindDeps extends PageReadDeps, GatherDeps, Pick<Deps, 'clock' | 'models'> {
  hasBrowser: boolean
  searching: SearchDeps
  discoverDepsFor(teamId: string, request: DiscoverOptions): DiscoverDeps
}

function extractKinds(deps: ExtractKindDeps) {
  const findDeps = {
    ...deps,
    search: searchForPages(deps),
    discoverDepsFor: (teamId: string, { scrapeOptions }: { scrapeOptions?: DiscoverOptions | undefined }) =>
      deps.discoverDepsFor(teamId, {
        headers: scrapeOptions?.headers ?? {},
        location: scrapeOptions?.location,
      }),
  }
  const stepDeps = {
    ...findDeps,
    discoverDepsFor: (teamId: string) => deps.discoverDepsFor(teamId, { headers: {}, location: undefined }),
  }
  return {
    extractFind: defineBackgroundJob({
      kind: findKind,
      // Takes a slot, because it fetches pages of a site for their links, like a `map` job.
      takesSlot: true,
      input: findInput,
      // The input is not recorded: headers may contain secrets of the caller, and the page jobs already contain them.
      toRecordedInput: () => ({}),
      run: (job, signal) => findPages(findDeps, job, signal),
    }),
    extractMerge: defineBackgroundJob({
      kind: mergeKind,
      takesSlot: false,
      input: mergeInput,
      toRecordedInput: (input) => input,
      run: (job, signal) => mergeExtract(deps, job, signal),
    }),
    agentStep: defineBackgroundJob({
      kind: stepKind,
      takesSlot: true,
      input: stepInput,
      toRecordedInput: (input) => input,
      run: (job, signal) => runStep(stepDeps, job, signal),
    }),
    agentEnd: defineBackgroundJob({
      kind: endKind,
      takesSlot: false,
      input: endInput,
      toRecordedInput: (input) => input,
      run: (job, signal) => endRun(deps, job, signal),
    }),
  }
}

const maxSearchMs = 30_000

function searchForPages({ searching }: ExtractKindDeps): SearchForPages {
  return async (job, { query, limit, ms }, signal) => {
    const parsed = searchRequest.parse({ query, limit, timeout: Math.min(ms, maxSearchMs) })
    const { request: input } = withoutUnavailableSources(parsed)
    const outcome = await search(searching, { ...job, input, spentMs: 0 }, signal)
    if ('error' in outcome) throw outcome.error
    const { data, warnings } = outcome.result
    const results = (data.web ?? []).map(({ url, title, description }) => ({ url, title, description }))
    return { results, credits: outcome.credits, warnings }
  }
}
