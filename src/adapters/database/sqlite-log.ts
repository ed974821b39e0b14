import { once } from 'node:events'
import { type FileHandle, open } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import { compileCacheEnvironment } from '../../base/compile-cache.ts'

const longest = 100

/**
 * Syncs commits to disk on another thread, all waiting ones with one sync, so the event loop continues. SQLite
 * holds its locks on other files, so the log may be opened separately; it stays the same file until the database is closed.
 */
export function syncedLog(path: string) {
  let file: FileHandle | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function syncNow(): Promise<void> {
    file ??= await open(path, 'r')
    await file.datasync()
  }

  /** A running sync may have started before the caller's commit, so the caller waits for the next one. */
  function sync(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    next ??= startAfter(running)
    return next
  }

  async function startAfter(earlier: Promise<void> | undefined): Promise<void> {
    await earlier?.catch(() => undefined)
    running = next
    next = undefined
    await syncNow()
  }

  return {
    /** Resolves when everything that was committed before the call is on the disk. */
    sync,
    /** Syncs within a tenth of a second, without a caller that waits. */
    syncSoon(): void {
      // If the disk fails, the next commit that waits for it reports the error.
      timer ??= setTimeout(() => sync().catch(() => undefined), longest).unref()
    },
    // Closing the database syncs what is left.
    async stop(): Promise<void> {
      clearTimeout(timer)
      await Promise.allSettled([running, next])
      await file?.close()
    },
  }
}

/** A checkpoint runs after this many written rows, and not more often than this. */
const mostRows = 2000
const leastMs = 500

/** Runs work while nothing else uses the database. */
type Alone = (work: () => Promise<void>) => Promise<void>

export interface Checkpoints {
  wrote(rows: number, alone: Alone): void
  stop(): Promise<void>
}

/**
 * Runs checkpoints of the write-ahead log on another thread, in parallel with the writer: in the writer, a checkpoint blocks the
 * event loop for as long as the disk takes. What the writer adds meanwhile is little; a second checkpoint, for which queries wait, writes
 * it back. Only then does the next commit begin the log anew, and it grows no further. The writer still runs a checkpoint
 * itself if the log grows too fast for this thread. The thread starts when there is something to write back.
 */
export function checkpoints(path: string): Checkpoints {
  let worker: Worker | undefined
  let rows = 0
  let last = 0
  let folding: Promise<unknown> | undefined

  function start(): Worker {
    const started = new Worker(new URL('./sqlite-checkpoint-thread.ts', import.meta.url), {
      workerData: path,
      env: compileCacheEnvironment(),
    })
    started.unref()
    started.once('exit', () => {
      if (worker === started) worker = undefined
    })
    return started
  }

  async function foldAll(alone: Alone): Promise<void> {
    worker ??= start()
    const folder = worker
    await fold(folder)
    await alone(() => fold(folder))
  }

  return {
    wrote(count, alone) {
      rows += count
      if (rows < mostRows || folding || performance.now() - last < leastMs) return
      rows = 0
      folding = foldAll(alone)
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

/** One checkpoint. It ends with the thread as well: queries may wait for it. */
async function fold(worker: Worker): Promise<void> {
  const hasEnded = worker.threadId === -1
  if (hasEnded) return
  const over = new AbortController()
  const { signal } = over
  worker.postMessage('fold')
  try {
    await Promise.race([once(worker, 'message', { signal }), once(worker, 'exit', { signal })])
  } finally {
    over.abort()
  }
}
