import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { SearchStore, SearchTables } from '../src/search/index/tables.ts'
import { sqliteDatabase } from '../src/store/database/sqlite.ts'
import type { Store, Tables } from '../src/store/schema.ts'
import type { OwnService } from './api.ts'

/** Opens the search index: a separate file next to SQLite, or tables in PostgreSQL. */
export function openIndex(own: OwnService, store: Store): SearchStore {
  if (own.environment.DATABASE_URL) return store as unknown as SearchStore
  const path = join(own.environment.DATA_DIR ?? '', 'search.sqlite')
  return sqliteDatabase<SearchTables>(path)
}

/** Returns the tables that have a row of the team. */
export async function rowsOf(
  query: Kysely<Tables> | Kysely<SearchTables>,
  teamId: string,
): Promise<string[]> {
  const tables: string[] = []
  for (const { name, columns } of await query.introspection.getTables()) {
    const column = name === 'teams' ? 'id' : 'team_id'
    if (!columns.some((item) => item.name === column)) continue
    const { rows } =
      await sql`select 1 from ${sql.table(name)} where ${sql.ref(column)} = ${teamId} limit 1`.execute(query)
    if (rows.length > 0) tables.push(name)
  }
  return tables
}
