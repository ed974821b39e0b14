import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { serveThread } from '../../platform/child/serve-requests.ts'

/** Runs a checkpoint for each request; never blocks a writer. */
const connection = new DatabaseSync(workerData as string)
connection.exec('pragma synchronous = normal; pragma busy_timeout = 0')
const fold = connection.prepare('pragma wal_checkpoint(passive)')

serveThread(async (word: 'fold' | 'stop') => {
  if (word === 'stop') return connection.close()
  try {
    fold.get()
  } catch {
    // Another checkpoint is running; the next request tries again.
  }
})
