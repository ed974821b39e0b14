import { type Kysely, sql } from 'kysely'
import type { SearchStore } from '../tables.ts'

export const cheaperWrites = (dialect: SearchStore['dialect']) => ({
  // Processes of the version before find the same without the index that is dropped, more slowly.
  contracts: '0002-vectors',
  async up(database: Kysely<unknown>): Promise<void> {
    // Only a document that has a vector can give it to a copy. Most documents have none, and cost no entry.
    await sql`drop index search_documents_twins`.execute(database)
    await sql`create index search_documents_twins on search_documents (index_id, fingerprint)
      where vector is not null`.execute(database)
    // Entries of a page fill most of a page of the pending list: 3,000 documents together, where 16 MB took 2,000.
    if (dialect === 'postgres')
      await sql`alter index search_documents_terms set (gin_pending_list_limit = 24576)`.execute(database)
  },
})
