import { parentPort, workerData } from 'node:worker_threads'
import type { PageToIndex } from '../../src/search/index/page-documents.ts'
import { openPostgres, openSqlite } from './stores.ts'
import { measureStore } from './write.ts'

const { name, all } = workerData as { name: 'SQLite' | 'PostgreSQL'; all: PageToIndex[] }
const store = await (name === 'SQLite' ? openSqlite : openPostgres)()
try {
  parentPort?.postMessage(await measureStore(store, all))
} finally {
  await store.close()
}
