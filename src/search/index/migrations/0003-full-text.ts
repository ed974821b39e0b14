import { type Kysely, sql } from 'kysely'
import type { SearchStore } from '../tables.ts'

/**
 * Replaces the posting tables with the full-text search of the database. Documents without terms are indexed again in
 * the background.
 */
export const fullText = (dialect: SearchStore['dialect']) => ({
  async up(database: Kysely<unknown>): Promise<void> {
    const { schema } = database
    const isPostgres = dialect === 'postgres'
    for (const [name, value] of [
      ['words', 0],
      ['searched_at', 0],
    ] as const)
      await schema
        .alterTable('search_indexes')
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(value))
        .execute()
    await schema
      .alterTable('search_documents')
      .addColumn('length', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await schema
      .alterTable('search_documents')
      .addColumn('terms', isPostgres ? sql`tsvector` : 'text')
      .execute()
    await sql`create index search_documents_without_terms on search_documents (index_id, number)
      where terms is null`.execute(database)
    // The pending list writes entries of many documents to the index together, which reduces the write-ahead log to a
    // sixteenth.
    if (isPostgres)
      await sql`create index search_documents_terms on search_documents using gin (terms)
        with (fastupdate = on, gin_pending_list_limit = 16384)`.execute(database)
  },
})
