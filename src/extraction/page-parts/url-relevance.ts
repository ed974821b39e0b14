import { sortInTurns } from '../../platform/time-slice.ts'
import { decodedText } from '../vocabulary/words.ts'

/** The data about a page before it is read. */
interface KnownPage {
  url: string
  title?: string | undefined
  description?: string | undefined
  /** The texts of links to it. */
  anchor?: string | undefined
}

type Field = 'url' | 'title' | 'anchor' | 'description'

/** How much a word counts where it stands, and how much a long field weakens it. */
const fields: Record<Field, { weight: number; lengthPart: number }> = {
  title: { weight: 3, lengthPart: 0.5 },
  anchor: { weight: 2.5, lengthPart: 0.5 },
  url: { weight: 2, lengthPart: 0.4 },
  description: { weight: 1, lengthPart: 0.75 },
}
const fieldNames = Object.keys(fields) as Field[]
const saturation = 1.2

/** Maximum number of different words of a search that count. */
const maxWords = 50

/**
 * Pages by their relevance to a query, best first, by BM25F over address, title, anchor texts and description. Pages
 * without any word of the query keep their order, after the others. It yields to the event loop in between.
 */
export async function byRelevance<Page extends KnownPage>(
  pages: readonly Page[],
  query: string,
  giveWay: () => Promise<void>,
): Promise<Page[]> {
  const wanted = [...new Set(words(query))].slice(0, maxWords)
  if (wanted.length === 0) return [...pages]
  const counted: (Counted & { page: Page })[] = []
  const totals = noTotals(wanted)
  for (const page of pages) {
    const counts = countWords(page, wanted)
    addTo(totals, counts)
    counted.push({ page, ...counts })
    if (counted.length % atOnce === 0) await giveWay()
  }
  const scored: { page: Page; score: number }[] = []
  for (const { page, ...counts } of counted) {
    scored.push({ page, score: score(counts, totals) })
    if (scored.length % atOnce === 0) await giveWay()
  }
  const sorted = await sortInTurns(scored, (left, right) => right.score - left.score, giveWay)
  return sorted.map(({ page }) => page)
}

const atOnce = 200

interface Counted {
  lengths: Record<Field, number>
  /** The wanted words that are there, one after the other. */
  hits: { word: number; field: Field; count: number }[]
}

function countWords(page: KnownPage, wanted: string[]): Counted {
  const found: Record<Field, string[]> = {
    url: words(wordsOfUrl(page.url)),
    title: words(page.title ?? ''),
    anchor: words(page.anchor ?? ''),
    description: words(page.description ?? ''),
  }
  const hits: Counted['hits'] = []
  for (const [index, word] of wanted.entries()) {
    for (const field of fieldNames) {
      let count = 0
      for (const other of found[field]) if (isSame(word, other)) count += 1
      if (count > 0) hits.push({ word: index, field, count })
    }
  }
  const { url, title, anchor, description } = found
  return {
    lengths: { url: url.length, title: title.length, anchor: anchor.length, description: description.length },
    hits,
  }
}

/** An address written in one word, such as "pricingplans", holds its words inside. */
function isSame(word: string, other: string): boolean {
  return word === other || (word.length >= 5 && other.length > word.length && other.includes(word))
}

/** What all pages have together. */
interface Totals {
  pages: number
  /** Of pages that have the field. */
  having: Record<Field, { pages: number; words: number }>
  /** How many pages have each wanted word. */
  pagesWith: number[]
}

function noTotals(wanted: string[]): Totals {
  const none = () => ({ pages: 0, words: 0 })
  const having = { url: none(), title: none(), anchor: none(), description: none() }
  return { pages: 0, having, pagesWith: wanted.map(() => 0) }
}

function addTo(totals: Totals, { lengths, hits }: Counted): void {
  totals.pages += 1
  for (const field of fieldNames) {
    if (lengths[field] > 0) totals.having[field].pages += 1
    totals.having[field].words += lengths[field]
  }
  for (const word of new Set(hits.map((hit) => hit.word))) {
    totals.pagesWith[word] = (totals.pagesWith[word] ?? 0) + 1
  }
}

function score({ lengths, hits }: Counted, totals: Totals): number {
  const frequencies = new Map<number, number>()
  for (const { word, field, count } of hits) {
    const { weight, lengthPart } = fields[field]
    const having = totals.having[field]
    const relative = 1 - lengthPart + lengthPart * (lengths[field] / (having.words / having.pages))
    frequencies.set(word, (frequencies.get(word) ?? 0) + (weight * count) / relative)
  }
  let sum = 0
  for (const [word, frequency] of frequencies) {
    sum += (rarity(totals, word) * frequency) / (saturation + frequency)
  }
  return sum
}

function rarity({ pages, pagesWith }: Totals, word: number): number {
  const having = pagesWith[word] ?? 0
  return Math.log(1 + (pages - having + 0.5) / (having + 0.5))
}

/** Path, query and the host's own name; endings such as .html say nothing. */
function wordsOfUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return text
  return decodedText(
    `${url.hostname.replace(/^www\./, '')} ${url.pathname.replace(/\.\w{2,5}$/, '')} ${url.search} ${url.hash}`,
  )
}

/** Words in small letters; plurals and singulars are one word. */
function words(text: string): string[] {
  const apart = text.slice(0, 5000).replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const found = apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return found.map((word) =>
    word.length > 3 ? word.replace(/(?:ies|y)$/, 'i').replace(/(?<!s)s$/, '') : word,
  )
}
