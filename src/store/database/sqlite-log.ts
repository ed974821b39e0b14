import { type FileHandle, open } from 'node:fs/promises'
import { Child } from '../../platform/child/child.ts'
import { threadProgram } from '../../platform/child/thread-program.ts'
import { compileCacheEnvironment } from '../../platform/compile-cache.ts'

const maxSyncDelayMs = 100

/**
 * Syncs the write-ahead log. SQLite locks other files, so closing this file releases no lock. SQLite keeps
 * the same log file until the database is closed.
 */
export function createWalSync(path: string) {
  let file: FileHandle | undefined
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function syncNow(): Promise<void> {
    file ??= await open(path, 'r')
    await file.datasync()
  }

  /** Waits for the next sync, because a running one may have started before the caller's commit. */
  function sync(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    next ??= syncAfter(running)
    return next
  }

  async function syncAfter(previous: Promise<void> | undefined): Promise<void> {
    await previous?.catch(() => undefined)
    running = next
    next = undefined
    await syncNow()
  }

  return {
    /** Resolves when all commits before the call are on disk. */
    sync,
    syncSoon(): void {
      // If the disk fails, the next commit that waits for a sync reports the error.
      timer ??= setTimeout(() => sync().catch(() => undefined), maxSyncDelayMs).unref()
    },
    // Closing the database syncs the rest.
    async stop(): Promise<void> {
      clearTimeout(timer)
      await Promise.allSettled([running, next])
      await file?.close()
    },
  }
}

const rowsPerCheckpoint = 2000
const minIntervalMs = 500

type RunExclusive = (work: () => Promise<void>) => Promise<void>

export type Checkpoints = ReturnType<typeof createCheckpoints>

/**
 * Checkpoints run in a thread, because they would block the event loop. Queries wait during a second
 * checkpoint, so that the next commit restarts the write-ahead log.
 */
export function createCheckpoints(path: string) {
  const program = threadProgram({
    ...{ name: 'sqlite-checkpoint', script: new URL('./sqlite-checkpoint-thread.ts', import.meta.url) },
    ...{ megabytes: 64, data: path, environment: { ...compileCacheEnvironment() } },
  })
  let thread: Child | undefined
  let rows = 0
  let lastEnd = 0
  let running: Promise<unknown> | undefined

  async function runCheckpoints(runExclusive: RunExclusive): Promise<void> {
    thread ??= new Child(program, () => {
      thread = undefined
    })
    const checkpointThread = thread
    await checkpointThread.request('checkpoint')
    await runExclusive(async () => void (await checkpointThread.request('checkpoint')))
  }

  return {
    recordWrites(count: number, runExclusive: RunExclusive): void {
      rows += count
      if (rows < rowsPerCheckpoint || running || performance.now() - lastEnd < minIntervalMs) return
      rows = 0
      running = runCheckpoints(runExclusive)
        // The writer runs checkpoints too, so a failure here only costs time.
        .catch(() => undefined)
        .finally(() => {
          running = undefined
          lastEnd = performance.now()
        })
    },
    async stop() {
      await running
      const current = thread
      // A thread that has died has closed its connection, too.
      await current?.request('stop').catch(() => undefined)
      await current?.end('stopped')
    },
  }
}
