import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { SearchTables } from '../search/index/tables.ts'

// Before the rest is loaded, as in the main thread.
enableCompileCache()

const { silentLog } = await import('../base/log.ts')
const { migrateIndex } = await import('../search/index/migrate.ts')
const { serveSearch } = await import('../search/thread/serve.ts')

/** Where the index is: a file of its own, or the database that all processes share. */
export type SearchPlace = { path: string } | { databaseUrl: string }

// What starts this thread hands it such a place.
const place = workerData as SearchPlace
const store = await open(place)
await migrateIndex(store)
if (parentPort) serveSearch(store, parentPort)

async function open(at: SearchPlace) {
  if ('path' in at) {
    const { sqliteDatabase } = await import('../adapters/database/sqlite.ts')
    return sqliteDatabase<SearchTables>(at.path)
  }
  const { postgresDatabase } = await import('../adapters/database/postgres.ts')
  return postgresDatabase<SearchTables>(at.databaseUrl, silentLog)
}
