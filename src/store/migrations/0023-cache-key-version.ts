import type { Kysely } from 'kysely'

/** Adds the version of the cache key of each page. Pages under older versions are never found and can be removed. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('pages')
    .addColumn('key_version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await schema.createIndex('pages_by_key_version').on('pages').column('key_version').execute()
}
