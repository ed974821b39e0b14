import type { z } from 'zod'
import { fold, splitWords } from '../../extraction/text/words.ts'
import { mergePapers } from '../../search/papers/merge-papers.ts'
import type { Paper, PaperRelation } from '../../search/papers/paper.ts'
import type { WebResponse } from '../../search/web/search-providers.ts'
import {
  catalogueFor,
  keyOf,
  lookUpPaper,
  notAvailable,
  papersOf,
  type ResearchDeps,
  requestOf,
  resultOf,
  throwIfAllFailed,
  warningOf,
} from './research.ts'
import type { SimilarRequest, similarResponse } from './research-schema.ts'

/** The only open catalogue with citing and cited papers. */
const graphProvider = 'openalex'

export async function similarPapers(
  deps: ResearchDeps,
  { id, intent, mode, k, rerank, anchor }: SimilarRequest,
): Promise<z.input<typeof similarResponse>> {
  const graphDeps = {
    ...deps,
    providers: deps.providers.filter(({ provider }) => provider.name === graphProvider),
  }
  if (graphDeps.providers.length === 0)
    throw notAvailable('related papers', `They need the provider ${graphProvider} in SEARCH_PROVIDERS.`)
  const seeds = await Promise.all([id, ...anchor].map((paperId) => lookUpPaper(graphDeps, keyOf(paperId))))
  const ownIds = seeds.flatMap(({ paper }) => paper.ids.openalex ?? [])
  const responses = await Promise.all(ownIds.map((openalexId) => relatedTo(graphDeps, mode, openalexId)))
  throwIfAllFailed(responses)
  const lists = responses.map(({ results }) => papersOf(results))
  const overlap = countOverlaps(lists)
  const pool = mergePapers(lists).filter(
    ({ paper }) => !paper.ids.openalex?.some((id) => ownIds.includes(id)),
  )
  const semantic = scoreRelevance(
    pool.map(({ paper }) => paper),
    intent,
  )
  const ranked = pool
    .map(({ paper, score }, index) => {
      const seedOverlap = overlap.get(nameOf(paper)) ?? 1
      const signals = {
        ...{ structural: score, semantic: semantic[index] ?? 0 },
        ...{ articleRank: paper.citations ?? 0, seedOverlap },
      }
      return { ...resultOf({ paper, score: score + signals.semantic }), signals }
    })
    .sort((first, second) => second.score - first.score)
  const unused = rerank === undefined ? [] : ['No effect here: rerank']
  return {
    results: ranked.slice(0, k),
    poolSize: ranked.length,
    truncated: ranked.length > k,
    note: ranked.length === 0 ? 'The catalogue of citations connects no paper to it.' : null,
    ...warningOf(responses, unused),
  }
}

async function relatedTo(
  deps: ResearchDeps,
  relation: PaperRelation,
  openalexId: string,
): Promise<WebResponse> {
  const request = requestOf(deps, { limit: 100 })
  const query = { kind: 'related' as const, relation, openalexId }
  const [catalogue] = deps.providers.flatMap((provider) => catalogueFor(provider, query, request))
  return catalogue
    ? deps.queryProvider(catalogue, request)
    : { results: [], answeredBy: [], failures: [], unmet: [] }
}

function countOverlaps(lists: readonly (readonly Paper[])[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const list of lists)
    for (const name of new Set(list.map(nameOf))) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

const nameOf = ({ ids, url }: Paper): string => ids.openalex?.[0] ?? url

/** Scores from 0 to 1. Words that occur in many of the papers have a low weight. */
function scoreRelevance(papers: readonly Paper[], intent: string): number[] {
  const intentWords = [...new Set(splitWords(intent).map(fold))]
  const texts = papers.map(({ title, text }) => new Set(splitWords(`${title} ${text}`).map(fold)))
  const weights = intentWords.map((word) => {
    const matching = texts.filter((words) => words.has(word)).length
    return Math.log(1 + texts.length / (1 + matching))
  })
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0) || 1
  return texts.map(
    (words) =>
      intentWords.reduce((sum, word, index) => sum + (words.has(word) ? (weights[index] ?? 0) : 0), 0) /
      totalWeight,
  )
}
