import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Records the name of every blob that a row stops naming, in the transaction that deletes or changes the row. Triggers
 * do it, so no statement can omit it, not even one of an older version. The last compared blobs and rows are stored per
 * folder.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { schema } = db
  await schema
    .createTable('blob_deletions')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('attempts', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('next_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema.createIndex('blob_deletions_due').on('blob_deletions').column('next_at').execute()
  await schema
    .createTable('blob_sweeps')
    .addColumn('folder', 'text', (column) => column.primaryKey())
    .addColumn('after_name', 'text', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .execute()
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const statements = isPostgres ? [...functions, ...columns.flatMap(onPostgres)] : columns.flatMap(onSqlite)
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const columns = [
  ['jobs', 'result_blob'],
  ['pages', 'blob'],
  ['files', 'blob'],
  ['snapshots', 'blob'],
  ['snapshot_versions', 'blob'],
  ['site_files', 'blob'],
  ['profiles', 'blob'],
  ['profiles', 'spare_blob'],
] as const

type Column = (typeof columns)[number]

const note = (column: string) =>
  `insert into blob_deletions (name) values (old.${column}) on conflict do nothing`

function onSqlite([table, column]: Column): string[] {
  const name = `${table}_${column}`
  return [
    `create index ${name}_name on ${table} (${column}) where ${column} is not null`,
    `create trigger ${name}_deleted after delete on ${table} when old.${column} is not null begin ${note(column)}; end`,
    `create trigger ${name}_replaced after update of ${column} on ${table} when old.${column} is not null and old.${column} is not new.${column} begin ${note(column)}; end`,
  ]
}

const functions = [...new Set(columns.map(([, column]) => column))].map(
  (column) =>
    `create function note_unused_${column}() returns trigger language plpgsql as $$ begin ${note(column)}; return null; end $$`,
)

/** Names are compared by their bytes, in the order of a bucket listing, whatever the collation of the database. */
function onPostgres([table, column]: Column): string[] {
  const name = `${table}_${column}`
  const run = `for each row when (old.${column} is not null`
  return [
    `create index ${name}_name on ${table} (${column} collate "C") where ${column} is not null`,
    `create trigger ${name}_deleted after delete on ${table} ${run}) execute function note_unused_${column}()`,
    `create trigger ${name}_replaced after update of ${column} on ${table} ${run} and old.${column} is distinct from new.${column}) execute function note_unused_${column}()`,
  ]
}
