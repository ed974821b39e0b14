import type { Store } from '../store/schema.ts'
import { findUnindexedTeams } from '../store/teams.ts'
import type { IndexResult, IndexSearch } from './index/search-index.ts'
import type { ModelProcess } from './sentence-model/model-process.ts'
import type { SearchThread } from './thread/search-thread.ts'

export type PageSearchResult = Pick<
  IndexResult,
  'found' | 'documents' | 'withoutVector' | 'unindexed' | 'unknown'
> & {
  lacksMeaning?: true
  exclusion?: string
}

export type SearchPages = (
  request: Omit<IndexSearch, 'vector'>,
  options: { now: number; signal: AbortSignal },
) => Promise<PageSearchResult>

interface PageSearchDeps {
  store: Store
  index: 'on' | 'off'
  thread: Pick<SearchThread, 'ask'>
  model: Pick<ModelProcess, 'embed'> | undefined
  onMissingVectors(): void
}

const vectorMs = 8000

/** If the index thread requests the vector of the query, the search is repeated with it. */
export function createPageSearch(deps: PageSearchDeps): SearchPages {
  const { thread, model, onMissingVectors } = deps
  return async (request, { now, signal }) => {
    const exclusion = await findExclusion(deps, request.teamId)
    if (exclusion !== undefined) return { found: [], documents: 0, withoutVector: 0, unindexed: 0, exclusion }
    const search = (indexSearch: IndexSearch) =>
      thread.ask({ kind: 'search', wanted: indexSearch, now }, signal)
    if (!model) return { ...(await search({ ...request, vector: null })), withoutVector: 0 }
    const first = await search(request)
    if (first.withoutVector > 0) onMissingVectors()
    if (first.vectorText === undefined) return first
    // Vectors are not cached: a fast response would reveal the queries of other teams.
    const vectorSignal = AbortSignal.any([signal, AbortSignal.timeout(vectorMs)])
    const outcome = await model
      .embed([first.vectorText], { who: { team: request.teamId }, signal: vectorSignal })
      .catch(() => undefined)
    signal.throwIfAborted()
    const vector = outcome && 'vectors' in outcome ? outcome.vectors[0] : undefined
    return {
      ...(await search({ ...request, vector: vector ?? null })),
      ...(vector ? {} : { lacksMeaning: true }),
    }
  }
}

/** Read from the store at each search, because a team can be excluded at any time. */
async function findExclusion({ store, index }: PageSearchDeps, teamId: string): Promise<string | undefined> {
  if (index === 'off')
    return 'own pages are not searched, because the operator has switched off their index (SEARCH_INDEX=off)'
  const unindexed = await findUnindexedTeams(store.query, [teamId])
  return unindexed.has(teamId)
    ? 'own pages are not searched, because the operator has switched off the search index of this team (searchIndex)'
    : undefined
}
