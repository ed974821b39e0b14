import { DatabaseSync } from 'node:sqlite'
import { workerData } from 'node:worker_threads'
import { serveThread } from '../../platform/child/serve-requests.ts'

const connection = new DatabaseSync(workerData as string)
connection.exec('pragma synchronous = normal; pragma busy_timeout = 0')
const checkpoint = connection.prepare('pragma wal_checkpoint(passive)')

serveThread(async (command: 'checkpoint' | 'stop') => {
  if (command === 'stop') return connection.close()
  try {
    checkpoint.get()
  } catch {
    // Another checkpoint is running; the next request tries again.
  }
})
