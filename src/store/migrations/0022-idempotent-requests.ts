import type { Kysely } from 'kysely'

/** The request that an idempotency key was used for, as a hash; null where the key started a job in the background. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('idempotency').addColumn('request', 'text').execute()
}
