import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { StoredMigration } from '../../store/migrate.ts'
import type { SearchStore } from './tables.ts'

export const indexMigrations = (dialect: SearchStore['dialect']): Record<string, StoredMigration> => ({
  '0001-start': { up: (database) => start(database, dialect === 'postgres') },
  '0002-vectors': { up: vectors },
  '0003-full-text': { up: (database) => fullText(database, dialect === 'postgres') },
  '0004-cheaper-writes': {
    // Processes of the previous version return the same results without the dropped index, more slowly.
    contracts: '0002-vectors',
    up: (database) => cheaperWrites(database, dialect === 'postgres'),
  },
})

export async function migrateIndex(store: SearchStore): Promise<void> {
  const migrator = new Migrator({
    db: store.query,
    provider: { getMigrations: async () => indexMigrations(store.dialect) },
    migrationTableName: 'search_migrations',
    migrationLockTableName: 'search_migrations_lock',
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new Error('The search index could not be brought to the newest shape.', { cause: error })
}

async function start(database: Kysely<unknown>, isPostgres: boolean): Promise<void> {
  // Sites and page keys are queried as ranges of text. Without this collation, PostgreSQL would sort them by the rules
  // of a language.
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
}

async function vectors(database: Kysely<unknown>): Promise<void> {
  await sql`alter table search_documents add column vector_due bigint`.execute(database)
  await sql`create index search_documents_vector_due on search_documents (vector_due, index_id, number)
    where vector_due is not null`.execute(database)
  await sql`create index search_documents_twins on search_documents (index_id, fingerprint)
    where fingerprint <> ''`.execute(database)
}

async function fullText(database: Kysely<unknown>, isPostgres: boolean): Promise<void> {
  for (const column of ['words', 'searched_at'])
    await sql`alter table search_indexes add column ${sql.ref(column)} bigint not null default 0`.execute(
      database,
    )
  await sql`alter table search_documents add column length integer not null default 0`.execute(database)
  const type = sql.raw(isPostgres ? 'tsvector' : 'text')
  await sql`alter table search_documents add column terms ${type}`.execute(database)
  await sql`create index search_documents_without_terms on search_documents (index_id, number)
    where terms is null`.execute(database)
  // The pending list reduces the write-ahead log to a sixteenth.
  if (isPostgres)
    await sql`create index search_documents_terms on search_documents using gin (terms)
      with (fastupdate = on, gin_pending_list_limit = 16384)`.execute(database)
}

async function cheaperWrites(database: Kysely<unknown>, isPostgres: boolean): Promise<void> {
  // Only vectors can be copied, and most documents have none.
  await sql`drop index search_documents_twins`.execute(database)
  await sql`create index search_documents_twins on search_documents (index_id, fingerprint)
    where vector is not null`.execute(database)
  // The entries of one document fill most of a page of the list. 24 MB hold 3,000 documents, 16 MB held 2,000.
  if (isPostgres)
    await sql`alter index search_documents_terms set (gin_pending_list_limit = 24576)`.execute(database)
}
