import type { PagePicture } from '../../page-data/search/page-pictures.ts'
import { analyse, analyseQuery, analyseText, type QueryWord } from '../../reading/text/analyse.ts'
import { type Language, loadLanguage } from '../../reading/text/languages.ts'
import { fuseRankings } from '../fuse-rankings.ts'
import { bestPassage, type Passage, wordFinder, wordsIn } from '../passages/passage.ts'
import { accepts } from '../query/accepts.ts'
import { isFilter, type Query, rankingText } from '../query/query.ts'
import type { TimeRange } from '../query/time-range.ts'
import { isForModel } from '../sentence-model/known-language.ts'
import { filterOf } from './document-filter.ts'
import {
  type FoundRow,
  findIndex,
  languagesOf,
  readDocuments,
  readText,
  type SearchIndex,
} from './documents.ts'
import { areNearlySame } from './fingerprint.ts'
import { countWithoutVector } from './make-vectors.ts'
import { nearestDocuments, rankBySimilarity } from './meaning.ts'
import { picturesOf } from './page-documents.ts'
import type { WordSearch } from './page-index.ts'
import { countUnindexed } from './rebuild.ts'
import { relatedWords } from './related-words.ts'
import type { IndexKind, IndexTable } from './tables.ts'

export interface IndexSearch {
  teamId: string
  kind: IndexKind
  query: Query
  range: TimeRange
  isNews: boolean
  limit: number
  /** Vector of the query; null: words alone rank the result. Undefined: the result may request it. */
  vector?: Int8Array | null
}

export interface FoundDocument {
  url: string
  title: string
  /** The passage that answers; undefined if the text contains no word of the query. */
  passage: Passage | undefined
  /** Share of the query's own words that it contains. */
  coverage: number
  /** Beginning of the page. */
  beginning: string
  publishedAt: number | undefined
  type: string
  image: { url: string; width: number | undefined; height: number | undefined } | undefined
}

export interface IndexResult {
  found: FoundDocument[]
  /** Empty before the first document of the team. */
  indexId: string
  /** Number of documents that the team has. */
  documents: number
  /** How many of them wait for their vectors. */
  withoutVector: number
  /** How many of them cannot be found until they have been indexed again. */
  unindexed: number
  /** The value of `related:` if the index does not have that page. */
  unknown?: string
  /** Documents that were found, best first. */
  ranked: number[]
  /** The text whose vector would rank the result better. The search is to be repeated with it; nothing was searched. */
  wantsVector?: string
}

/** Documents that are ranked. Only as many of them are opened as the result needs. */
const maxRanked = 400
const maxBeginning = 200
/** Images to compare for each of the result. Pages with better words come first. */
const imagesPerResult = 5

/** Finds the documents of a team that answer a query, best first, without near-duplicates. */
export async function searchIndex(index: SearchIndex, wanted: IndexSearch): Promise<IndexResult> {
  const { query } = index.store
  const row = await findIndex(query, wanted)
  if (!row) return { ...nothing, indexId: '', documents: 0, withoutVector: 0, unindexed: 0 }
  const state = {
    ...{ indexId: row.id, documents: row.documents },
    withoutVector: wanted.kind === 'page' ? await countWithoutVector(query, row.id) : 0,
    unindexed: await countUnindexed(query, row.id),
  }
  const text = rankingText(wanted.query)
  if (wanted.vector === undefined && (await isMeaningful(wanted, row, text)))
    return { ...nothing, ...state, wantsVector: text }
  const own = await analyseQuery(text, withEnglish(languagesOf(row)))
  const related = await relatedWords(query, row.id, wanted.query)
  if (related && !related.words) return { ...nothing, ...state, unknown: related.value }
  const words = related?.words ? [...own, ...related.words] : own
  const rows = await rankDocuments(index, { wanted, index: row, words })
  const candidates = rows.filter(({ page_key }) => page_key !== related?.pageKey)
  const open = wanted.kind === 'image' ? openImages : openDocuments
  const asked = { query: wanted.query, words, own: own.length }
  const found = await open(index, candidates, wanted.limit, asked)
  return { ...state, found, ranked: rows.map(({ number }) => number) }
}

const nothing = { found: [], ranked: [] }

/** True if the sentence model can rank the result: it knows the languages of the query, and documents have vectors. */
async function isMeaningful({ kind, range }: IndexSearch, index: IndexTable, text: string): Promise<boolean> {
  return kind === 'page' && !range.isNewestFirst && text !== '' && isForModel(text, languagesOf(index))
}

interface Asked {
  query: Query
  words: readonly QueryWord[]
  /** Number of the query's own words, which come first. */
  own: number
}

/** Opens as many documents as the result needs, without near-duplicates. */
async function openDocuments(
  { store }: SearchIndex,
  rows: FoundRow[],
  limit: number,
  asked: Asked,
): Promise<FoundDocument[]> {
  const found: FoundDocument[] = []
  const fingerprints: string[] = []
  for (const row of rows) {
    if (found.length >= limit) break
    if (fingerprints.some((other) => areNearlySame(other, row.fingerprint))) continue
    const text = await readText(store.query, row)
    const language = await loadLanguage(row.language ?? undefined)
    const document = text === undefined ? undefined : describe(row, text, { ...asked, language })
    if (!document) continue
    fingerprints.push(row.fingerprint)
    found.push(document)
  }
  return found
}

/** Images whose own words answer the query, then those with fewer of them; of equals, those on better pages first. */
async function openImages(
  { store }: SearchIndex,
  rows: FoundRow[],
  limit: number,
  asked: Asked,
): Promise<FoundDocument[]> {
  const found: { document: FoundDocument; own: number }[] = []
  for (const row of rows) {
    if (found.length >= imagesPerResult * limit) break
    const stored = await readText(store.query, row)
    const language = await loadLanguage(row.language ?? undefined)
    const wordOf = wordFinder(asked.words, language)
    for (const picture of stored === undefined ? [] : (picturesOf(row, stored) ?? [])) {
      const text = `${picture.text}\n${row.title}`
      const shown = { ...row, title: picture.text || row.title, ...columnsOf(picture) }
      const document = describe(shown, text, { ...asked, language })
      if (document) found.push({ document, own: wordsIn(picture.text, wordOf).size })
    }
  }
  found.sort((one, other) => other.own - one.own)
  return found.slice(0, limit).map(({ document }) => document)
}

const columnsOf = ({ url, width, height }: PagePicture) => ({
  ...{ image_url: url, image_width: width ?? null, image_height: height ?? null },
})

interface Ranking {
  wanted: IndexSearch
  index: IndexTable
  words: QueryWord[]
}

/** Rows in the order of the result: by words and meaning, by words alone, or newest first. */
async function rankDocuments(
  { store, words: engine }: SearchIndex,
  { wanted, index, words }: Ranking,
): Promise<FoundRow[]> {
  const { query } = store
  const filter = filterOf(wanted.query, wanted.range, wanted.isNews)
  const { id: indexId } = index
  if (words.length === 0) return newestDocuments(query, indexId, filter)
  const phrases = await phrasesOf(wanted.query, index)
  const search = { indexId, words, phrases, filter, totals: index, limit: maxRanked }
  const ranked = await engine.search(query, search)
  const rows = await readDocuments(
    query,
    indexId,
    ranked.map(({ number }) => number),
  )
  const byWords = ranked
    .flatMap(({ number, score }) => {
      const row = rows.get(number)
      return row ? [{ row, score: score * authority(row.inbound) }] : []
    })
    .sort((one, other) => other.score - one.score || one.row.number - other.row.number)
    .map(({ row }) => row)
  if (wanted.range.isNewestFirst) return byWords.sort(newestFirst)
  const { vector } = wanted
  if (!vector) return byWords
  const nearest = await nearestDocuments(store, { index, vector, filter })
  const added = await readDocuments(
    query,
    indexId,
    nearest.filter((number) => !rows.has(number)),
  )
  return fuseRankings([byWords, rankBySimilarity(byWords, [...added.values()], vector)])
}

const newestFirst = (one: FoundRow, other: FoundRow) =>
  (other.published_at ?? 0) - (one.published_at ?? 0) || 0

async function newestDocuments(
  query: SearchIndex['store']['query'],
  indexId: string,
  filter: WordSearch['filter'],
): Promise<FoundRow[]> {
  let newest = query.selectFrom('search_documents').select('number').where('index_id', '=', indexId)
  if (filter) newest = newest.where(filter)
  const found = await newest.orderBy('number', 'desc').limit(maxRanked).execute()
  const numbers = found.map(({ number }) => number)
  const rows = await readDocuments(query, indexId, numbers)
  return numbers.flatMap((number) => rows.get(number) ?? [])
}

const segmented = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * Phrases that a document must contain, in the terms of each language. The text of a result is compared with the phrase as it was
 * written; here the engine only leaves out documents that cannot contain it.
 */
async function phrasesOf({ clauses }: Query, index: IndexTable): Promise<WordSearch['phrases']> {
  const required = clauses.flatMap(({ terms: [term, ...others], isExcluded }) =>
    term?.kind === 'phrase' && others.length === 0 && !isExcluded ? term.text : [],
  )
  const languages = await Promise.all([undefined, ...withEnglish(languagesOf(index))].map(loadLanguage))
  return required.flatMap((text) => {
    // A dictionary splits the phrase alone and the phrase within a text differently.
    if (segmented.test(text)) return []
    const forms = languages.flatMap((language) => [analyse(text, language), analyseText(text, language)])
    return forms.every(({ length }) => length > 1) ? [forms] : []
  })
}

/** A page to which many others link is slightly better. A table of contents must not displace the answer. */
function authority(inbound: number): number {
  return 1 + 0.03 * Math.log2(1 + Math.min(inbound, 1000))
}

/** Queries are often in English where pages are not. */
function withEnglish(languages: string[]): string[] {
  return languages.includes('en') ? languages : [...languages, 'en']
}

/** A document of the result; undefined if it does not satisfy the query. */
function describe(
  row: FoundRow,
  text: string,
  { query, words, own, language }: Asked & { language: Language },
): FoundDocument | undefined {
  const { url, title, image_url, image_width, image_height } = row
  const size =
    image_width === null || image_height === null
      ? {}
      : { imageWidth: image_width, imageHeight: image_height }
  if (query.clauses.some(isFilter) && !accepts(query, { url, title, text, type: row.type, ...size }))
    return undefined
  const passage = bestPassage(text, words, language)
  const all = new Set([...wordsIn(title, wordFinder(words, language)), ...(passage?.found ?? [])])
  const covered = [...all].filter((word) => word < own).length
  return {
    url,
    title,
    passage: passage && { text: passage.text, marks: passage.marks },
    coverage: own === 0 ? 1 : covered / own,
    beginning: text.replace(/\s+/g, ' ').trim().slice(0, maxBeginning),
    publishedAt: row.published_at ?? undefined,
    type: row.type,
    image:
      image_url === null
        ? undefined
        : { url: image_url, width: image_width ?? undefined, height: image_height ?? undefined },
  }
}
