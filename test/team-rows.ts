import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { SearchStore, SearchTables } from '../src/search/index/tables.ts'
import { sqliteDatabase } from '../src/store/database/sqlite.ts'
import type { Store, Tables } from '../src/store/schema.ts'
import type { OwnService } from './api.ts'

/** The search index: a file of its own beside SQLite, and tables in PostgreSQL. */
export function openIndex(own: OwnService, store: Store): SearchStore {
  if (own.environment.DATABASE_URL) return store as unknown as SearchStore
  const path = join(own.environment.DATA_DIR ?? '', 'search.sqlite')
  return sqliteDatabase<SearchTables>(path)
}

/** Tables in which the team is named. */
export async function rowsOf(
  query: Kysely<Tables> | Kysely<SearchTables>,
  teamId: string,
): Promise<string[]> {
  const found: string[] = []
  for (const { name, columns } of await query.introspection.getTables()) {
    const column = name === 'teams' ? 'id' : 'team_id'
    if (!columns.some((one) => one.name === column)) continue
    const { rows } =
      await sql`select 1 from ${sql.table(name)} where ${sql.ref(column)} = ${teamId} limit 1`.execute(query)
    if (rows.length > 0) found.push(name)
  }
  return found
}
