import { workerData } from 'node:worker_threads'
import { keepCompiledCode } from '../platform/compile-cache.ts'
import type { SearchTables } from '../search/index/tables.ts'

// Before the rest is loaded, as in the main thread.
keepCompiledCode()

const { silentLog } = await import('../platform/log.ts')
const { migrateIndex } = await import('../search/index/migrate.ts')
const { serveSearch } = await import('../search/thread/serve.ts')

/** Where the index is: a file of its own, or the database that all processes share. */
export type SearchPlace = { path: string } | { databaseUrl: string }

// What starts this thread hands it that.
const store = await open(workerData as SearchPlace)
await migrateIndex(store)
serveSearch(store)

async function open(at: SearchPlace) {
  if ('path' in at) {
    const { sqliteDatabase } = await import('../store/database/sqlite.ts')
    return sqliteDatabase<SearchTables>(at.path)
  }
  const { postgresDatabase } = await import('../store/database/postgres.ts')
  return postgresDatabase<SearchTables>(at.databaseUrl, silentLog)
}
