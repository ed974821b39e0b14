import type { Store } from '../store/schema.ts'
import { findUnindexedTeams } from '../store/teams.ts'
import type { IndexResult, IndexSearch } from './index/search-index.ts'
import type { ModelProcess } from './sentence-model/model-process.ts'
import type { SearchThread } from './thread/search-thread.ts'

export type PageSearchResult = Pick<
  IndexResult,
  'found' | 'documents' | 'withoutVector' | 'unindexed' | 'unknown'
> & {
  /** True if the sentence model should have ranked the pages and did not answer. */
  lacksMeaning?: true
  /** Why no page was searched; undefined if pages were searched. */
  exclusion?: string
}

/** Searches the stored pages of a team. */
export type SearchPages = (
  wanted: Omit<IndexSearch, 'vector'>,
  options: { now: number; signal: AbortSignal },
) => Promise<PageSearchResult>

interface PageSearchDeps {
  store: Store
  /** `off`: no page is searched. */
  index: 'on' | 'off'
  thread: Pick<SearchThread, 'ask'>
  /** Undefined: words alone rank pages. */
  model: Pick<ModelProcess, 'embed'> | undefined
  /** Called after a search that found pages without vectors. */
  onMissingVectors(): void
}

/** Without a vector in this time, words alone rank the pages. */
const vectorMs = 8000

/** Searches in the thread of the index. If that wants the vector of the query, it is made and the search is repeated with it. */
export function createPageSearch(deps: PageSearchDeps): SearchPages {
  const { thread, model, onMissingVectors } = deps
  return async (wanted, { now, signal }) => {
    const exclusion = await findExclusion(deps, wanted.teamId)
    if (exclusion !== undefined) return { found: [], documents: 0, withoutVector: 0, unindexed: 0, exclusion }
    const search = (asked: IndexSearch) => thread.ask({ kind: 'search', wanted: asked, now }, signal)
    if (!model) return { ...(await search({ ...wanted, vector: null })), withoutVector: 0 }
    const first = await search(wanted)
    if (first.withoutVector > 0) onMissingVectors()
    if (first.wantsVector === undefined) return first
    // Vectors are not shared between searches: their speed would reveal the queries of other teams.
    const limited = AbortSignal.any([signal, AbortSignal.timeout(vectorMs)])
    const outcome = await model
      .embed([first.wantsVector], { who: { team: wanted.teamId }, signal: limited })
      .catch(() => undefined)
    signal.throwIfAborted()
    const vector = outcome && 'vectors' in outcome ? outcome.vectors[0] : undefined
    return {
      ...(await search({ ...wanted, vector: vector ?? null })),
      ...(vector ? {} : { lacksMeaning: true }),
    }
  }
}

/** Read from the store at each search, because a team is excluded from one second to the next. */
async function findExclusion({ store, index }: PageSearchDeps, teamId: string): Promise<string | undefined> {
  if (index === 'off')
    return 'own pages are not searched, because the operator has switched off their index (SEARCH_INDEX=off)'
  const unindexed = await findUnindexedTeams(store.query, [teamId])
  return unindexed.has(teamId)
    ? 'own pages are not searched, because the operator has switched off the search index of this team (searchIndex)'
    : undefined
}
