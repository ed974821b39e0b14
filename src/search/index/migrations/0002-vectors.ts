import type { Kysely } from 'kysely'

/** Adds a column for documents that wait for a vector, and an index that finds documents with the same text. */
export const vectors = {
  async up({ schema }: Kysely<unknown>): Promise<void> {
    await schema.alterTable('search_documents').addColumn('vector_due', 'bigint').execute()
    await schema
      .createIndex('search_documents_vector_due')
      .on('search_documents')
      .columns(['vector_due', 'index_id', 'number'])
      .where('vector_due', 'is not', null)
      .execute()
    await schema
      .createIndex('search_documents_twins')
      .on('search_documents')
      .columns(['index_id', 'fingerprint'])
      .where('fingerprint', '<>', '')
      .execute()
  },
}
