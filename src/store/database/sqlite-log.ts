import { type FileHandle, open } from 'node:fs/promises'
import { Child } from '../../platform/child/child.ts'
import { threadProgram } from '../../platform/child/thread-program.ts'
import { compileCacheEnvironment } from '../../platform/compile-cache.ts'

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
const maxRows = 2000
const minMs = 500

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
  const program = threadProgram({
    ...{ name: 'sqlite-checkpoint', script: new URL('./sqlite-checkpoint-thread.ts', import.meta.url) },
    ...{ megabytes: 64, data: path, environment: { ...compileCacheEnvironment() } },
  })
  let thread: Child | undefined
  let rows = 0
  let last = 0
  let folding: Promise<unknown> | undefined

  async function foldAll(alone: Alone): Promise<void> {
    thread ??= new Child(program, () => {
      thread = undefined
    })
    const folder = thread
    await folder.request('fold')
    await alone(async () => void (await folder.request('fold')))
  }

  return {
    wrote(count, alone) {
      rows += count
      if (rows < maxRows || folding || performance.now() - last < minMs) return
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
      const stopped = thread
      // A thread that has died has closed its connection, too.
      await stopped?.request('stop').catch(() => undefined)
      await stopped?.end('stopped')
    },
  }
}
