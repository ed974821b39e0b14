import type { Kysely } from 'kysely'

/** Adds the deletion time of a team, whose rows and blobs are removed afterwards in batches. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('teams').addColumn('deleted_at', 'bigint').execute()
}
