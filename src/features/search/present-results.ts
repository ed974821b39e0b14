import type { Query } from '../../search/query/query.ts'
import type { SearchResults } from '../../search/thread/messages.ts'
import type { SearchThread } from '../../search/thread/search-thread.ts'
import type { ResultList } from './look-up.ts'
import type { ImageResult, NewsResult, SearchData, WebResult } from './schema.ts'

type Listed = ResultList['results'][number]

export interface PresentOrder {
  query: Query
  lists: ResultList[]
  signal: AbortSignal
}

/** Results as callers know them, with the words of the query marked in their texts. */
export async function presentResults(
  thread: Pick<SearchThread, 'ask'>,
  { query, lists, signal }: PresentOrder,
): Promise<SearchData> {
  const data: SearchData = {}
  for (const { source, results } of lists) {
    if (source === 'images') {
      data.images = results.flatMap(imageOf)
      continue
    }
    const unmarked = results.filter(({ marks }) => marks === undefined)
    const texts = unmarked.map(({ text }) => text)
    const marks = texts.length === 0 ? [] : await marksOf(thread, { query, texts, signal })
    const found = new Map(unmarked.map((result, index) => [result, marks[index]]))
    const marked = results.map((result): Listed => {
      const known = result.marks ?? found.get(result)
      return known && known.length > 0 ? { ...result, marks: known } : result
    })
    if (source === 'news') data.news = marked.map(newsOf)
    else data.web = marked.map(webOf)
  }
  return data
}

/** Marks are a help: results are worth having without them. The search of the index has reported why the thread fails. */
async function marksOf(
  thread: Pick<SearchThread, 'ask'>,
  { query, texts, signal }: { query: Query; texts: string[]; signal: AbortSignal },
): Promise<SearchResults['mark']> {
  try {
    return await thread.ask({ kind: 'mark', query, texts }, signal)
  } catch (thrown) {
    if (signal.aborted) throw thrown
    return []
  }
}

function webOf({ url, title, text, marks, publishedAt, category }: Listed, index: number): WebResult {
  return {
    ...{ title, description: text, url, position: index + 1 },
    ...(marks ? { marks } : {}),
    ...(category === undefined ? {} : { category }),
    ...(publishedAt === undefined ? {} : { date: new Date(publishedAt).toISOString() }),
  }
}

function newsOf({ url, title, text, marks, publishedAt, imageUrl }: Listed, index: number): NewsResult {
  return {
    ...{ title, snippet: text, url, position: index + 1 },
    ...(marks ? { marks } : {}),
    ...(publishedAt === undefined ? {} : { date: new Date(publishedAt).toISOString() }),
    ...(imageUrl === undefined ? {} : { imageUrl }),
  }
}

/** What has no image is none, whatever a provider calls it. */
function imageOf({ url, title, imageUrl, imageWidth, imageHeight }: Listed, index: number): ImageResult[] {
  if (imageUrl === undefined) return []
  return [
    {
      ...{ title, imageUrl, url, position: index + 1 },
      ...(imageWidth === undefined ? {} : { imageWidth }),
      ...(imageHeight === undefined ? {} : { imageHeight }),
    },
  ]
}
