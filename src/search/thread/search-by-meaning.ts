import type { QueryVector } from '../index/query-vector.ts'
import { type IndexAnswer, type IndexSearch, searchIndex } from '../index/search-index.ts'
import type { SearchStore } from '../index/tables.ts'
import type { EmbedTexts } from './request-vectors.ts'

/** Searches with the vector of the query, if the index needs it; if there is none, the answer says so. */
export async function searchByMeaning(
  store: SearchStore,
  wanted: IndexSearch,
  embedTexts: EmbedTexts,
): Promise<IndexAnswer> {
  let vector: ReturnType<QueryVector> | undefined
  let hasFailed = false
  const find = async (query: string) => {
    const outcome = await embedTexts([query], { team: wanted.teamId })
    hasFailed = !('vectors' in outcome)
    return 'vectors' in outcome ? outcome.vectors[0] : undefined
  }
  // One search has one query. Vectors are not shared between searches: their speed would reveal the queries of other teams.
  const answer = await searchIndex(store, wanted, (query) => {
    vector ??= find(query)
    return vector
  })
  return hasFailed ? { ...answer, lacksMeaning: true } : answer
}
