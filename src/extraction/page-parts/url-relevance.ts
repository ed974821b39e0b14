import { sortAsync } from '../../platform/time-slice.ts'
import { decodePercent } from '../../platform/url.ts'

interface KnownPage {
  url: string
  title?: string | undefined
  description?: string | undefined
  anchor?: string | undefined
}

type Field = 'url' | 'title' | 'anchor' | 'description'

/** `lengthWeight` is the degree of length normalization (`b` in BM25). */
const fields: Record<Field, { weight: number; lengthWeight: number }> = {
  title: { weight: 3, lengthWeight: 0.5 },
  anchor: { weight: 2.5, lengthWeight: 0.5 },
  url: { weight: 2, lengthWeight: 0.4 },
  description: { weight: 1, lengthWeight: 0.75 },
}
const fieldNames = Object.keys(fields) as Field[]
const saturation = 1.2

const maxWords = 50

/** BM25F. Pages without a query word keep their order, after the others. Yields to the event loop in between. */
export async function byRelevance<Page extends KnownPage>(
  pages: readonly Page[],
  query: string,
  yieldToEventLoop: () => Promise<void>,
): Promise<Page[]> {
  const queryWords = [...new Set(words(query))].slice(0, maxWords)
  if (queryWords.length === 0) return [...pages]
  const countedPages: (WordCounts & { page: Page })[] = []
  const totals = emptyTotals(queryWords)
  for (const page of pages) {
    const counts = countWords(page, queryWords)
    addTo(totals, counts)
    countedPages.push({ page, ...counts })
    if (countedPages.length % batchSize === 0) await yieldToEventLoop()
  }
  const scored: { page: Page; score: number }[] = []
  for (const { page, ...counts } of countedPages) {
    scored.push({ page, score: score(counts, totals) })
    if (scored.length % batchSize === 0) await yieldToEventLoop()
  }
  const sorted = await sortAsync(scored, (left, right) => right.score - left.score, yieldToEventLoop)
  return sorted.map(({ page }) => page)
}

const batchSize = 200

interface WordCounts {
  lengths: Record<Field, number>
  /** Occurrences of query words, sparse. */
  hits: { word: number; field: Field; count: number }[]
}

function countWords(page: KnownPage, queryWords: string[]): WordCounts {
  const found: Record<Field, string[]> = {
    url: words(wordsOfUrl(page.url)),
    title: words(page.title),
    anchor: words(page.anchor),
    description: words(page.description),
  }
  const hits: WordCounts['hits'] = []
  for (const [index, word] of queryWords.entries()) {
    for (const field of fieldNames) {
      let count = 0
      for (const other of found[field]) if (matchesWord(word, other)) count += 1
      if (count > 0) hits.push({ word: index, field, count })
    }
  }
  const lengths = {
    ...{ url: found.url.length, title: found.title.length },
    ...{ anchor: found.anchor.length, description: found.description.length },
  }
  return { lengths, hits }
}

/** A word of a URL may contain the query word: "pricingplans" contains "pricing". */
function matchesWord(word: string, other: string): boolean {
  return word === other || (word.length >= 5 && other.length > word.length && other.includes(word))
}

type Totals = ReturnType<typeof emptyTotals>

function emptyTotals(queryWords: string[]) {
  const zero = () => ({ pages: 0, words: 0 })
  // Pages with the field, and all of its words.
  const byField = { url: zero(), title: zero(), anchor: zero(), description: zero() }
  return { pages: 0, byField, pagesByWord: queryWords.map(() => 0) }
}

function addTo(totals: Totals, { lengths, hits }: WordCounts): void {
  totals.pages += 1
  for (const field of fieldNames) {
    if (lengths[field] > 0) totals.byField[field].pages += 1
    totals.byField[field].words += lengths[field]
  }
  for (const word of new Set(hits.map((hit) => hit.word)))
    totals.pagesByWord[word] = (totals.pagesByWord[word] ?? 0) + 1
}

function score({ lengths, hits }: WordCounts, totals: Totals): number {
  const frequencies = new Map<number, number>()
  for (const { word, field, count } of hits) {
    const { weight, lengthWeight } = fields[field]
    const fieldTotals = totals.byField[field]
    const normalizedLength =
      1 - lengthWeight + lengthWeight * (lengths[field] / (fieldTotals.words / fieldTotals.pages))
    frequencies.set(word, (frequencies.get(word) ?? 0) + (weight * count) / normalizedLength)
  }
  let sum = 0
  for (const [word, frequency] of frequencies) {
    const pageCount = totals.pagesByWord[word] ?? 0
    const rarity = Math.log(1 + (totals.pages - pageCount + 0.5) / (pageCount + 0.5))
    sum += (rarity * frequency) / (saturation + frequency)
  }
  return sum
}

function wordsOfUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return text
  return decodePercent(
    `${url.hostname.replace(/^www\./, '')} ${url.pathname.replace(/\.\w{2,5}$/, '')} ${url.search} ${url.hash}`,
  )
}

/** Plural and singular forms become one word. */
function words(text = ''): string[] {
  const separated = text.slice(0, 5000).replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const found = separated.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return found.map((word) =>
    word.length > 3 ? word.replace(/(?:ies|y)$/, 'i').replace(/(?<!s)s$/, '') : word,
  )
}
