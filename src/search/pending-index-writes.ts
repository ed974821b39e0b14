import type { Log } from '../platform/log.ts'
import type { Store } from '../store/schema.ts'
import { addPending, type NewPending } from '../store/search-pending.ts'
import { findUnindexedTeams } from '../store/teams.ts'

export interface PendingIndexWrites {
  /** Notes a page without waiting for the store, as its caller waits for an answer. */
  add(row: NewPending): void
  /** Resolves when everything that was noted is written. */
  flush(): Promise<void>
}

/** Pages of this time are written together. */
const collectMs = 50
/** What waits in memory; beyond it, pages are left out until the store has caught up. */
const maxBytes = 64 * 1024 * 1024

/** Writes pages that wait to be indexed, some at a time and behind the answers of their scrapes. */
export function createPendingIndexWrites({
  store,
  log,
  onWritten,
}: {
  store: Store
  log: Log
  onWritten(): void
}): PendingIndexWrites {
  let waiting: NewPending[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const rows = waiting
    if (rows.length === 0) return
    waiting = []
    try {
      const written = await store.transaction(
        async (transaction) => {
          const teams = rows.map(({ team_id }) => team_id)
          const unindexed = await findUnindexedTeams(transaction, teams)
          const noted = rows.filter(({ team_id }) => !unindexed.has(team_id))
          await addPending(transaction, noted)
          return noted.length
        },
        { durable: false },
      )
      if (written > 0) onWritten()
    } catch (cause) {
      log.warn({ cause, pages: rows.length }, 'pages could not be noted for the search index')
    } finally {
      bytes -= rows.reduce((sum, { fields }) => sum + fields.length, 0)
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(write)
    return writing
  }

  return {
    add(row) {
      if (bytes + row.fields.length > maxBytes)
        return log.warn({}, 'a page was left out of the search index: the store is too slow')
      waiting.push(row)
      bytes += row.fields.length
      timer ??= setTimeout(flush, collectMs).unref()
    },
    flush,
  }
}
