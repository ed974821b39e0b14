import { type Kysely, sql } from 'kysely'

/**
 * Excludes calls from the index of children, because they have no parent. The index is smaller, and each call writes
 * one index entry less.
 */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema.dropIndex('jobs_by_parent').execute()
  await schema
    .createIndex('jobs_by_parent')
    .on('jobs')
    .columns(['parent_id', 'state', 'takes_slot', 'ended_number', 'id', 'credits'])
    .where(sql.ref('parent_id'), 'is not', null)
    .execute()
}
