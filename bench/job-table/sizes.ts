import { sql } from 'kysely'
import type { Store } from '../../src/store/schema.ts'

export interface Size {
  heap: number
  indexes: number
  /** Size of long values, which PostgreSQL stores outside of the rows. */
  toast: number
  dead: number
}

export async function sizeOf(store: Store, table: 'jobs' | 'ledger'): Promise<Size> {
  const { rows } = await sql<Size>`
    select pg_relation_size(${table}::regclass) as heap, pg_indexes_size(${table}::regclass) as indexes,
      pg_total_relation_size(${table}::regclass) - pg_relation_size(${table}::regclass)
        - pg_indexes_size(${table}::regclass) as toast,
      coalesce((select n_dead_tup from pg_stat_user_tables where relname = ${table}), 0) as dead`.execute(
    store.query,
  )
  return rows[0] ?? { heap: 0, indexes: 0, toast: 0, dead: 0 }
}

export const totalOf = ({ heap, indexes, toast }: Size) => heap + indexes + toast

export async function indexSizes(store: Store): Promise<{ name: string; bytes: number }[]> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select indexrelname as name, pg_relation_size(indexrelid) as bytes
    from pg_stat_user_indexes where relname = 'jobs' order by bytes desc`.execute(store.query)
  return rows
}

/** Returns the number of autovacuum runs on the jobs table, as far as the statistics contain them. */
export async function autovacuums(store: Store): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select autovacuum_count as count from pg_stat_user_tables where relname = 'jobs'`.execute(store.query)
  return rows[0]?.count ?? 0
}

/** Runs vacuum and a checkpoint, so that pending writes of the fill do not affect the next measurement. */
export async function vacuum(store: Store): Promise<void> {
  await sql`vacuum (analyze) jobs`.execute(store.query)
  await sql`checkpoint`.execute(store.query)
}

export const megabytes = (bytes: number) => bytes / 1024 / 1024
