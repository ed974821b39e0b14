import type { SqlBool } from 'kysely'
import { type Expression, expressionBuilder } from 'kysely'
import type { QueryWord } from '../../reading/text/analyse.ts'
import { type Block, rank } from '../ranking/bm25f.ts'
import { blockSize } from '../ranking/postings.ts'
import type { Ranked } from '../ranking/top.ts'
import { readBody } from './body.ts'
import { numbersOf } from './lengths.ts'
import type { DocumentTable, IndexKind, IndexTable, SearchQueryable, SearchStore } from './tables.ts'

/** What the store can tell documents apart by. */
export interface DocumentFilter {
  /** Hosts with or without a path: documents on one of them, or on none. */
  sites?: readonly string[]
  excludedSites?: readonly string[]
  types?: readonly string[]
  /** Dates in milliseconds; documents without one are left out. */
  from?: number
  to?: number
  isNews?: boolean
  larger?: { width: number; height: number }
  imageSize?: { width: number; height: number }
}

export interface WantedDocuments {
  index: IndexTable
  words: readonly QueryWord[]
  filter: DocumentFilter
  most: number
}

/** The index of a team; undefined where nothing was indexed yet. */
export function findIndex(
  { query }: SearchStore,
  { teamId, kind }: { teamId: string; kind: IndexKind },
): Promise<IndexTable | undefined> {
  return query
    .selectFrom('search_indexes')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

/** The best documents for words, or the newest where there are no words. */
export async function findDocuments(
  { query }: SearchStore,
  { index, words, filter, most }: WantedDocuments,
): Promise<Ranked[]> {
  if (words.length === 0) return newest(query, index.id, filter, most)
  const lists = await readPostings(query, index.id, words)
  const blocks = await readBlocks(query, index.id, lists)
  if (hasFilter(filter)) await allowOnly(query, index.id, filter, blocks)
  const { documents, title_words: title, headings_words: headings, body_words: body } = index
  const frequencies = lists.map((terms) => Math.max(0, ...terms.map(sizeOf)))
  const statistics = { documents, lengths: { title, headings, body } }
  return rank(blocks, { statistics, frequencies, most })
}

/** Of each word the postings of its terms, by block. */
type PostingLists = Map<number, Uint32Array>[][]

const sizeOf = (blocks: Map<number, Uint32Array>) =>
  [...blocks.values()].reduce((sum, { length }) => sum + length, 0)

async function readPostings(
  query: SearchQueryable,
  indexId: string,
  words: readonly QueryWord[],
): Promise<PostingLists> {
  const blocks = await query
    .selectFrom('search_blocks')
    .select('block')
    .where('index_id', '=', indexId)
    .execute()
  if (blocks.length === 0) return words.map(() => [])
  // Both are named, so that the store looks up each pair and reads nothing else.
  const rows = await query
    .selectFrom('search_postings')
    .select(['term', 'block', 'postings'])
    .where('index_id', '=', indexId)
    .where(
      'block',
      'in',
      blocks.map(({ block }) => block),
    )
    .where('term', 'in', [...new Set(words.flat())])
    .execute()
  const byTerm = new Map<string, Map<number, Uint32Array>>()
  for (const { term, block, postings } of rows) {
    const blocks = byTerm.get(term) ?? new Map<number, Uint32Array>()
    byTerm.set(term, blocks.set(block, numbersOf(postings)))
  }
  return words.map((terms) => terms.flatMap((term) => byTerm.get(term) ?? []))
}

/** The blocks in which anything was found, in order. */
async function readBlocks(query: SearchQueryable, indexId: string, lists: PostingLists): Promise<Block[]> {
  const needed = new Set(lists.flatMap((terms) => terms.flatMap((blocks) => [...blocks.keys()])))
  if (needed.size === 0) return []
  const rows = await query
    .selectFrom('search_blocks')
    .select(['block', 'lengths'])
    .where('index_id', '=', indexId)
    .where('block', 'in', [...needed])
    .orderBy('block')
    .execute()
  return rows.map(({ block, lengths }) => ({
    index: block,
    lengths: numbersOf(lengths),
    words: lists.map((terms) => terms.flatMap((blocks) => blocks.get(block) ?? [])),
  }))
}

function hasFilter(filter: DocumentFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}

async function allowOnly(
  query: SearchQueryable,
  indexId: string,
  filter: DocumentFilter,
  blocks: Block[],
): Promise<void> {
  const byIndex = new Map(blocks.map((block) => [block.index, block]))
  for (const block of blocks) block.allowed = new Uint8Array(blockSize)
  const rows = await query
    .selectFrom('search_documents')
    .select('number')
    .where('index_id', '=', indexId)
    .where(conditionOf(filter))
    .execute()
  for (const { number } of rows) {
    const allowed = byIndex.get(Math.floor(number / blockSize))?.allowed
    if (allowed) allowed[number % blockSize] = 1
  }
}

async function newest(
  query: SearchQueryable,
  indexId: string,
  filter: DocumentFilter,
  most: number,
): Promise<Ranked[]> {
  const rows = await query
    .selectFrom('search_documents')
    .select('number')
    .where('index_id', '=', indexId)
    .where(conditionOf(filter))
    .orderBy('number', 'desc')
    .limit(most)
    .execute()
  return rows.map(({ number }) => ({ number, score: 0 }))
}

const build = expressionBuilder<{ search_documents: DocumentTable }, 'search_documents'>()

/** What holds for documents that pass a filter. */
export function conditionOf(filter: DocumentFilter): Expression<SqlBool> {
  const { sites, excludedSites = [], types, from, to, isNews, larger, imageSize } = filter
  const conditions: Expression<SqlBool>[] = []
  if (sites) conditions.push(build.or(sites.map(onSite)))
  for (const site of excludedSites) conditions.push(build.not(onSite(site)))
  if (types) conditions.push(build('type', 'in', [...types]))
  if (from !== undefined) conditions.push(build('published_at', '>=', from))
  if (to !== undefined) conditions.push(build('published_at', '<=', to))
  if (isNews) conditions.push(build('news', '=', 1))
  if (larger)
    conditions.push(build('image_width', '>=', larger.width), build('image_height', '>=', larger.height))
  if (imageSize)
    conditions.push(build('image_width', '=', imageSize.width), build('image_height', '=', imageSize.height))
  return build.and(conditions)
}

/** A site and all hosts below it are one range. A path is looked at when the result is. */
function onSite(site: string): Expression<SqlBool> {
  const turned = turnHost(site.split('/')[0] ?? '')
  return build.or([
    build('site', '=', turned),
    build.and([build('site', '>', `${turned}.`), build('site', '<', `${turned}/`)]),
  ])
}

/** `docs.example.com` → `com.example.docs`. */
export function turnHost(host: string): string {
  return host.split('.').toReversed().join('.')
}

/** A document without its text, with the number of pages that link to it. */
export type FoundRow = Omit<DocumentTable, 'body' | 'vector' | 'vector_due'> & { inbound: number }

const rowColumns = [
  ...(['index_id', 'number', 'document_key', 'page_key', 'url', 'site', 'type', 'title'] as const),
  ...(['language', 'published_at', 'fetched_at', 'expires_at', 'news', 'hash', 'fingerprint'] as const),
  ...(['image_url', 'image_width', 'image_height'] as const),
]

/** Rows of the documents that were found, by their numbers. */
export async function readDocuments(
  { query }: SearchStore,
  indexId: string,
  numbers: readonly number[],
): Promise<Map<number, FoundRow>> {
  if (numbers.length === 0) return new Map()
  const rows = await query
    .selectFrom('search_documents as document')
    .leftJoin('search_inbound as links', (join) =>
      join
        .onRef('links.index_id', '=', 'document.index_id')
        .onRef('links.page_key', '=', 'document.page_key'),
    )
    .select(rowColumns.map((name) => `document.${name}` as const))
    .select((row) => row.fn.coalesce('links.inbound', row.lit(0)).as('inbound'))
    .where('document.index_id', '=', indexId)
    .where('document.number', 'in', [...numbers])
    .execute()
  return new Map(rows.map((row) => [row.number, row]))
}

/** The vectors of documents that have one, by their numbers. */
export async function readVectors(
  { query }: SearchStore,
  indexId: string,
  numbers: readonly number[],
): Promise<Map<number, Uint8Array>> {
  if (numbers.length === 0) return new Map()
  const rows = await query
    .selectFrom('search_documents')
    .select(['number', 'vector'])
    .where('index_id', '=', indexId)
    .where('number', 'in', [...numbers])
    .execute()
  return new Map(rows.flatMap(({ number, vector }) => (vector === null ? [] : [[number, vector]])))
}

/** The text of a document as it is kept; undefined where it went meanwhile. */
export async function readText(
  { query }: SearchStore,
  { index_id, number }: Pick<DocumentTable, 'index_id' | 'number'>,
): Promise<string | undefined> {
  const row = await query
    .selectFrom('search_documents')
    .select('body')
    .where('index_id', '=', index_id)
    .where('number', '=', number)
    .executeTakeFirst()
  return row && readBody(row.body)
}
