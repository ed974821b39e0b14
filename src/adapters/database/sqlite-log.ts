import { type FileHandle, open } from 'node:fs/promises'

const longest = 100

export interface SyncedLog {
  /** Resolves when everything that was committed before the call is on the disk. */
  sync(): Promise<void>
  /** Syncs within a tenth of a second, without a caller that waits. */
  syncSoon(): void
  stop(): Promise<void>
}

/**
 * Syncs commits to disk on another thread, all waiting ones with one sync, so the event loop continues. SQLite
 * holds its locks on other files, so the log may be opened separately; it stays the same file until the database is closed.
 */
export function syncedLog(path: string): SyncedLog {
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
    sync,
    syncSoon() {
      // If the disk fails, the next commit that waits for it reports the error.
      timer ??= setTimeout(() => sync().catch(() => undefined), longest).unref()
    },
    // Closing the database syncs what is left.
    async stop() {
      clearTimeout(timer)
      await Promise.allSettled([running, next])
      await file?.close()
    },
  }
}
