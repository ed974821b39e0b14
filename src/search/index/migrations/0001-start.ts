import { type Kysely, sql } from 'kysely'
import type { SearchStore } from '../tables.ts'

/** Creates the tables of indexes, postings and documents. */
export const start = (dialect: SearchStore['dialect']) => ({
  async up(database: Kysely<unknown>): Promise<void> {
    const isPostgres = dialect === 'postgres'
    // Sites and page keys are queried as ranges of text. Without this collation, PostgreSQL would sort them by the
    // rules of a language.
    const ordered = sql.raw(isPostgres ? 'text collate "C"' : 'text')
    await sql`create table search_indexes (id text primary key, team_id text not null, kind text not null,
      next_number bigint not null, documents bigint not null, title_words bigint not null,
      headings_words bigint not null, body_words bigint not null, languages text not null,
      constraint search_indexes_of_team unique (team_id, kind))`.execute(database)
    // The key is most of a row; with a rowid, SQLite would store it a second time.
    await sql`create table search_postings (index_id text not null, block integer not null, term text not null,
      postings bytea not null, constraint search_postings_key primary key (index_id, block, term))
      ${sql.raw(isPostgres ? '' : 'without rowid')}`.execute(database)
    await sql`create table search_blocks (index_id text not null, block integer not null, lengths bytea not null,
      constraint search_blocks_key primary key (index_id, block))`.execute(database)
    await sql`create table search_documents (index_id text not null, number bigint not null,
      document_key ${ordered} not null, page_key text not null, url text not null, site ${ordered} not null,
      type text not null, title text not null, language text, published_at bigint, fetched_at bigint not null,
      expires_at bigint not null, news integer not null, hash text not null, fingerprint text not null,
      image_url text, image_width integer, image_height integer, body bytea not null, vector bytea,
      constraint search_documents_key primary key (index_id, number),
      constraint search_documents_once unique (index_id, document_key))`.execute(database)
    for (const index of [
      'search_documents_of_site on search_documents (index_id, site, number)',
      'search_documents_by_date on search_documents (index_id, published_at, number)',
      'search_documents_expired on search_documents (expires_at)',
    ])
      await sql`create index ${sql.raw(index)}`.execute(database)
    await sql`create table search_inbound (index_id text not null, page_key text not null, inbound bigint not null,
      constraint search_inbound_key primary key (index_id, page_key))`.execute(database)
  },
})
