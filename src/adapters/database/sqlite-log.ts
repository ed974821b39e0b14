import { type FileHandle, open } from 'node:fs/promises'

const longest = 100

export interface SyncedLog {
  /** Resolves when everything that was committed before the call is on the disk. */
  sync(): Promise<void>
  /** Brings it there within a tenth of a second; nobody waits for it. */
  syncSoon(): void
  stop(): Promise<void>
}

/**
 * Brings commits onto the disk on another thread, all that wait together by one sync: the loop goes on meanwhile. SQLite
 * holds its locks on other files, so the log may be opened beside it; it stays the same file until the database is closed.
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

  /** A sync that runs already may have begun before the caller's commit, so that one waits for the next. */
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
      // Should the disk fail, the next commit that waits for it says so.
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
