import { chargeAll } from '../accounts/billing.ts'
import { lockFamilies } from '../store/families.ts'
import { type Ending, endJob, type JobRow } from '../store/jobs.ts'
import type { Queryable, Store } from '../store/schema.ts'
import { endSession, sessionKinds } from '../store/sessions.ts'
import { inBatches } from './batches.ts'
import type { Families } from './family.ts'
import { chargeFor } from './job.ts'

interface Pending {
  row: JobRow
  ending: Ending
  note: unknown
}

/** Ends a job and charges it. False: someone else ended it or took it over, and nothing was changed. */
export type RecordEnding = (row: JobRow, ending: Ending, note?: unknown) => Promise<boolean>

/** Endings that come together share a commit, and one visit to the team's balance, which every one of them changes. */
export function endingRecorder(store: Store, families: Families): RecordEnding {
  const record = inBatches((batch: Pending[]) => recordAll(store, families, batch))
  return (row, ending, note) => record({ row, ending, note })
}

/**
 * Ending, charging and what the family makes of it are one transaction: a job that ended is charged, and one that is
 * charged has ended.
 */
function recordAll(store: Store, families: Families, batch: Pending[]): Promise<boolean[]> {
  const write = async (transaction: Queryable) => {
    const parents = new Set(batch.flatMap(({ row }) => row.parent_id ?? []))
    // Families before their children, as whoever cancels one does it.
    await lockFamilies(store, transaction, [...parents])
    const ours = new Set<Pending>()
    for (const pending of batch) if (await endJob(transaction, pending.ending)) ours.add(pending)
    for (const { row, ending } of ours) if (isSession(row)) await endSession(transaction, ending)
    const charges = [...ours].map(({ row, ending }) => chargeFor(row, ending.credits, ending.now))
    await chargeAll(transaction, charges)
    // After the charge: a crawl takes as many more pages as the team can still pay for.
    const children = [...ours].filter(({ row }) => row.parent_id !== null)
    if (children.length > 0) await families.childrenEnded(transaction, children)
    return batch.map((pending) => ours.has(pending))
  }
  // Nobody waits at the other end of a page in the background. A power cut may undo its end and its charge together:
  // it is then scraped again. The end of the whole family is on the disk, and with it everything before it.
  const isAwaited = batch.some(({ row }) => row.parent_id === null)
  return store.transaction(write, { durable: isAwaited })
}

function isSession(row: JobRow): boolean {
  return sessionKinds.some((kind) => kind === row.kind)
}
