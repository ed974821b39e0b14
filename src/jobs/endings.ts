import { chargeAll } from '../accounts/billing.ts'
import { type Ending, endJob, type JobRow } from '../store/jobs.ts'
import type { Store } from '../store/schema.ts'
import { inBatches } from './batches.ts'
import { chargeFor } from './job.ts'

interface Pending {
  row: JobRow
  ending: Ending
}

/** Ends a job and charges it. False: someone else ended it or took it over, and nothing was changed. */
export type RecordEnding = (row: JobRow, ending: Ending) => Promise<boolean>

/** Endings that come together share a commit, and one visit to the team's balance, which every one of them changes. */
export function endingRecorder(store: Store): RecordEnding {
  const record = inBatches((batch: Pending[]) => recordAll(store, batch))
  return (row, ending) => record({ row, ending })
}

/** Ending and charging are one transaction: a job that ended is charged, and one that is charged has ended. */
function recordAll(store: Store, batch: Pending[]): Promise<boolean[]> {
  return store.transaction(async (transaction) => {
    const ours = new Set<Pending>()
    for (const pending of batch) if (await endJob(transaction, pending.ending)) ours.add(pending)
    const charges = [...ours].map(({ row, ending }) => chargeFor(row, ending.credits, ending.now))
    await chargeAll(transaction, charges)
    return batch.map((pending) => ours.has(pending))
  })
}
