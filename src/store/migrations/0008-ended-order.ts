import { type Kysely, sql } from 'kysely'

/**
 * Adds the number of a child in the order in which the children of a job ended. Clients read children in this order,
 * page by page, while more of them end. The clocks of several processes do not give the order, so each child gets its
 * number under the lock of the parent.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database
  await schema.alterTable('jobs').addColumn('ended_number', 'bigint').execute()
  await schema
    .alterTable('jobs')
    .addColumn('children_ended', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  // Ended children keep their order. The numbers of running parents continue after the existing ones.
  await sql`update jobs set ended_number = finished_at where parent_id is not null`.execute(database)
  await sql`
    update jobs set children_ended =
      (select coalesce(max(child.ended_number), 0) from jobs as child where child.parent_id = jobs.id)
    where state = 'running' and takes_slot = 0`.execute(database)
  await schema.dropIndex('jobs_by_parent').execute()
  await schema
    .createIndex('jobs_by_parent')
    .on('jobs')
    .columns(['parent_id', 'state', 'takes_slot', 'ended_number', 'id', 'credits'])
    .execute()
}
