import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { compileCacheEnvironment } from '../../base/compile-cache.ts'

/** A checkpoint runs after this many written rows, and not more often than this. */
const mostRows = 2000
const leastMs = 500

export interface Checkpoints {
  wrote(rows: number): void
  stop(): Promise<void>
}

/**
 * Runs checkpoints of the write-ahead log on another thread, in parallel with the writer: in the writer, a checkpoint blocks the
 * event loop for as long as the disk takes. The writer still runs one if the log grows too fast for this thread. The
 * thread starts when there is something to write back.
 */
export function checkpoints(path: string): Checkpoints {
  let worker: Worker | undefined
  let rows = 0
  let last = 0
  let folding: Promise<unknown> | undefined

  async function fold(): Promise<void> {
    if (!worker) {
      worker = new Worker(new URL('./sqlite-checkpoint-thread.ts', import.meta.url), {
        workerData: path,
        env: compileCacheEnvironment(),
      })
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
        // The writer runs checkpoints too, so a failure here only costs time.
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
