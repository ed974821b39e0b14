import { analyse, analyseQuery, analyseText, type QueryWord } from '../../extraction/text/analyse.ts'
import { type Language, loadLanguage } from '../../extraction/text/languages.ts'
import { splitWords } from '../../extraction/text/words.ts'
import { fuseRankings } from '../fuse-rankings.ts'
import { findBestPassage, type Passage, wordFinder, wordsIn } from '../passages/passage.ts'
import { accepts, isOnSite } from '../query/accepts.ts'
import { type Query, rankingText } from '../query/query.ts'
import type { TimeRange } from '../query/time-range.ts'
import { isSupportedByModel } from '../sentence-model/known-language.ts'
import { reverseHost, searchFilterOf } from './document-filter.ts'
import {
  type DocumentSummary,
  findIndex,
  languagesOf,
  numbersOf,
  readBody,
  readDocuments,
  type SearchIndex,
  selectDocuments,
} from './documents.ts'
import { countWithoutVector } from './make-vectors.ts'
import { nearestDocuments, rankBySimilarity } from './meaning.ts'
import { imagesOf } from './page-documents.ts'
import type { WordSearch } from './page-index.ts'
import { countUnindexed } from './rebuild.ts'
import { areNearlySame, pageKey } from './same-page.ts'
import type { DocumentTable, IndexKind, IndexTable, SearchQueryable } from './tables.ts'

export interface IndexSearch {
  teamId: string
  kind: IndexKind
  query: Query
  range: TimeRange
  isNews: boolean
  limit: number
  /** Vector of the query. Null: rank by words only. Undefined: the result may request a vector. */
  vector?: Int8Array | null
}

export interface FoundDocument {
  url: string
  title: string
  passage: Passage | undefined
  /** Share of the query's own words that the document contains. */
  coverage: number
  beginning: string
  publishedAt: number | undefined
  type: string
  image: { url: string; width: number | undefined; height: number | undefined } | undefined
}

export interface IndexResult {
  found: FoundDocument[]
  /** Empty before the first document of the team. */
  indexId: string
  documents: number
  withoutVector: number
  /** These documents cannot be found until they are indexed again. */
  unindexed: number
  /** Value of `related:` if the index does not contain that page. */
  unknown?: string
  ranked: number[]
  /** Text whose vector would improve the ranking. If set, the caller must repeat the search with the vector. */
  vectorText?: string
}

const maxRanked = 400
const maxBeginning = 200
const imagesPerResult = 5

/** Best first, without near-duplicates. */
export async function searchIndex(index: SearchIndex, search: IndexSearch): Promise<IndexResult> {
  const { query } = index.store
  const row = await findIndex(query, search)
  if (!row) return { ...emptyResult, indexId: '', documents: 0, withoutVector: 0, unindexed: 0 }
  const isPageSearch = search.kind === 'page'
  const state = {
    ...{ indexId: row.id, documents: row.documents },
    withoutVector: isPageSearch ? await countWithoutVector(query, row.id) : 0,
    unindexed: await countUnindexed(query, row.id),
  }
  const text = rankingText(search.query)
  const languages = languagesOf(row)
  const canUseVector =
    search.vector === undefined && isPageSearch && !search.range.isNewestFirst && text !== ''
  if (canUseVector && (await isSupportedByModel(text, languages)))
    return { ...emptyResult, ...state, vectorText: text }
  // Queries are often in English even if pages are not.
  const queryLanguages = [...new Set([...languages, 'en'])]
  const ownWords = await analyseQuery(text, queryLanguages)
  const related = findRelatedUrl(search.query)
  const page = related === undefined ? undefined : await findPage(query, row.id, related)
  if (related !== undefined && !page) return { ...emptyResult, ...state, unknown: related }
  const words = page ? [...ownWords, ...(await findTypicalWords(page))] : ownWords
  const phrases = await findPhrases(search.query, queryLanguages)
  const rows = await rankDocuments(index, search, { index: row, words, phrases })
  const candidates = rows.filter(({ page_key }) => page_key !== page?.page_key)
  const open = isPageSearch ? openDocuments : openImages
  const context = { query: search.query, limit: search.limit, words, ownWordCount: ownWords.length }
  const found = await open(query, candidates, context)
  return { ...state, found, ranked: numbersOf(rows) }
}

const emptyResult = { found: [], ranked: [] }

interface QueryContext extends Pick<IndexSearch, 'query' | 'limit'> {
  words: readonly QueryWord[]
  /** The query's own words come first. */
  ownWordCount: number
}

async function openDocuments(query: SearchQueryable, rows: DocumentSummary[], context: QueryContext) {
  const found: FoundDocument[] = []
  const fingerprints: string[] = []
  for (const row of rows) {
    if (found.length >= context.limit) break
    if (fingerprints.some((other) => areNearlySame(other, row.fingerprint))) continue
    const text = await readText(query, row)
    if (text === undefined) continue
    const language = await loadLanguage(row.language ?? undefined)
    const document = toFoundDocument(row, text, { ...context, language })
    if (!document) continue
    fingerprints.push(row.fingerprint)
    found.push(document)
  }
  return found
}

/** Sorts images by the number of query words in their own texts; ties keep the order of their pages. */
async function openImages(query: SearchQueryable, rows: DocumentSummary[], context: QueryContext) {
  const found: { document: FoundDocument; wordCount: number }[] = []
  for (const row of rows) {
    if (found.length >= imagesPerResult * context.limit) break
    const stored = await readText(query, row)
    const language = await loadLanguage(row.language ?? undefined)
    const wordOf = wordFinder(context.words, language)
    for (const image of (stored !== undefined && imagesOf(row, stored)) || []) {
      const { text, url, width, height } = image
      const size = { image_width: width ?? null, image_height: height ?? null }
      const imageRow = { ...row, title: text || row.title, image_url: url, ...size }
      const document = toFoundDocument(imageRow, `${text}\n${row.title}`, { ...context, language })
      if (document) found.push({ document, wordCount: wordsIn(text, wordOf).size })
    }
  }
  found.sort((one, other) => other.wordCount - one.wordCount)
  return found.slice(0, context.limit).map(({ document }) => document)
}

async function readText(query: SearchQueryable, { index_id, number }: DocumentSummary) {
  const rows = selectDocuments(query, index_id).select('body').where('number', '=', number)
  const row = await rows.executeTakeFirst()
  return row && readBody(row.body)
}

async function rankDocuments(
  { store, words: engine }: SearchIndex,
  { query: searchQuery, range, isNews, vector }: IndexSearch,
  { index, words, phrases }: Pick<WordSearch, 'words' | 'phrases'> & { index: IndexTable },
): Promise<DocumentSummary[]> {
  const { query } = store
  const filter = searchFilterOf(searchQuery, range, isNews)
  const { id: indexId } = index
  if (words.length === 0) {
    const all = selectDocuments(query, indexId).select('number').orderBy('number', 'desc').limit(maxRanked)
    const newest = await (filter ? all.where(filter) : all).execute()
    return readDocuments(query, indexId, numbersOf(newest))
  }
  const wordSearch = { indexId, words, phrases, filter, totals: index, limit: maxRanked }
  const ranked = await engine.search(query, wordSearch)
  const scores = new Map(ranked.map(({ number, score }) => [number, score]))
  const byWords = (await readDocuments(query, indexId, [...scores.keys()]))
    .map((row) => ({ row, score: (scores.get(row.number) ?? 0) * authorityFactor(row.inbound) }))
    .sort((one, other) => other.score - one.score || one.row.number - other.row.number)
    .map(({ row }) => row)
  if (range.isNewestFirst)
    return byWords.sort((one, other) => (other.published_at ?? 0) - (one.published_at ?? 0))
  if (!vector) return byWords
  const nearest = await nearestDocuments(store, { index, vector, filter })
  const onlyNear = nearest.filter((number) => !scores.has(number))
  const added = await readDocuments(query, indexId, onlyNear)
  // If several query words occur together in few documents, the query most likely means these documents.
  const complete = new Set(ranked.flatMap(({ number, hasAll }) => (hasAll ? number : [])))
  const withAll = byWords.filter(({ number }) => complete.has(number))
  return fuseRankings([byWords, rankBySimilarity(byWords, added, vector), withAll])
}

const segmented = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** The engine only omits documents that cannot contain a phrase; the exact phrase is compared later. */
async function findPhrases({ clauses }: Query, codes: string[]): Promise<WordSearch['phrases']> {
  const required = clauses.flatMap(({ terms: [term, ...others], isExcluded }) =>
    term?.kind === 'phrase' && others.length === 0 && !isExcluded ? term.text : [],
  )
  const languages = await Promise.all([undefined, ...codes].map(loadLanguage))
  return required.flatMap((text) => {
    // A dictionary splits the phrase alone and the phrase within a text differently.
    if (segmented.test(text)) return []
    const forms = languages.flatMap((language) => [analyse(text, language), analyseText(text, language)])
    return forms.every(({ length }) => length > 1) ? [forms] : []
  })
}

/** Slightly above 1 for a page with many links to it. A table of contents must not displace the answer. */
const authorityFactor = (inbound: number) => 1 + 0.03 * Math.log2(1 + Math.min(inbound, 1000))

function toFoundDocument(
  row: DocumentSummary,
  text: string,
  { query, words, ownWordCount, language }: QueryContext & { language: Language },
): FoundDocument | undefined {
  const { url, title, type, image_url } = row
  const [width, height] = [row.image_width ?? undefined, row.image_height ?? undefined]
  if (!accepts(query, { url, title, text, type, imageWidth: width, imageHeight: height })) return undefined
  const passage = findBestPassage(text, words, language)
  const all = new Set([...wordsIn(title, wordFinder(words, language)), ...(passage?.wordIndices ?? [])])
  const covered = [...all].filter((word) => word < ownWordCount).length
  return {
    ...{ url, title, type },
    passage: passage && { text: passage.text, marks: passage.marks },
    coverage: ownWordCount === 0 ? 1 : covered / ownWordCount,
    beginning: text.replace(/\s+/g, ' ').trim().slice(0, maxBeginning),
    publishedAt: row.published_at ?? undefined,
    image: image_url === null ? undefined : { url: image_url, width, height },
  }
}

function findRelatedUrl({ clauses }: Query): string | undefined {
  const terms = clauses.flatMap((clause) => (clause.isExcluded ? [] : clause.terms))
  return terms.flatMap((term) => (term.kind === 'operator' && term.name === 'related' ? term.value : []))[0]
}

const maxTypicalWords = 16
const maxReadChars = 20_000

/** Returns the most frequent words of a page, which find similar pages. */
async function findTypicalWords({ language: code, title, body }: DocumentTable): Promise<QueryWord[]> {
  const language = await loadLanguage(code ?? undefined)
  const text = await readBody(body)
  const all = splitWords(`${title} ${title} ${text.slice(0, maxReadChars)}`)
  const contentWords = all.filter((word) => word.length > 2 && !language.stopWords.has(word))
  const words = [...Map.groupBy(contentWords, (word) => word)]
    .sort(([, one], [, other]) => other.length - one.length)
    .slice(0, maxTypicalWords)
  return analyseQuery(words.map(([word]) => word).join(' '), code === null ? [] : [code])
}

/** Returns the page itself. If the first page of a host is not indexed, returns the page with the shortest URL. */
async function findPage(
  query: SearchQueryable,
  indexId: string,
  value: string,
): Promise<DocumentTable | undefined> {
  const pages = selectDocuments(query, indexId).selectAll()
  const page = await pages.where('document_key', '=', pageKey(`https://${value}`)).executeTakeFirst()
  if (page || value.includes('/')) return page
  const candidates = await pages.where('site', '=', reverseHost(value)).orderBy('number').limit(50).execute()
  return candidates
    .filter(({ url }) => isOnSite(url, value))
    .sort((one, other) => one.url.length - other.url.length)[0]
}
