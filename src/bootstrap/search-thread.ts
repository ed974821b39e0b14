import { workerData } from 'node:worker_threads'
import { enablePrivateCompileCache } from '../platform/compile-cache.ts'
import type { SearchTables } from '../search/index/tables.ts'

// Enable the cache before other modules are loaded, as in the main thread.
enablePrivateCompileCache()

const { silentLog } = await import('../platform/log.ts')
const { migrateIndex } = await import('../search/index/migrate.ts')
const { serveSearch } = await import('../search/thread/serve.ts')

export type SearchThreadData = { path: string } | { databaseUrl: string }

// The cast is safe: the code that starts this thread passes this type.
const store = await open(workerData as SearchThreadData)
await migrateIndex(store)
serveSearch(store)

async function open(location: SearchThreadData) {
  if ('path' in location) {
    const { sqliteDatabase } = await import('../store/database/sqlite.ts')
    return sqliteDatabase<SearchTables>(location.path)
  }
  const { postgresDatabase } = await import('../store/database/postgres.ts')
  return postgresDatabase<SearchTables>(location.databaseUrl, silentLog)
}
