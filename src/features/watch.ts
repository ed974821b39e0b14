import type { Clock } from '../base/clock.ts'
import type { JsonText } from '../base/json-text.ts'
import type { Queue } from '../jobs/queue.ts'
import { findJobs } from '../store/jobs.ts'
import { listCompletedIds } from '../store/parent-jobs.ts'
import type { Store } from '../store/schema.ts'
import type { ParentStatus } from './parent-job.ts'

/** What a watcher of a crawl or a batch receives. */
export type ParentEvent =
  /** How it stands. */
  | { type: 'catchup'; status: ParentStatus }
  | { type: 'document'; document: JsonText }
  /** It has ended, as the status says: the last word. */
  | { type: 'done'; status: ParentStatus }

export interface WatchNeeds {
  store: Store
  clock: Clock
  queue: Pick<Queue, 'resultOf'>
  /** Reads the status anew, with the first of its documents. */
  status: (limit: number) => Promise<ParentStatus>
}

const firstDocuments = 100
const between = 1000
const atOnce = 20

/**
 * A job from now to its end: how it stands, each document once, and that it is done. What has ended already tells its
 * documents before its status, since a client leaves when it hears of an end. Clients take "done" for "completed", so they
 * hear of another end before that.
 */
export async function* watchParent(
  needs: WatchNeeds,
  jobId: string,
  signal: AbortSignal,
): AsyncGenerator<ParentEvent> {
  const told = new Set<string>()
  let first: ParentStatus | undefined = await needs.status(firstDocuments)
  if (first.status === 'scraping') {
    for (const id of first.documentIds) told.add(id)
    yield { type: 'catchup', status: first }
    first = undefined
  }
  while (!signal.aborted) {
    // The status before the documents: those that come in between are sent in the next round.
    const status: ParentStatus = first ?? (await needs.status(0))
    yield* newDocuments(needs, jobId, told)
    if (status.status !== 'scraping') {
      const last = first ?? (await needs.status(firstDocuments))
      if (last.status !== 'completed') yield { type: 'catchup', status: last }
      yield { type: 'done', status: last }
      return
    }
    await needs.clock.sleep(between, signal).catch(() => undefined)
  }
}

async function* newDocuments(
  needs: WatchNeeds,
  jobId: string,
  told: Set<string>,
): AsyncGenerator<ParentEvent> {
  const completed = await listCompletedIds(needs.store.query, jobId)
  const fresh = completed.filter((id) => !told.has(id))
  for (let at = 0; at < fresh.length; at += atOnce) {
    for (const row of await findJobs(needs.store.query, fresh.slice(at, at + atOnce))) {
      told.add(row.id)
      const document = await needs.queue.resultOf(row)
      if (document !== undefined) yield { type: 'document', document }
    }
  }
}
