import { open } from 'node:fs/promises'

const longest = 100

/**
 * Brings commits that did not wait for the disk onto it, together and soon, on another thread. SQLite holds its locks on
 * other files, so the log may be opened and closed beside it.
 */
export function syncedLog(path: string): { syncSoon(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  async function sync(): Promise<void> {
    timer = undefined
    try {
      await using file = await open(path, 'r')
      await file.datasync()
    } catch {
      // The log was folded back and removed, which syncs it; or the disk fails, and the next durable commit says so.
    }
  }
  return {
    syncSoon() {
      timer ??= setTimeout(sync, longest).unref()
    },
    // Closing the database syncs what is left.
    stop: () => clearTimeout(timer),
  }
}
