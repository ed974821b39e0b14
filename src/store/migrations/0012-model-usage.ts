import type { Kysely } from 'kysely'

/** Adds the language model tokens that a team has used per day. */
export async function up({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('model_usage')
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id'))
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('input_tokens', 'bigint', (column) => column.notNull())
    .addColumn('output_tokens', 'bigint', (column) => column.notNull())
    .addColumn('calls', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('model_usage_key', ['team_id', 'day'])
    .execute()
}
