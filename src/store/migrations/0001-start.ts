import { type Kysely, sql } from 'kysely'

export async function up(database: Kysely<unknown>): Promise<void> {
  await createTeams(database)
  await createLedger(database)
  await createRates(database)
  await createJobs(database)
  await createIdempotency(database)
  await createPages(database)
}

async function createTeams({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('teams')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('balance', 'bigint')
    .addColumn('concurrency', 'bigint')
    .addColumn('zero_retention', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id'))
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('hint', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('revoked_at', 'bigint')
    .execute()
}

async function createLedger({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('ledger')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id'))
    .addColumn('key_id', 'text')
    .addColumn('job_id', 'text', (column) => column.unique())
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('ledger_by_team').on('ledger').columns(['team_id', 'created_at']).execute()
}

async function createRates({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('rates')
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('lane', 'text', (column) => column.notNull())
    .addColumn('minute', 'bigint', (column) => column.notNull())
    .addColumn('taken', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('rates_key', ['team_id', 'lane', 'minute'])
    .execute()
}

async function createJobs({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('jobs')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('team_id', 'text', (column) => column.notNull().references('teams.id'))
    .addColumn('key_id', 'text')
    .addColumn('parent_id', 'text')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('foreground', 'bigint', (column) => column.notNull())
    .addColumn('takes_slot', 'bigint', (column) => column.notNull())
    .addColumn('input', 'text', (column) => column.notNull())
    .addColumn('target', 'text')
    .addColumn('origin', 'text')
    .addColumn('retain', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'bigint', (column) => column.notNull())
    .addColumn('leased_by', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('deadline_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .addColumn('result', 'text')
    .addColumn('result_blob', 'text')
    .addColumn('error', 'text')
    .execute()
  // The two small indexes contain only active jobs, so claiming costs the same however many jobs have ended.
  await schema
    .createIndex('jobs_queued')
    .on('jobs')
    .columns(['takes_slot', 'team_id', 'id'])
    .where(sql.ref('state'), '=', sql.lit('queued'))
    .execute()
  await schema
    .createIndex('jobs_running')
    .on('jobs')
    .columns(['team_id', 'takes_slot', 'lease_until'])
    .where(sql.ref('state'), '=', sql.lit('running'))
    .execute()
  await schema.createIndex('jobs_by_parent').on('jobs').columns(['parent_id', 'state', 'id']).execute()
  await schema.createIndex('jobs_by_team').on('jobs').columns(['team_id', 'created_at', 'id']).execute()
  await schema.createIndex('jobs_by_end').on('jobs').column('finished_at').execute()
}

async function createIdempotency({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('idempotency')
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text', (column) => column.notNull())
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_key_once', ['team_id', 'idempotency_key'])
    .execute()
}

async function createPages({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .createTable('pages')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('cache_key', 'text', (column) => column.notNull())
    .addColumn('team_id', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('requested_url', 'text', (column) => column.notNull())
    .addColumn('status', 'bigint', (column) => column.notNull())
    .addColumn('headers', 'text', (column) => column.notNull())
    .addColumn('rendered', 'bigint', (column) => column.notNull())
    // SQLite accepts any name for a type and stores bytes as bytes.
    .addColumn('body', 'bytea')
    .addColumn('blob', 'text')
    .addColumn('fetched_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('pages_by_key')
    .on('pages')
    .columns(['team_id', 'cache_key', 'fetched_at'])
    .execute()
  await schema.createIndex('pages_by_age').on('pages').column('fetched_at').execute()
}
