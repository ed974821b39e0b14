import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** Runs a checkpoint on each message; never blocks a writer. */
const connection = new DatabaseSync(workerData as string)
connection.exec('pragma synchronous = normal; pragma busy_timeout = 0')
const fold = connection.prepare('pragma wal_checkpoint(passive)')
/** Of one message. A log that grows faster than it is folded back is left to the writer. */
const mostRounds = 20

/**
 * The next commit begins the log anew only where all of it is folded back, and commits keep coming meanwhile: a round for what the
 * last one did not see, until none has come (the log is as long as it was) or the log was begun anew (it is shorter).
 */
function foldAll(): void {
  let length = -1
  for (let round = 0; round < mostRounds; round += 1) {
    const { log } = fold.get() as { log: number }
    if (log <= length) return
    length = log
  }
}

parentPort?.on('message', (word: 'fold' | 'stop') => {
  if (word === 'stop') {
    connection.close()
    parentPort?.close()
    return
  }
  try {
    foldAll()
  } catch {
    // Another checkpoint is running; the next message tries again.
  }
  parentPort?.postMessage('folded')
})
