import type { PageToIndex } from '../../src/search/index/page-documents.ts'
import { atLeast, type Figure, figure } from '../figure.ts'
import { addPages, findUrls } from './find-urls.ts'
import { type KnownItem, knownItems } from './known-queries.ts'
import type { BenchStore } from './stores.ts'
import { computeAllVectors } from './vectors.ts'

const minQueries = 300

/** Measures whether real pages are found by queries that are derived from their titles and texts. */
export async function measureKnownItems(
  store: BenchStore,
  pages: readonly PageToIndex[],
  { showsMisses }: { showsMisses: boolean },
): Promise<Figure[]> {
  await addPages(store, pages)
  const { share: vectors, queryVector } = await computeAllVectors(store)
  const ranks: { item: KnownItem; rank: number }[] = []
  for (const item of await knownItems(pages)) {
    const found = await findUrls(store, item.query, { limit: 10, queryVector })
    const rank = found.indexOf(item.url) + 1
    ranks.push({ item, rank })
    if (showsMisses && rank === 0) console.log(`${item.kind}: ${item.query}\n  ${item.url}\n  ${found[0]}`)
  }
  const kinds = Map.groupBy(ranks, ({ item }) => item.kind)
  return [
    figure('known items, pages', pages.length, ''),
    figure('known items, pages with a vector', vectors, ''),
    atLeast('known items, queries', ranks.length, minQueries, ''),
    ...[...kinds].flatMap(([kind, kindRanks]) => [
      atLeast(`known items, success@10 by ${kind} (${kindRanks.length})`, successRate(kindRanks), 0.95, ''),
      figure(`known items, MRR by ${kind}`, meanReciprocalRank(kindRanks), ''),
    ]),
    atLeast('known items, success@10', successRate(ranks), 0.95, ''),
    figure('known items, MRR', meanReciprocalRank(ranks), ''),
  ]
}

type Ranks = { rank: number }[]
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
const successRate = (ranks: Ranks) => mean(ranks.map(({ rank }) => (rank > 0 ? 1 : 0)))
const meanReciprocalRank = (ranks: Ranks) => mean(ranks.map(({ rank }) => (rank > 0 ? 1 / rank : 0)))
