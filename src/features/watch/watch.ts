import { addAbortListener } from 'node:events'
import type { JsonText } from '../../base/json-text.ts'
import type { ParentStatus } from '../parent-job.ts'
import { type FeedNeeds, JobFeed, type Position, SharedPages, type WatchedJob } from './job-feed.ts'

/** What a watcher of a crawl or a batch receives. */
export type ParentEvent =
  /** How it stands. */
  | { type: 'catchup'; status: ParentStatus }
  | { type: 'document'; document: JsonText }
  /** It has ended, as the status says: the last word. */
  | { type: 'done'; status: ParentStatus }

/** Watches crawls and batches. All watchers of a job share one poll of the store, which ends with the last of them. */
export function jobWatch(needs: FeedNeeds) {
  const feeds = new Map<string, JobFeed>()
  const pages = new SharedPages(needs)
  let endedReads = 0

  function join(job: WatchedJob, signal: AbortSignal): { feed: JobFeed; leave: () => void } {
    const feed = feeds.get(job.id) ?? new JobFeed(job, needs.clock)
    feeds.set(job.id, feed)
    feed.join()
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      if (!feed.leave()) return
      feeds.delete(job.id)
      endedReads += feed.reads
      pages.forget(job.id)
    }
    // A stream whose client leaves before the first byte is never read to its end.
    addAbortListener(signal, leave)
    return { feed, leave }
  }

  return {
    async *watch(job: WatchedJob, signal: AbortSignal): AsyncGenerator<ParentEvent> {
      const { feed, leave } = join(job, signal)
      try {
        yield* eventsOf(job.id, { feed, pages }, signal)
      } finally {
        leave()
      }
    },
    /** Reads of the store on behalf of watchers so far. */
    reads: () => [...feeds.values()].reduce((sum, feed) => sum + feed.reads, endedReads + pages.reads),
    /** Jobs that are watched now. */
    watchedJobs: () => feeds.size,
  }
}

interface Sources {
  feed: JobFeed
  pages: SharedPages
}

/**
 * A job from now to its end: how it stands, each document once, and that it is done. What has ended already tells its
 * documents before its status, since a client leaves when it hears of an end. Clients take "done" for "completed", so they
 * hear of another end before that.
 */
async function* eventsOf(
  jobId: string,
  { feed, pages }: Sources,
  signal: AbortSignal,
): AsyncGenerator<ParentEvent> {
  const position: Position = { sent: 0, after: undefined }
  const first = await feed.snapshot()
  if (first.status === 'scraping') {
    position.sent = first.documents.length
    position.after = first.lastDocument
    yield { type: 'catchup', status: first }
  }
  for (let status: ParentStatus | undefined = first; status && !signal.aborted; ) {
    // The status before the documents: those that come in between are sent in the next round.
    while (position.sent < status.completed && !signal.aborted) {
      const page = await pages.read(jobId, position, status.completed)
      if (page.rows === 0) break
      position.sent += page.rows
      position.after = page.last
      for (const document of page.documents) yield { type: 'document', document }
    }
    if (status.status !== 'scraping') {
      const last = status === first ? first : await feed.snapshot()
      if (last.status !== 'completed') yield { type: 'catchup', status: last }
      yield { type: 'done', status: last }
      return
    }
    status = await orAbort(feed.nextStatus(), signal)
  }
}

/** Undefined if the signal aborts first. */
async function orAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  const aborted = Promise.withResolvers<undefined>()
  const listening = addAbortListener(signal, () => aborted.resolve(undefined))
  // A poll that ends because its last watcher has left is not an error.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    listening[Symbol.dispose]()
  }
}
