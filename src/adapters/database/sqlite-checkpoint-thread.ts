import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Runs a checkpoint on each message; never blocks a writer. */
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
    // Another checkpoint is running; the next message tries again.
  }
  parentPort?.postMessage('folded')
})
