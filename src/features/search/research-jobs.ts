import { searchPrice } from '../../accounts/prices.ts'
import { defineJob, type JobKind } from '../../jobs/job.ts'
import { startDeadline } from '../../platform/deadline.ts'
import type { ProviderRequest, SearchCategory } from '../../search/providers/provider.ts'
import type { ConfiguredProvider } from '../../search/providers/provider-caller.ts'
import type { Query } from '../../search/query/query.ts'
import { queryAll } from '../../search/web/search-providers.ts'
import { searchDeveloper } from './developer.ts'
import { getPaper, searchPapers, searchResearchGithub } from './research.ts'
import type { SearchDeps } from './search.ts'
import { similarPapers } from './similar-papers.ts'

export const researchTime = 60_000
export const lookUpPrice = 1

export function researchKinds(deps: SearchDeps) {
  const paperDeps = callDeps(deps, 'research')
  const codeDeps = callDeps(deps, 'github')
  return {
    papers: defineResearch('research', paperDeps, searchPapers),
    paper: defineResearch('research', paperDeps, getPaper),
    similarPapers: defineResearch('research', paperDeps, similarPapers),
    researchGithub: defineResearch('research', codeDeps, searchResearchGithub),
    developerSearch: defineResearch('developer_search', codeDeps, searchDeveloper),
  }
}

export const resultPrice = (results: number) => searchPrice({ results, zeroRetention: false })

function defineResearch<Request, Response extends object>(
  name: string,
  depsFor: ReturnType<typeof callDeps>,
  run: (deps: ReturnType<ReturnType<typeof callDeps>>, request: Request) => Promise<Response>,
): JobKind<Request, Response> {
  return defineJob<Request, Response>({
    kind: name,
    takesSlot: true,
    toRecordedInput: (request) => request,
    async run(job, signal) {
      const deadline = startDeadline(researchTime - job.spentMs, 'SCRAPE_TIMEOUT', signal)
      const result = await deadline.during('search', (time) => run(depsFor(job.teamId, time), job.input))
      const count = 'results' in result && Array.isArray(result.results) ? result.results.length : undefined
      return { credits: count === undefined ? lookUpPrice : resultPrice(count), result }
    },
  })
}

function callDeps(
  { providerCaller, clock, providers, searchPages, indexPermits }: SearchDeps,
  category: SearchCategory,
) {
  return (teamId: string, signal: AbortSignal) => ({
    clock,
    providers: providers.groupsFor(category).flat(),
    queryProvider: (provider: ConfiguredProvider, request: ProviderRequest) =>
      queryAll(providerCaller, [provider], request, { teamId, isPrivate: false, signal }),
    searchIndexedPages(query: Query, limit: number) {
      const criteria = {
        ...{ teamId, kind: 'page' as const, query, limit },
        ...{ range: { isNewestFirst: false }, isNews: false },
      }
      return indexPermits.run({ team: teamId }, signal, () =>
        searchPages(criteria, { now: clock.now(), signal }),
      )
    },
  })
}
