import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { SearchQueryable, SearchTables } from './tables.ts'

/** By what the rows of an index are taken some at a time. */
const parts: { table: Exclude<keyof SearchTables, 'search_indexes'>; by: string }[] = [
  { table: 'search_documents', by: 'number' },
  { table: 'search_postings', by: 'block' },
  { table: 'search_blocks', by: 'block' },
  { table: 'search_inbound', by: 'page_key' },
]

/** Removes all that a team could find. It must have no page that waits to be indexed. */
export async function removeTeam(query: SearchQueryable, teamId: string): Promise<void> {
  const indexes = await query
    .selectFrom('search_indexes')
    .select('id')
    .where('team_id', '=', teamId)
    .execute()
  for (const { id } of indexes) {
    for (const part of parts) while (await removeSome(query, id, part)) await nextTurn()
    await query.deleteFrom('search_indexes').where('id', '=', id).execute()
  }
}

async function removeSome(query: SearchQueryable, id: string, { table, by }: (typeof parts)[number]) {
  const [from, key] = [sql.table(table), sql.ref(by)]
  const { numAffectedRows = 0n } = await sql`delete from ${from} where index_id = ${id} and ${key} in
    (select ${key} from ${from} where index_id = ${id} limit 500)`.execute(query)
  return numAffectedRows > 0n
}
