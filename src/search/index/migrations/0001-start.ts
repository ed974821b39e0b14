import { type Kysely, sql } from 'kysely'
import type { SearchStore } from '../tables.ts'

/** Indexes with their postings, and the documents that are found by them. */
export const start = (dialect: SearchStore['dialect']) => ({
  async up(database: Kysely<unknown>): Promise<void> {
    await createIndexes(database)
    await createPostings(database, dialect)
    await createDocuments(database, dialect)
  },
})

async function createIndexes({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('search_indexes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('next_number', 'bigint', (column) => column.notNull())
    .addColumn('documents', 'bigint', (column) => column.notNull())
    .addColumn('title_words', 'bigint', (column) => column.notNull())
    .addColumn('headings_words', 'bigint', (column) => column.notNull())
    .addColumn('body_words', 'bigint', (column) => column.notNull())
    .addColumn('languages', 'text', (column) => column.notNull())
    .addUniqueConstraint('search_indexes_of_team', ['team_id', 'kind'])
    .execute()
}

async function createPostings({ schema }: Kysely<unknown>, dialect: SearchStore['dialect']): Promise<void> {
  // By block first: the words of the newest block lie together, and a block is read or removed in one piece.
  const postings = schema
    .createTable('search_postings')
    .addColumn('index_id', 'text', (column) => column.notNull())
    .addColumn('block', 'integer', (column) => column.notNull())
    .addColumn('term', 'text', (column) => column.notNull())
    .addColumn('postings', 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('search_postings_key', ['index_id', 'block', 'term'])
  // The key is most of a row; SQLite would keep it a second time.
  await (dialect === 'sqlite' ? postings.modifyEnd(sql`without rowid`) : postings).execute()
  await schema
    .createTable('search_blocks')
    .addColumn('index_id', 'text', (column) => column.notNull())
    .addColumn('block', 'integer', (column) => column.notNull())
    .addColumn('lengths', 'bytea', (column) => column.notNull())
    .addPrimaryKeyConstraint('search_blocks_key', ['index_id', 'block'])
    .execute()
}

async function createDocuments({ schema }: Kysely<unknown>, dialect: SearchStore['dialect']): Promise<void> {
  // Sites, and what belongs to a page, are ranges of text, which PostgreSQL would otherwise put into the order of a language.
  const ordered = dialect === 'postgres' ? sql`text collate "C"` : 'text'
  await schema
    .createTable('search_documents')
    .addColumn('index_id', 'text', (column) => column.notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('document_key', ordered, (column) => column.notNull())
    .addColumn('page_key', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('site', ordered, (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('language', 'text')
    .addColumn('published_at', 'bigint')
    .addColumn('fetched_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('news', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('image_url', 'text')
    .addColumn('image_width', 'integer')
    .addColumn('image_height', 'integer')
    .addColumn('body', 'bytea', (column) => column.notNull())
    .addColumn('vector', 'bytea')
    .addPrimaryKeyConstraint('search_documents_key', ['index_id', 'number'])
    .addUniqueConstraint('search_documents_once', ['index_id', 'document_key'])
    .execute()
  for (const [name, columns] of [
    ['search_documents_of_site', ['index_id', 'site', 'number']],
    ['search_documents_by_date', ['index_id', 'published_at', 'number']],
    ['search_documents_expired', ['expires_at']],
  ] as const)
    await schema
      .createIndex(name)
      .on('search_documents')
      .columns([...columns])
      .execute()
  await schema
    .createTable('search_inbound')
    .addColumn('index_id', 'text', (column) => column.notNull())
    .addColumn('page_key', 'text', (column) => column.notNull())
    .addColumn('inbound', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('search_inbound_key', ['index_id', 'page_key'])
    .execute()
}
