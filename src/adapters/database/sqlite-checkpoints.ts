import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** The log is folded when so many rows were written since, and not more often than this. */
const mostRows = 2000
const leastMs = 500

export interface Checkpoints {
  wrote(rows: number): void
  stop(): Promise<void>
}

/**
 * Folds the log of a database back into its file on another thread, beside whoever writes: done by the writer itself, that
 * stops the event loop for as long as the disk takes. The writer still does it where the log grows faster than this. The
 * thread is started when there is something to fold.
 */
export function checkpoints(path: string): Checkpoints {
  let worker: Worker | undefined
  let rows = 0
  let last = 0
  let folding: Promise<unknown> | undefined

  async function fold(): Promise<void> {
    if (!worker) {
      worker = new Worker(new URL('./sqlite-checkpoint-thread.ts', import.meta.url), { workerData: path })
      worker.unref()
    }
    worker.postMessage('fold')
    await once(worker, 'message')
  }

  return {
    wrote(count) {
      rows += count
      if (rows < mostRows || folding || performance.now() - last < leastMs) return
      rows = 0
      folding = fold()
        // The writer folds the log as well, so nothing is lost here but time.
        .catch(() => undefined)
        .finally(() => {
          folding = undefined
          last = performance.now()
        })
    },
    async stop() {
      await folding
      if (!worker) return
      const ended = once(worker, 'exit')
      worker.ref()
      worker.postMessage('stop')
      await ended
    },
  }
}
