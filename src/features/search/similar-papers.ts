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

/** The only open catalogue that has citations in both directions. */
const graph = 'openalex'

/** Papers that the graph of citations connects to others, in the order of what they should be about. */
export async function similarPapers(
  deps: ResearchDeps,
  { id, intent, mode, k, rerank, anchor }: SimilarRequest,
): Promise<z.input<typeof similarResponse>> {
  const citing = { ...deps, providers: deps.providers.filter(({ provider }) => provider.name === graph) }
  if (citing.providers.length === 0)
    throw notAvailable('related papers', `They need the provider ${graph} in SEARCH_PROVIDERS.`)
  const seeds = await Promise.all([id, ...anchor].map((each) => lookUpPaper(citing, keyOf(each))))
  const ownIds = seeds.flatMap(({ paper }) => paper.ids.openalex ?? [])
  const answers = await Promise.all(ownIds.map((openalexId) => relatedTo(citing, mode, openalexId)))
  throwIfAllFailed(answers)
  const lists = answers.map(({ results }) => papersOf(results))
  const overlap = overlaps(lists)
  const pool = mergePapers(lists).filter(({ paper }) => !isOneOf(paper, ownIds))
  const semantic = agreements(
    pool.map(({ paper }) => paper),
    intent,
  )
  const ranked = pool
    .map(({ paper, score }, place) => {
      const seedOverlap = overlap.get(nameOf(paper)) ?? 1
      const signals = {
        ...{ structural: score, semantic: semantic[place] ?? 0 },
        ...{ articleRank: paper.citations ?? 0, seedOverlap },
      }
      return { ...resultOf({ paper, score: score + signals.semantic }), signals }
    })
    .sort((one, other) => other.score - one.score)
  const unused = rerank === undefined ? [] : ['No effect here: rerank']
  return {
    results: ranked.slice(0, k),
    poolSize: ranked.length,
    truncated: ranked.length > k,
    note: ranked.length === 0 ? 'The catalogue of citations connects no paper to it.' : null,
    ...warningOf(answers, unused),
  }
}

async function relatedTo(
  deps: ResearchDeps,
  relation: PaperRelation,
  openalexId: string,
): Promise<WebResponse> {
  const request = requestOf(deps, { most: 100 })
  const query = { kind: 'related' as const, relation, openalexId }
  const [asked] = deps.providers.flatMap((provider) => catalogueFor(provider, query, request))
  return asked ? deps.ask(asked, request) : { results: [], by: [], failures: [], unmet: [] }
}

function isOneOf({ ids }: Paper, openalexIds: string[]): boolean {
  return (ids.openalex ?? []).some((id) => openalexIds.includes(id))
}

/** With how many of the seeds each paper is connected. */
function overlaps(lists: readonly (readonly Paper[])[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const list of lists)
    for (const name of new Set(list.map(nameOf))) counts.set(name, (counts.get(name) ?? 0) + 1)
  return counts
}

function nameOf({ ids, url }: Paper): string {
  return ids.openalex?.[0] ?? url
}

/** How much of the intent each paper speaks of, 0 to 1; words that many of them have count little. */
function agreements(papers: readonly Paper[], intent: string): number[] {
  const wanted = [...new Set(splitWords(intent).map(fold))]
  const texts = papers.map(({ title, text }) => new Set(splitWords(`${title} ${text}`).map(fold)))
  const weights = wanted.map((word) => {
    const having = texts.filter((words) => words.has(word)).length
    return Math.log(1 + texts.length / (1 + having))
  })
  const all = weights.reduce((sum, weight) => sum + weight, 0) || 1
  return texts.map(
    (words) =>
      wanted.reduce((sum, word, place) => sum + (words.has(word) ? (weights[place] ?? 0) : 0), 0) / all,
  )
}
