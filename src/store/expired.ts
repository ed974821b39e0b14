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

/**
 * Removes some rows that earlier versions wrote before a time. Returns the number of removed rows. Processes of the
 * previous version may still use the table, so only a later version can drop it.
 */
export async function removeLearnedBefore(query: Queryable, moment: number): Promise<number> {
  const old = query.selectFrom('learned').select('id').where('used_at', '<', moment).limit(500)
  const { numDeletedRows } = await query.deleteFrom('learned').where('id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}
