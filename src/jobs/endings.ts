import { chargeAll } from '../accounts/billing.ts'
import { type Ending, endJob, type JobRow } from '../store/jobs.ts'
import type { Store } from '../store/schema.ts'

interface Pending {
  row: JobRow
  ending: Ending
  settle: { resolve(isOurs: boolean): void; reject(cause: unknown): void }
}

/** Ends a job and charges it. False: someone else ended it or took it over, and nothing was changed. */
export type RecordEnding = (row: JobRow, ending: Ending) => Promise<boolean>

/**
 * Endings that come while one is being written are written together with the next: one commit for all of them, and
 * one visit to the team's balance, which every one of them changes. A single ending waits for nobody.
 */
export function endingRecorder(store: Store): RecordEnding {
  let waiting: Pending[] = []
  let isWriting = false

  async function write(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostTogether)
      waiting = waiting.slice(mostTogether)
      try {
        const ours = await recordAll(store, batch)
        for (const { ending, settle } of batch) settle.resolve(ours.has(ending.id))
      } catch (cause) {
        for (const { settle } of batch) settle.reject(cause)
      }
    }
    isWriting = false
  }

  return (row, ending) =>
    new Promise((resolve, reject) => {
      waiting.push({ row, ending, settle: { resolve, reject } })
      if (!isWriting) write()
    })
}

const mostTogether = 64

/** Ending and charging are one transaction: a job that ended is charged, and one that is charged has ended. */
function recordAll(store: Store, batch: Pending[]): Promise<Set<string>> {
  return store.transaction(async (transaction) => {
    const ours: Pending[] = []
    for (const pending of batch) if (await endJob(transaction, pending.ending)) ours.push(pending)
    await chargeAll(
      transaction,
      ours.map(({ row, ending }) => ({
        teamId: row.team_id,
        keyId: row.key_id,
        jobId: row.id,
        kind: row.kind,
        credits: ending.credits,
        now: ending.now,
      })),
    )
    return new Set(ours.map(({ ending }) => ending.id))
  })
}
