import { analyseQuery, type QueryWord } from '../../reading/text/analyse.ts'
import { loadLanguage } from '../../reading/text/languages.ts'
import { bestPassage, type Passage, wordFinder, wordsIn } from '../passages/passage.ts'
import { accepts } from '../query/accepts.ts'
import { isFilter, type Query, rankingText } from '../query/query.ts'
import type { TimeRange } from '../query/time-range.ts'
import type { Ranked } from '../ranking/top.ts'
import {
  type FoundRow,
  findDocuments,
  findIndex,
  readDocuments,
  readText,
  readVectors,
} from './find-documents.ts'
import { areNearlySame } from './fingerprint.ts'
import { knownLanguages } from './languages-of.ts'
import { filterOf } from './query-filter.ts'
import type { QueryVector } from './query-vector.ts'
import { relatedWords } from './related-words.ts'
import { rerank } from './rerank.ts'
import { similarDocuments } from './similar-documents.ts'
import type { IndexKind, IndexTable, SearchStore } from './tables.ts'

export interface IndexSearch {
  teamId: string
  kind: IndexKind
  query: Query
  range: TimeRange
  isNews: boolean
  most: number
}

export interface FoundDocument {
  url: string
  title: string
  /** The passage that answers; undefined where no word of the query stands in the text. */
  passage: Passage | undefined
  /** The share of the query's own words that it has. */
  coverage: number
  /** How the page begins. */
  beginning: string
  publishedAt: number | undefined
  type: string
  image: { url: string; width: number | undefined; height: number | undefined } | undefined
}

export interface IndexAnswer {
  found: FoundDocument[]
  /** How many documents the team has, of whatever words. */
  documents: number
  /** What `related:` names and the index does not have. */
  unknown?: string
  /** True if the sentence model should have ranked the documents and did not answer. */
  lacksMeaning?: true
}

/** Documents that are ranked; of those only as many are opened as it takes to fill the answer. */
const mostRanked = 400
const longestBeginning = 200

/** Finds the documents of a team that answer a query, the best first, without near-duplicates. */
export async function searchIndex(
  store: SearchStore,
  wanted: IndexSearch,
  queryVector?: QueryVector,
): Promise<IndexAnswer> {
  const index = await findIndex(store, wanted)
  if (!index) return { found: [], documents: 0 }
  const query = rankingText(wanted.query)
  const languages = knownLanguages(index.languages)
  const asked = await analyseQuery(query, withEnglish(languages))
  const related = await relatedWords(store, index, wanted.query)
  if (related?.words === undefined && related)
    return { found: [], documents: index.documents, unknown: related.value }
  const words = related?.words ? [...asked, ...related.words] : asked
  const scored = await rankDocuments(store, { wanted, index, query, languages, words }, queryVector)
  const found: FoundDocument[] = []
  const fingerprints: string[] = []
  for (const { row } of scored) {
    if (found.length >= wanted.most) break
    if (row.page_key === related?.pageKey) continue
    if (fingerprints.some((other) => areNearlySame(other, row.fingerprint))) continue
    const document = await openDocument(store, row, wanted.query, { words, asked: asked.length })
    if (!document) continue
    fingerprints.push(row.fingerprint)
    found.push(document)
  }
  return { found, documents: index.documents }
}

type Scored = { row: FoundRow; score: number }

interface Ranking {
  wanted: IndexSearch
  index: IndexTable
  query: string
  languages: string[]
  words: QueryWord[]
}

/** Documents in the order of the answer: by their words, moved by their meaning, then those that say it in other words. */
async function rankDocuments(
  store: SearchStore,
  { wanted, index, query, languages, words }: Ranking,
  queryVector: QueryVector | undefined,
): Promise<Scored[]> {
  const { isNewestFirst } = wanted.range
  const filter = filterOf(wanted.query, wanted.range, wanted.isNews)
  const ranked = await findDocuments(store, { index, words, filter, most: mostRanked })
  const scored = await withRows(store, index.id, ranked)
  // Without words they come newest first already.
  if (words.length > 0 || isNewestFirst) scored.sort(isNewestFirst ? newestFirst : bestFirst)
  if (!queryVector || words.length === 0 || isNewestFirst) return scored
  const readSome = (numbers: readonly number[]) => readVectors(store, index.id, numbers)
  const moved = await rerank({ queryVector, readVectors: readSome }, scored, { query, languages })
  if (moved.length >= wanted.most) return moved
  const known = new Set(ranked.map(({ number }) => number))
  const similar = await similarDocuments(store, queryVector, {
    ...{ index, query, languages, filter, known, most: wanted.most - moved.length },
  })
  const added = similar.map((number) => ({ number, score: 0 }))
  return [...moved, ...(await withRows(store, index.id, added))]
}

async function withRows(store: SearchStore, indexId: string, ranked: Ranked[]): Promise<Scored[]> {
  const rows = await readDocuments(
    store,
    indexId,
    ranked.map(({ number }) => number),
  )
  return ranked.flatMap(({ number, score }) => {
    const row = rows.get(number)
    return row ? [{ row, score: score * authority(row.inbound) }] : []
  })
}

const bestFirst = (one: Scored, other: Scored) => other.score - one.score || one.row.number - other.row.number
const newestFirst = (one: Scored, other: Scored) =>
  (other.row.published_at ?? 0) - (one.row.published_at ?? 0) || bestFirst(one, other)

/** A page that many others link to is a little better; a page of contents must not push out the answer. */
function authority(inbound: number): number {
  return 1 + 0.03 * Math.log2(1 + Math.min(inbound, 1000))
}

/** Queries are often in English where pages are not. */
function withEnglish(languages: string[]): string[] {
  return languages.includes('en') ? languages : [...languages, 'en']
}

/** A row with its text; undefined where it does not hold to the query, or went meanwhile. */
async function openDocument(
  store: SearchStore,
  row: FoundRow,
  query: Query,
  { words, asked }: { words: readonly QueryWord[]; asked: number },
): Promise<FoundDocument | undefined> {
  const text = await readText(store, row)
  if (text === undefined) return undefined
  const { url, title, image_url, image_width, image_height } = row
  const size =
    image_width === null || image_height === null
      ? {}
      : { imageWidth: image_width, imageHeight: image_height }
  if (query.clauses.some(isFilter) && !accepts(query, { url, title, text, type: row.type, ...size }))
    return undefined
  const language = await loadLanguage(row.language ?? undefined)
  const passage = bestPassage(text, words, language)
  const all = new Set([...wordsIn(title, wordFinder(words, language)), ...(passage?.found ?? [])])
  const covered = [...all].filter((word) => word < asked).length
  return {
    url,
    title,
    passage: passage && { text: passage.text, marks: passage.marks },
    coverage: asked === 0 ? 1 : covered / asked,
    beginning: text.replace(/\s+/g, ' ').trim().slice(0, longestBeginning),
    publishedAt: row.published_at ?? undefined,
    type: row.type,
    image:
      image_url === null
        ? undefined
        : { url: image_url, width: image_width ?? undefined, height: image_height ?? undefined },
  }
}
