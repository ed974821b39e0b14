import { sql } from 'kysely'
import type { Queryable, Tables } from './schema.ts'

type NumberColumn<Table extends keyof Tables> = Table extends string
  ? `${Table}.${keyof Tables[Table] & string}`
  : never

/** Deletes the rows whose value in the column is below a bound, in one statement: for tables with few such rows. */
export async function deleteBelow(
  query: Queryable,
  tableColumn: NumberColumn<
    'sessions' | 'feedback' | 'refunds' | 'model_usage' | 'call_days' | 'rates' | 'idempotency'
  >,
  bound: number,
): Promise<void> {
  const [table = '', column = ''] = tableColumn.split('.')
  await sql`delete from ${sql.table(table)} where ${sql.ref(column)} < ${bound}`.execute(query)
}

/** Deletes some of the rows below a bound: for tables with many. Returns the number of deleted rows. */
export async function deleteBatchBelow(
  query: Queryable,
  tableColumn: NumberColumn<'files' | 'site_files' | 'learned'>,
  bound: number,
): Promise<number> {
  const [table = '', column = ''] = tableColumn.split('.')
  const key = table === 'site_files' ? sql`team_id, url` : sql`id`
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where (${key}) in
    (select ${key} from ${sql.table(table)} where ${sql.ref(column)} < ${bound} limit 500)`.execute(query)
  return Number(numAffectedRows)
}
