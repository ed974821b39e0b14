import { sql } from 'kysely'
import { dimensions } from '../sentence-model/open-model.ts'
import type { WordSearch } from './page-index.ts'
import type { SearchQueryable, SearchStore } from './tables.ts'

const indexName = 'search_documents_nearest'
/** Version 0.8 added iterative scans. Without them, documents of other teams displace those of a team. */
const minVersion = [0, 8]

/** Creates the vector index if the database has the extension `vector`, which an operator may add at any time. */
export async function prepareNearest({ query, dialect }: SearchStore): Promise<void> {
  if (dialect !== 'postgres' || !(await hasExtension(query))) return
  const { rows } = await sql<{ isValid: boolean }>`select indisvalid as "isValid" from pg_index
    where indexrelid = to_regclass(${indexName})`.execute(query)
  if (rows[0]?.isValid) return
  // A killed process leaves an invalid index.
  if (rows[0]) await sql`drop index concurrently ${sql.ref(indexName)}`.execute(query)
  // The types of the body are resolved now, because an index is built without a search path.
  await sql`create or replace function search_embedding(bytes bytea) returns halfvec
    immutable parallel safe strict language sql
    return (select array_agg((get_byte(bytes, place) # 128) - 128 order by place)::real[]::halfvec
      from generate_series(0, ${sql.lit(dimensions - 1)}) as place)`.execute(query)
  await sql`create index concurrently if not exists ${sql.ref(indexName)} on search_documents
    using hnsw ((search_embedding(vector)::halfvec(${sql.lit(dimensions)})) halfvec_cosine_ops)
    where length(vector) = ${sql.lit(dimensions)}`.execute(query)
}

async function hasExtension(query: SearchQueryable): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_extension where extname = 'vector'
    and string_to_array(extversion, '.')::int[] >= ${minVersion}::int[]`.execute(query)
  return rows.length > 0
}

/** True if `prepareNearest` has completed. */
export async function canFindNearest({ query, dialect }: SearchStore): Promise<boolean> {
  if (dialect !== 'postgres') return false
  const { rows } = await sql`select 1 from pg_index
    where indexrelid = to_regclass(${indexName}) and indisvalid`.execute(query)
  return rows.length > 0
}

/** Returns the documents with the nearest vectors, nearest first. */
export function findNearest(
  store: SearchStore,
  { indexId, vector, filter }: { indexId: string; vector: Int8Array; filter: WordSearch['filter'] },
  { limit, minSimilarity }: { limit: number; minSimilarity: number },
): Promise<number[]> {
  return store.transaction(
    async (transaction) => {
      await sql`set local hnsw.iterative_scan = strict_order`.execute(transaction)
      await sql`set local hnsw.ef_search = ${sql.lit(limit)}`.execute(transaction)
      const { rows } = await sql<{ number: number; distance: number }>`
        select number, search_embedding(vector)::halfvec(${sql.lit(dimensions)}) <=> ${`[${vector.join(',')}]`}::halfvec as distance
        from search_documents
        where index_id = ${indexId} and length(vector) = ${sql.lit(dimensions)} ${filter ? sql`and ${filter}` : sql``}
        order by distance limit ${limit}`.execute(transaction)
      return rows.flatMap(({ number, distance }) => (1 - distance >= minSimilarity ? number : []))
    },
    { durable: false },
  )
}
