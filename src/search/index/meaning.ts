import { sql } from 'kysely'
import { dimensions, similarity } from '../sentence-model/open-model.ts'
import { type DocumentSummary, inIndexTransaction, selectDocuments } from './documents.ts'
import type { WordSearch } from './page-index.ts'
import type { IndexTable, SearchQueryable, SearchStore } from './tables.ts'

/**
 * Maximum number of vectors that are compared, newest first. With pgvector, PostgreSQL compares more;
 * otherwise, older documents are found by their words only.
 */
const maxCompared = 20_000
const maxNearest = 100
const minSimilarity = 0.3
const indexName = 'search_documents_nearest'
/** Version 0.8 added iterative scans. Without them, documents of other teams displace those of a team. */
const minVersion = [0, 8]

interface NearestSearch {
  index: Pick<IndexTable, 'id' | 'documents'>
  vector: Int8Array
  filter: WordSearch['filter']
}

export async function nearestDocuments(
  store: SearchStore,
  search: NearestSearch,
  limit = maxCompared,
): Promise<number[]> {
  const { index, vector, filter } = search
  if (index.documents > limit && (await canFindNearest(store))) return findNearest(store, search)
  const newest = selectDocuments(store.query, index.id)
    .select(['number', 'vector'])
    .where('vector', 'is not', null)
    .orderBy('number', 'desc')
    .limit(limit)
  const rows = await (filter ? newest.where(filter) : newest).execute()
  const near = rows.flatMap((row) => {
    const rowVector = readVector(row.vector)
    const score = rowVector ? similarity(vector, rowVector) : 0
    return score >= minSimilarity ? [{ number: row.number, score }] : []
  })
  near.sort((one, other) => other.score - one.score || one.number - other.number)
  return near.slice(0, maxNearest).map(({ number }) => number)
}

/** A row without a vector keeps its rank, so that a page does not lose its rank while its vector is pending. */
export function rankBySimilarity(
  byWords: DocumentSummary[],
  added: DocumentSummary[],
  vector: Int8Array,
): DocumentSummary[] {
  const ranked = [...byWords, ...added].map((row) => ({ row, rowVector: readVector(row.vector) }))
  const similar = ranked
    .flatMap(({ row, rowVector }) => (rowVector ? [{ row, score: similarity(vector, rowVector) }] : []))
    .sort((one, other) => other.score - one.score)
    .values()
  return ranked.map(({ row, rowVector }) => (rowVector && similar.next().value?.row) || row)
}

/** A vector is empty if the model could not read the text. */
function readVector(bytes: Uint8Array | null): Int8Array | undefined {
  return bytes?.length === dimensions ? new Int8Array(bytes.buffer, bytes.byteOffset, dimensions) : undefined
}

/** Creates the vector index if the database has the extension `vector`, which an operator may add at any time. */
export async function prepareNearest({ query, dialect }: SearchStore): Promise<void> {
  if (dialect !== 'postgres') return
  const extensions = await sql`select 1 from pg_extension where extname = 'vector'
    and string_to_array(extversion, '.')::int[] >= ${minVersion}::int[]`.execute(query)
  if (extensions.rows.length === 0) return
  const isValid = await isIndexValid(query)
  if (isValid) return
  // A killed process leaves an invalid index.
  if (isValid === false) await sql`drop index concurrently ${sql.ref(indexName)}`.execute(query)
  // With an unquoted body, types are resolved now: PostgreSQL builds an index without a search path.
  await sql`create or replace function search_embedding(bytes bytea) returns halfvec
    immutable parallel safe strict language sql
    return (select array_agg((get_byte(bytes, place) # 128) - 128 order by place)::real[]::halfvec
      from generate_series(0, ${sql.lit(dimensions - 1)}) as place)`.execute(query)
  await sql`create index concurrently if not exists ${sql.ref(indexName)} on search_documents
    using hnsw ((search_embedding(vector)::halfvec(${sql.lit(dimensions)})) halfvec_cosine_ops)
    where length(vector) = ${sql.lit(dimensions)}`.execute(query)
}

async function isIndexValid(query: SearchQueryable): Promise<boolean | undefined> {
  const { rows } = await sql<{ isValid: boolean }>`select indisvalid as "isValid" from pg_index
    where indexrelid = to_regclass(${indexName})`.execute(query)
  return rows[0]?.isValid
}

export async function canFindNearest({ query, dialect }: SearchStore): Promise<boolean> {
  return dialect === 'postgres' && (await isIndexValid(query)) === true
}

function findNearest(store: SearchStore, { index, vector, filter }: NearestSearch): Promise<number[]> {
  return inIndexTransaction(store, async (transaction) => {
    await sql`set local hnsw.iterative_scan = strict_order`.execute(transaction)
    await sql`set local hnsw.ef_search = ${sql.lit(maxNearest)}`.execute(transaction)
    const { rows } = await sql<{ number: number; distance: number }>`
      select number, search_embedding(vector)::halfvec(${sql.lit(dimensions)}) <=> ${`[${vector.join(',')}]`}::halfvec as distance
      from search_documents
      where index_id = ${index.id} and length(vector) = ${sql.lit(dimensions)} ${filter ? sql`and ${filter}` : sql``}
      order by distance limit ${maxNearest}`.execute(transaction)
    return rows.flatMap(({ number, distance }) => (1 - distance >= minSimilarity ? number : []))
  })
}
