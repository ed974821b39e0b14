import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Folds the log back into the file whenever it is told to; never makes a writer wait. */
const connection = new DatabaseSync(workerData as string)
connection.exec('pragma synchronous = normal; pragma busy_timeout = 0')
const fold = connection.prepare('pragma wal_checkpoint(passive)')

parentPort?.on('message', (word: 'fold' | 'stop') => {
  if (word === 'stop') {
    connection.close()
    parentPort?.close()
    return
  }
  try {
    fold.get()
  } catch {
    // Another has begun to fold it; there is a next time.
  }
  parentPort?.postMessage('folded')
})
