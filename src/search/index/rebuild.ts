import { sql } from 'kysely'
import { lengthOf } from './add-documents.ts'
import { readBody } from './body.ts'
import { lockById, type SearchIndex } from './documents.ts'
import { termsOfDocument } from './page-documents.ts'
import { prepareNearest } from './pgvector.ts'
import type { SearchQueryable, SearchStore } from './tables.ts'

/** Documents of one step. Searches and new pages come between two steps. */
const documentsPerStep = 32
const oldRowsPerStep = 2000

/** Number of documents that cannot be found by words until they have been indexed again. */
export async function countUnindexed(query: SearchQueryable, indexId?: string): Promise<number> {
  let rows = query.selectFrom('search_documents').where('terms', 'is', null)
  if (indexId !== undefined) rows = rows.where('index_id', '=', indexId)
  const { count } = await rows
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export interface RebuildState {
  unindexed: number
  isDone: boolean
  /** Why pgvector cannot be used although it is installed. */
  obstacle?: unknown
}

/**
 * Does one step of a rebuild: indexes documents without terms, then removes old postings. Those documents come from an index of an
 * older version, and from processes of that version that still run.
 */
export async function rebuildSome(index: SearchIndex): Promise<RebuildState> {
  await indexAgain(index)
  const unindexed = await countUnindexed(index.store.query)
  const isDone = unindexed === 0 && !(await removeOldPostings(index.store))
  if (!isDone) return { unindexed, isDone }
  return prepareNearest(index.store).then(
    () => ({ unindexed, isDone }),
    (obstacle) => ({ unindexed, isDone, obstacle }),
  )
}

function indexAgain({ store, words }: SearchIndex): Promise<void> {
  return store.transaction(
    async (transaction) => {
      const next = await transaction
        .selectFrom('search_documents')
        .select('index_id')
        .where('terms', 'is', null)
        .limit(1)
        .executeTakeFirst()
      if (!next) return
      const { index_id: id } = next
      await lockById(store, transaction, id)
      const rows = await transaction
        .selectFrom('search_documents')
        .select(['number', 'url', 'title', 'language', 'document_key', 'body', 'length'])
        .select(['image_url', 'image_width', 'image_height'])
        .where('index_id', '=', id)
        .where('terms', 'is', null)
        // Newest first: they are what callers look for.
        .orderBy('number', 'desc')
        .limit(documentsPerStep)
        .execute()
      const documents = await Promise.all(
        rows.map(async (row) => ({
          number: row.number,
          terms: await termsOfDocument(row, await readBody(row.body).catch(() => '')),
        })),
      )
      let added = 0
      for (const [place, { number, terms }] of documents.entries()) {
        const length = lengthOf(terms)
        added += length - (rows[place]?.length ?? 0)
        await transaction
          .updateTable('search_documents')
          .set({ length, terms: words.toColumn(id, terms) })
          .where('index_id', '=', id)
          .where('number', '=', number)
          .execute()
      }
      await words.add(transaction, id, documents)
      await transaction
        .updateTable('search_indexes')
        .set((row) => ({ words: row('words', '+', added) }))
        .where('id', '=', id)
        .execute()
    },
    { durable: false },
  )
}

/** Removes some rows of the index of an older version. Returns false when none is left. The next version drops its empty tables. */
async function removeOldPostings({ query, dialect }: SearchStore): Promise<boolean> {
  if (dialect === 'postgres') {
    // Processes of the older version go on writing to the table; an empty one is not truncated again.
    const { rows } = await sql`select 1 from search_postings limit 1`.execute(query)
    if (rows.length > 0) await sql`truncate search_postings, search_blocks`.execute(query)
    return false
  }
  const { numAffectedRows = 0n } = await sql`delete from search_postings where (index_id, block, term) in
    (select index_id, block, term from search_postings limit ${oldRowsPerStep})`.execute(query)
  if (numAffectedRows > 0n) return true
  await sql`delete from search_blocks`.execute(query)
  return false
}
