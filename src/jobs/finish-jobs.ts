import { chargeAll } from '../accounts/billing.ts'
import { type Ending, endJob, type JobRow } from '../store/jobs/jobs.ts'
import { recordChildrenEnded } from '../store/jobs/parents.ts'
import { lockJobs, lockLimitedTeams, lockParents } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import { endSession, sessionKinds } from '../store/sessions.ts'
import type { EndedChild, ParentHooks } from './finish-parent.ts'
import { chargeFor } from './job.ts'
import { publishJobEnd } from './job-events.ts'

/** `note` is passed to the hooks of the parent. Returns false if another process has ended the job or taken it over. */
export type FinishJob = (row: JobRow, ending: Ending, note?: unknown) => Promise<boolean>

/** Concurrent endings are written in one transaction, with a single update of the balance of each team. */
export function createJobFinisher(store: Store, parentHooks: ParentHooks): FinishJob {
  const record = inBatches(async (batch: EndedChild[]) => {
    const owned = await recordAll(store, parentHooks, batch)
    for (const [index, { row, ending }] of batch.entries()) {
      const { state, now: at, error } = ending
      if (owned[index]) publishJobEnd(store, row, { state, at, code: error?.code })
    }
    return owned
  })
  return (row, ending, note) => record({ row, ending, note })
}

/** One transaction writes the end, the charge and the changes of the parent: only an ended job is charged. */
function recordAll(store: Store, parentHooks: ParentHooks, batch: EndedChild[]): Promise<boolean[]> {
  const write = async (transaction: Queryable) => {
    const parents = new Set(batch.flatMap(({ row }) => row.parent_id ?? []))
    const lastNumbers = await lockParents(store, transaction, [...parents])
    const ids = batch.map(({ row }) => row.id)
    await lockJobs(store, transaction, ids)
    const owned = new Set<EndedChild>()
    for (const pending of batch) {
      const number = nextNumber(lastNumbers, pending.row.parent_id)
      if (await endJob(transaction, { ...pending.ending, ...(number === undefined ? {} : { number }) }))
        owned.add(pending)
    }
    for (const [parentId, last] of lastNumbers) await recordChildrenEnded(transaction, parentId, last)
    for (const { row, ending } of owned) if (isSession(row)) await endSession(transaction, ending)
    await lockLimitedTeams(store, transaction, [...new Set(batch.map(({ row }) => row.team_id))])
    const charges = [...owned].map(({ row, ending }) => chargeFor(row, ending.credits, ending.now))
    await chargeAll(transaction, charges)
    // Runs after the charge: a crawl adds as many pages as the team can still pay for.
    const children = [...owned].filter(({ row }) => row.parent_id !== null)
    if (children.length > 0) await parentHooks.childrenEnded(transaction, children)
    return batch.map((pending) => owned.has(pending))
  }
  // A power failure may undo the end of a background page with its charge. The end of its parent is durable.
  const isAwaited = batch.some(({ row }) => row.parent_id === null)
  return store.transaction(write, { durable: isAwaited })
}

function nextNumber(lastNumbers: Map<string, number>, parentId: string | null): number | undefined {
  const last = parentId === null ? undefined : lastNumbers.get(parentId)
  if (parentId === null || last === undefined) return undefined
  lastNumbers.set(parentId, last + 1)
  return last + 1
}

const isSession = (row: JobRow) => sessionKinds.some((kind) => kind === row.kind)

/** More entries would hold the locks of one transaction for too long. */
const maxBatchSize = 64

/** Entries that arrive during a write are written together in the next batch. Results are in the order of entries. */
export function inBatches<Entry, Result>(
  write: (batch: Entry[]) => Promise<Result[]>,
): (entry: Entry) => Promise<Result> {
  let waiting: { entry: Entry; resolve(result: Result): void; reject(cause: unknown): void }[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, maxBatchSize)
      waiting = waiting.slice(maxBatchSize)
      try {
        const results = await write(batch.map(({ entry }) => entry))
        // One result per entry, in order.
        for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
      } catch (cause) {
        for (const { reject } of batch) reject(cause)
      }
    }
    isWriting = false
  }

  return (entry) =>
    new Promise((resolve, reject) => {
      waiting.push({ entry, resolve, reject })
      if (!isWriting) writeAll()
    })
}
