import { searchPrice } from '../../accounts/prices.ts'
import { defineJob, type JobKind, type RunningJob } from '../../jobs/job.ts'
import type { Clock } from '../../platform/clock.ts'
import { startDeadline } from '../../platform/deadline.ts'
import type { ProviderRequest, SearchCategory } from '../../search/providers/provider.ts'
import type { ConfiguredProvider } from '../../search/providers/provider-caller.ts'
import type { Query } from '../../search/query/query.ts'
import { queryAll } from '../../search/web/search-providers.ts'
import { searchDeveloper } from './developer.ts'
import type { SourceQueryDeps } from './query-sources.ts'
import { getPaper, searchPapers, searchResearchGithub } from './research.ts'
import { similarPapers } from './similar-papers.ts'

export interface ResearchKindDeps extends SourceQueryDeps {
  clock: Clock
}

/** All the time that one of these may take. */
export const researchTime = 60_000
/** What it costs to look up one paper. */
export const lookUpPrice = 1

/** Searches of papers and of code. */
export function researchKinds(deps: ResearchKindDeps) {
  const onPapers = callDeps(deps, 'research')
  const onCode = callDeps(deps, 'github')
  return {
    papers: defineResearch('research', onPapers, searchPapers),
    paper: defineResearch('research', onPapers, getPaper),
    similarPapers: defineResearch('research', onPapers, similarPapers),
    researchGithub: defineResearch('research', onCode, searchResearchGithub),
    developerSearch: defineResearch('developer_search', onCode, searchDeveloper),
  }
}

export function resultPrice(results: number): number {
  return searchPrice({ results, zeroRetention: false })
}

function defineResearch<Request, Answer extends object>(
  name: string,
  needsOf: ReturnType<typeof callDeps>,
  answer: (deps: ReturnType<ReturnType<typeof callDeps>>, request: Request) => Promise<Answer>,
): JobKind<Request, Answer> {
  return defineJob<Request, Answer>({
    kind: name,
    takesSlot: true,
    onRecord: (request) => request,
    async run(job, signal) {
      const deadline = startDeadline(researchTime - job.spentMs, 'SCRAPE_TIMEOUT', signal)
      const result = await deadline.during('search', (time) => answer(needsOf(job, time), job.input))
      const found = 'results' in result && Array.isArray(result.results) ? result.results.length : undefined
      return { credits: found === undefined ? lookUpPrice : resultPrice(found), result }
    },
  })
}

/** What a search needs, on behalf of the team of its job. */
function callDeps(
  { asking, clock, providers, searchPages, turns }: ResearchKindDeps,
  category: SearchCategory,
) {
  return ({ teamId }: Pick<RunningJob<unknown>, 'teamId'>, signal: AbortSignal) => ({
    clock,
    providers: providers.groupsFor(category).flat(),
    ask: (asked: ConfiguredProvider, request: ProviderRequest) =>
      queryAll(asking, [asked], request, { teamId, isPrivate: false, signal }),
    searchOwn(query: Query, limit: number) {
      const wanted = {
        ...{ teamId, kind: 'page' as const, query, limit },
        ...{ range: { isNewestFirst: false }, isNews: false },
      }
      return turns.run({ team: teamId }, signal, () => searchPages(wanted, { now: clock.now(), signal }))
    },
  })
}
