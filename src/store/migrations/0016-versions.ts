import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

/** Adds the columns for listing tracked pages, and a table of versions before the last one. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  const add = (name: string, type: 'text' | 'bigint') =>
    schema.alterTable('snapshots').addColumn(name, type).execute()
  for (const name of ['tag', 'part', 'last_status']) await add(name, 'text')
  await add('size', 'bigint')
  for (const name of ['redacted', 'first_seen', 'since'])
    await schema
      .alterTable('snapshots')
      .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  await sql`update snapshots set first_seen = scraped_at, since = scraped_at`.execute(database)
  await setTextPart(database)
  await schema
    .createIndex('snapshots_by_time')
    .on('snapshots')
    .columns(['team_id', 'part', 'scraped_at', 'snapshot_key'])
    .execute()
  await schema
    .createTable('snapshot_versions')
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id'))
    .addColumn('snapshot_key', 'text', (column) => column.notNull())
    .addColumn('body', 'bytea')
    .addColumn('blob', 'text')
    .addColumn('size', 'bigint')
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('scraped_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('snapshot_versions_once', ['team_id', 'snapshot_key', 'since'])
    .execute()
}

interface SnapshotKeyRow {
  snapshot_key: string
  url: string
}

/** Sets `part` of rows whose key is that of a page without a tag. Other rows get it when the page is tracked again. */
async function setTextPart(database: Kysely<unknown>): Promise<void> {
  let after = ''
  for (;;) {
    const { rows } = await sql<SnapshotKeyRow>`
      select snapshot_key, url from snapshots where snapshot_key > ${after}
      order by snapshot_key limit 500`.execute(database)
    for (const { snapshot_key, url } of rows) {
      const untagged = createHash('sha256')
        .update(JSON.stringify([url, null]))
        .digest('hex')
      if (snapshot_key === untagged)
        await sql`update snapshots set part = 'text' where snapshot_key = ${snapshot_key}`.execute(database)
    }
    if (rows.length < 500) return
    after = rows.at(-1)?.snapshot_key ?? ''
  }
}
