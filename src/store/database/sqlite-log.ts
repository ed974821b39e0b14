import { type FileHandle, open } from 'node:fs/promises'
import { Child } from '../../platform/child/child.ts'
import { threadProgram } from '../../platform/child/thread-program.ts'
import { compileCacheEnvironment } from '../../platform/compile-cache.ts'

const maxSyncDelayMs = 100

/** SQLite locks other files, so the log may be opened separately. It stays the same until the database is closed. */
export function createLogSync(path: string) {
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
      // If the disk fails, the next commit that waits for it reports the error.
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

const maxRows = 2000
const minMs = 500

type RunExclusive = (work: () => Promise<void>) => Promise<void>

export type Checkpoints = ReturnType<typeof createCheckpoints>

/** They would block the event loop. Queries wait during a second one, so that the next commit restarts the log. */
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
    await checkpointThread.request('fold')
    await runExclusive(async () => void (await checkpointThread.request('fold')))
  }

  return {
    recordWrites(count: number, runExclusive: RunExclusive): void {
      rows += count
      if (rows < maxRows || running || performance.now() - lastEnd < minMs) return
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
