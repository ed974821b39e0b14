import type { Kysely } from 'kysely'

/** When a team was deleted: its rows and blobs are removed afterwards, some at a time. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('teams').addColumn('deleted_at', 'bigint').execute()
}
