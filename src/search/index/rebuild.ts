import { sql } from 'kysely'
import {
  inIndexTransaction,
  lengthOf,
  lockById,
  readBody,
  type SearchIndex,
  updateDocument,
} from './documents.ts'
import { prepareNearest } from './meaning.ts'
import { termsOfDocument } from './page-documents.ts'
import type { SearchQueryable, SearchStore } from './tables.ts'

const documentsPerStep = 32
const oldRowsPerStep = 2000

export async function countUnindexed(query: SearchQueryable, indexId?: string): Promise<number> {
  let rows = query.selectFrom('search_documents').where('terms', 'is', null)
  if (indexId !== undefined) rows = rows.where('index_id', '=', indexId)
  const counted = rows.select((row) => row.fn.countAll<number>().as('count'))
  return Number((await counted.executeTakeFirstOrThrow()).count)
}

/** Documents without terms come from an older version, whose processes may still run. */
export async function rebuildStep(index: SearchIndex) {
  await indexAgain(index)
  const unindexed = await countUnindexed(index.store.query)
  const isDone = unindexed === 0 && !(await removeOldPostings(index.store))
  // Reason why pgvector cannot be used although it is installed.
  const obstacle = isDone ? await prepareNearest(index.store).catch((thrown: unknown) => thrown) : undefined
  return { unindexed, isDone, obstacle }
}

function indexAgain(index: SearchIndex): Promise<void> {
  const { store, words } = index
  return inIndexTransaction(store, async (transaction) => {
    const unindexed = transaction.selectFrom('search_documents').where('terms', 'is', null)
    const next = await unindexed.select('index_id').limit(1).executeTakeFirst()
    if (!next) return
    const { index_id: indexId } = next
    await lockById(store, transaction, indexId)
    const rows = await unindexed
      .select(['number', 'url', 'title', 'language', 'document_key', 'body', 'length'])
      .select(['image_url', 'image_width', 'image_height'])
      .where('index_id', '=', indexId)
      // Newest first, because callers search for these most.
      .orderBy('number', 'desc')
      .limit(documentsPerStep)
      .execute()
    const documents: Parameters<typeof words.add>[2][number][] = []
    let added = 0
    for (const row of rows) {
      const { number } = row
      const terms = await termsOfDocument(row, await readBody(row.body).catch(() => ''))
      const length = lengthOf(terms)
      added += length - row.length
      documents.push({ number, terms })
      const changes = { length, terms: words.toColumn(indexId, terms) }
      await updateDocument(transaction, { indexId, number }, changes)
    }
    await words.add(transaction, indexId, documents)
    await transaction
      .updateTable('search_indexes')
      .set((row) => ({ words: row('words', '+', added) }))
      .where('id', '=', indexId)
      .execute()
  })
}

/** Returns false if none is left. The next version drops the empty tables. */
async function removeOldPostings({ query, dialect }: SearchStore): Promise<boolean> {
  if (dialect === 'postgres') {
    // Processes of the older version still write to the table; an empty table is not truncated again.
    const { rows } = await sql`select 1 from search_postings limit 1`.execute(query)
    if (rows.length > 0) await sql`truncate search_postings, search_blocks`.execute(query)
    return false
  }
  const { numAffectedRows = 0n } = await sql`delete from search_postings where (index_id, block, term) in
    (select index_id, block, term from search_postings limit ${oldRowsPerStep})`.execute(query)
  if (numAffectedRows === 0n) await sql`delete from search_blocks`.execute(query)
  return numAffectedRows > 0n
}
