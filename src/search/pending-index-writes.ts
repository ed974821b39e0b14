import type { Log } from '../platform/log.ts'
import type { Store } from '../store/schema.ts'
import { addPending, type NewPending } from '../store/search-pending.ts'
import { findUnindexedTeams } from '../store/teams.ts'

const collectMs = 50
/** Beyond it, pages are skipped until the store has caught up. */
const maxBytes = 64 * 1024 * 1024

/** Writes pages to be indexed in batches, after the responses of their scrapes. */
export function createPendingIndexWrites(deps: { store: Store; log: Log; onWritten(): void }) {
  const { store, log, onWritten } = deps
  let queued: NewPending[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const rows = queued
    if (rows.length === 0) return
    queued = []
    try {
      const written = await store.transaction(
        async (transaction) => {
          const teams = rows.map(({ team_id }) => team_id)
          const unindexed = await findUnindexedTeams(transaction, teams)
          const accepted = rows.filter(({ team_id }) => !unindexed.has(team_id))
          await addPending(transaction, accepted)
          return accepted.length
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
    add(row: NewPending) {
      if (bytes + row.fields.length > maxBytes)
        return log.warn({}, 'a page was left out of the search index: the store is too slow')
      queued.push(row)
      bytes += row.fields.length
      timer ??= setTimeout(flush, collectMs).unref()
    },
    flush,
  }
}
