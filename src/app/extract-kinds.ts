import type { ModelOfTeam } from '../accounts/team-models.ts'
import type { Clock } from '../base/clock.ts'
import { endRun } from '../features/agent/end.ts'
import { runStep } from '../features/agent/step.ts'
import {
  type EndInput,
  type EndResult,
  endInput,
  endKind,
  type StepInput,
  type StepResult,
  stepInput,
  stepKind,
} from '../features/agent/stored.ts'
import type { DiscoverNeeds } from '../features/discover/discover.ts'
import { findPages } from '../features/extract/find.ts'
import { type ExtractResult, mergeExtract } from '../features/extract/merge.ts'
import {
  type FindInput,
  type FindResult,
  findInput,
  findKind,
  mergeInput,
  mergeKind,
} from '../features/extract/stored.ts'
import type { GatherNeeds } from '../features/gather/gather-work.ts'
import type { ReadingNeeds } from '../features/gather/read-pages.ts'
import type { SearchForPages } from '../features/gather/search-pages.ts'
import type { ScrapeRequest } from '../features/scrape/schema.ts'
import { withoutAbsentSources } from '../features/search/absent-sources.ts'
import type { LookUpNeeds } from '../features/search/look-up.ts'
import { searchRequest } from '../features/search/schema.ts'
import { search } from '../features/search/search.ts'
import { defineBackgroundJob } from '../jobs/job.ts'

export interface ExtractKindNeeds extends ReadingNeeds, GatherNeeds {
  clock: Clock
  models: ModelOfTeam
  hasBrowser: boolean
  searching: LookUpNeeds
  discovering(teamId: string, request: Pick<ScrapeRequest, 'headers' | 'location'>): DiscoverNeeds
}

/** The helper jobs of extracts and agents: they choose what is read, and join what it says. */
export function extractKinds(needs: ExtractKindNeeds) {
  const finding = {
    ...needs,
    search: searchForPages(needs),
    discovering: (teamId: string, { scrapeOptions }: { scrapeOptions?: DiscoverOptions | undefined }) =>
      needs.discovering(teamId, { headers: scrapeOptions?.headers ?? {}, location: scrapeOptions?.location }),
  }
  const stepping = {
    ...finding,
    discovering: (teamId: string) => needs.discovering(teamId, { headers: {}, location: undefined }),
  }
  return {
    extractFind: defineBackgroundJob<FindInput, FindResult>({
      kind: findKind,
      // It reads pages of a site for their links, as a map does.
      takesSlot: true,
      input: findInput,
      // Headers may hold secrets of the caller, and the pages have them by now.
      onRecord: () => ({}),
      run: (job, signal) => findPages(finding, job, signal),
    }),
    extractMerge: defineBackgroundJob<object, ExtractResult>({
      kind: mergeKind,
      takesSlot: false,
      input: mergeInput,
      onRecord: (input) => input,
      run: (job, signal) => mergeExtract(needs, job, signal),
    }),
    agentStep: defineBackgroundJob<StepInput, StepResult>({
      kind: stepKind,
      takesSlot: true,
      input: stepInput,
      onRecord: (input) => input,
      run: (job, signal) => runStep(stepping, job, signal),
    }),
    agentEnd: defineBackgroundJob<EndInput, EndResult>({
      kind: endKind,
      takesSlot: false,
      input: endInput,
      onRecord: (input) => input,
      run: (job, signal) => endRun(needs, job, signal),
    }),
  }
}

type DiscoverOptions = Pick<ScrapeRequest, 'headers' | 'location'>

/** Most that a search of a job takes. */
const searchMs = 30_000

function searchForPages({ searching, clock }: ExtractKindNeeds): SearchForPages {
  return async (job, { query, limit, ms }, signal) => {
    const asked = searchRequest.parse({ query, limit, timeout: Math.min(ms, searchMs) })
    const { request: input } = withoutAbsentSources(asked)
    const outcome = await search({ ...searching, clock }, { ...job, input, spentMs: 0 }, signal)
    if ('error' in outcome) throw outcome.error
    const { data, warnings } = outcome.result
    const results = (data.web ?? []).map(({ url, title, description }) => ({ url, title, description }))
    return { results, credits: outcome.credits, warnings }
  }
}
