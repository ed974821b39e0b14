import { statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { silentLog } from '../../src/platform/log.ts'
import { openIndex, type SearchIndex } from '../../src/search/index/documents.ts'
import { migrateIndex } from '../../src/search/index/migrate.ts'
import type { SearchStore } from '../../src/search/index/tables.ts'
import { postgresDatabase } from '../../src/store/database/postgres.ts'
import { sqliteDatabase } from '../../src/store/database/sqlite.ts'
import { startPostgres } from '../../test/servers/postgres.ts'
import { temporaryFolder } from '../../test/service.ts'

export interface BenchStore {
  name: 'SQLite' | 'PostgreSQL'
  store: SearchStore
  index: SearchIndex
  bytes(): Promise<number>
  /** Closes the store and deletes its data. */
  close(): Promise<void>
}

export async function openSqlite(): Promise<BenchStore> {
  const folder = temporaryFolder()
  const path = join(folder.path, 'search.sqlite')
  const store: SearchStore = sqliteDatabase(path)
  await migrateIndex(store)
  return {
    name: 'SQLite',
    store,
    index: openIndex(store),
    async bytes() {
      await sql`pragma wal_checkpoint(truncate)`.execute(store.query)
      return statSync(path).size
    },
    async close() {
      await store.close()
      folder.remove()
    },
  }
}

export async function openPostgres(): Promise<BenchStore> {
  const server = await startPostgres()
  const store: SearchStore = postgresDatabase(await server.createDatabase(), silentLog)
  await migrateIndex(store)
  return {
    name: 'PostgreSQL',
    store,
    index: openIndex(store),
    async bytes() {
      const { rows } = await sql<{ bytes: number }>`
        select pg_database_size(current_database())::bigint as bytes`.execute(store.query)
      return rows[0]?.bytes ?? Number.NaN
    },
    async close() {
      await store.close()
      await server.stop()
    },
  }
}
