import { type Kysely, sql } from 'kysely'
import type { SearchStore } from '../tables.ts'

export const cheaperWrites = (dialect: SearchStore['dialect']) => ({
  // Processes of the previous version return the same results without the dropped index, more slowly.
  contracts: '0002-vectors',
  async up(database: Kysely<unknown>): Promise<void> {
    // Only documents with a vector need an entry, because only their vectors can be copied. Most documents have none.
    await sql`drop index search_documents_twins`.execute(database)
    await sql`create index search_documents_twins on search_documents (index_id, fingerprint)
      where vector is not null`.execute(database)
    // The entries of one document fill most of a page of the pending list. 24 MB hold 3,000 documents, 16 MB held
    // 2,000.
    if (dialect === 'postgres')
      await sql`alter index search_documents_terms set (gin_pending_list_limit = 24576)`.execute(database)
  },
})
