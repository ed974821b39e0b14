import type { Kysely } from 'kysely'

/** Adds the hash of the request of an idempotency key; null if the key started a background job. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('idempotency').addColumn('request', 'text').execute()
}
