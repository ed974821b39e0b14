import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Counts the bytes of cached pages per team. Triggers update the count, so it is exact for every removal of pages, in
 * every process. Pages that are already stored in blobs count with the minimum size of such a page.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .alterTable('pages')
    .addColumn('bytes', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await sql`update pages set bytes = coalesce(length(body), 262144)`.execute(db)
  await schema
    .createTable('cache_sizes')
    .addColumn('team_id', 'text', (column) => column.primaryKey())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .execute()
  await sql`insert into cache_sizes (team_id, bytes) select team_id, sum(bytes) from pages group by team_id`.execute(
    db,
  )
  await schema.createIndex('pages_by_team_age').on('pages').columns(['team_id', 'fetched_at', 'id']).execute()
  const statements = db.getExecutor().adapter instanceof PostgresAdapter ? onPostgres : onSqlite
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const add = (value: string) =>
  `insert into cache_sizes (team_id, bytes) values (${value}) on conflict (team_id) do update set bytes = cache_sizes.bytes + excluded.bytes`
const subtract = 'update cache_sizes set bytes = bytes - old.bytes where team_id = old.team_id'

const onSqlite = [
  `create trigger pages_counted after insert on pages begin ${add('new.team_id, new.bytes')}; end`,
  `create trigger pages_uncounted after delete on pages begin ${subtract}; end`,
]

const onPostgres = [
  `create function count_page() returns trigger language plpgsql as $$ begin ${add('new.team_id, new.bytes')}; return null; end $$`,
  `create function uncount_page() returns trigger language plpgsql as $$ begin ${subtract}; return null; end $$`,
  'create trigger pages_counted after insert on pages for each row execute function count_page()',
  'create trigger pages_uncounted after delete on pages for each row execute function uncount_page()',
]
