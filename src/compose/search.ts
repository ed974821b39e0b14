import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { createIndexing, type Indexing } from '../search/indexing.ts'
import { type SearchThread, searchThread } from '../search/thread/search-thread.ts'
import type { Settings } from '../settings.ts'
import type { Store } from '../store/schema.ts'

export interface Search {
  thread: SearchThread
  indexing: Indexing
}

const script = new URL('./search-thread.ts', import.meta.url)
const day = 24 * 3600_000

/** The index of kept pages: a file beside the store, or tables in the database that all processes share. */
export function openSearch(settings: Settings, needs: { store: Store; clock: Clock; log: Log }): Search {
  const { dataDir, databaseUrl } = settings.store
  const data = databaseUrl === undefined ? { path: join(dataDir, 'search.sqlite') } : { databaseUrl }
  const thread = searchThread({ script, data, megabytes: 512, idleMs: 60_000 }, needs.log)
  const indexing = createIndexing({ ...needs, thread, keptMs: settings.retention.cacheDays * day })
  if (settings.role !== 'api') indexing.start()
  return { thread, indexing }
}
