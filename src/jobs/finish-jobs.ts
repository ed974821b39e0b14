import { chargeAll } from '../accounts/billing.ts'
import { type Ending, endJob, type JobRow } from '../store/jobs/jobs.ts'
import { recordChildrenEnded } from '../store/jobs/parents.ts'
import { lockJobs, lockLimitedTeams, lockParents } from '../store/locks.ts'
import type { Queryable, Store } from '../store/schema.ts'
import { endSession, sessionKinds } from '../store/sessions.ts'
import type { ParentHooks } from './finish-parent.ts'
import { chargeFor } from './job.ts'
import { publishJobEnd } from './job-events.ts'

interface Pending {
  row: JobRow
  ending: Ending
  note: unknown
}

/** Ends a job and charges it. False: someone else ended it or took it over, and nothing was changed. */
export type FinishJob = (row: JobRow, ending: Ending, note?: unknown) => Promise<boolean>

/** Endings that come together share a commit, and one visit to the team's balance, which every one of them changes. */
export function createJobFinisher(store: Store, parentHooks: ParentHooks): FinishJob {
  const record = inBatches(async (batch: Pending[]) => {
    const ours = await recordAll(store, parentHooks, batch)
    for (const [index, { row, ending }] of batch.entries()) {
      const { state, now: at, error } = ending
      if (ours[index]) publishJobEnd(store, row, { state, at, code: error?.code })
    }
    return ours
  })
  return (row, ending, note) => record({ row, ending, note })
}

/**
 * Ending, charging and what the parent makes of it are one transaction: a job that ended is charged, and one that is
 * charged has ended.
 */
function recordAll(store: Store, parentHooks: ParentHooks, batch: Pending[]): Promise<boolean[]> {
  const write = async (transaction: Queryable) => {
    const parents = new Set(batch.flatMap(({ row }) => row.parent_id ?? []))
    const numbers = await lockParents(store, transaction, [...parents])
    await lockJobs(
      store,
      transaction,
      batch.map(({ row }) => row.id),
    )
    const ours = new Set<Pending>()
    for (const pending of batch) {
      const number = nextNumber(numbers, pending.row.parent_id)
      if (await endJob(transaction, { ...pending.ending, ...(number === undefined ? {} : { number }) }))
        ours.add(pending)
    }
    for (const [parentId, last] of numbers) await recordChildrenEnded(transaction, parentId, last)
    for (const { row, ending } of ours) if (isSession(row)) await endSession(transaction, ending)
    await lockLimitedTeams(store, transaction, [...new Set(batch.map(({ row }) => row.team_id))])
    const charges = [...ours].map(({ row, ending }) => chargeFor(row, ending.credits, ending.now))
    await chargeAll(transaction, charges)
    // After the charge: a crawl takes as many more pages as the team can still pay for.
    const children = [...ours].filter(({ row }) => row.parent_id !== null)
    if (children.length > 0) await parentHooks.childrenEnded(transaction, children)
    return batch.map((pending) => ours.has(pending))
  }
  // Nobody waits at the other end of a page in the background. A power cut may undo its end and its charge together:
  // it is then scraped again. The end of the parent is on the disk, and with it everything before it.
  const isAwaited = batch.some(({ row }) => row.parent_id === null)
  return store.transaction(write, { durable: isAwaited })
}

function nextNumber(numbers: Map<string, number>, parentId: string | null): number | undefined {
  const last = parentId === null ? undefined : numbers.get(parentId)
  if (parentId === null || last === undefined) return undefined
  numbers.set(parentId, last + 1)
  return last + 1
}

function isSession(row: JobRow): boolean {
  return sessionKinds.some((kind) => kind === row.kind)
}

interface Waiting<Entry, Answer> {
  entry: Entry
  resolve(answer: Answer): void
  reject(cause: unknown): void
}

/** More would hold the locks of one transaction for too long. */
const mostTogether = 64

/**
 * Entries that come while a batch is being written are written together with the next: one commit for all of them. A
 * single entry waits for nobody. `write` answers in the order of its entries.
 */
export function inBatches<Entry, Answer>(
  write: (batch: Entry[]) => Promise<Answer[]>,
): (entry: Entry) => Promise<Answer> {
  let waiting: Waiting<Entry, Answer>[] = []
  let isWriting = false

  async function writeAll(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.slice(0, mostTogether)
      waiting = waiting.slice(mostTogether)
      try {
        const answers = await write(batch.map(({ entry }) => entry))
        // One answer per entry, in their order.
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
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
