import { addAbortListener } from 'node:events'
import { LRUCache } from 'lru-cache'
import type { Queue } from '../../jobs/queue.ts'
import type { Clock } from '../../platform/clock.ts'
import type { JsonText } from '../../platform/json/json.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { nextCompleted } from '../../store/jobs/parents.ts'
import type { Deps } from '../needs.ts'
import { childDocument, type ParentStatus } from '../parent-status.ts'

interface FeedDeps extends Pick<Deps, 'store' | 'clock'> {
  queue: Pick<Queue, 'checkedResultOf'>
}

interface WatchedJob {
  id: string
  /** Reads the status anew, with the first of its documents. */
  status: (limit: number) => Promise<ParentStatus>
}

/** Position of a watcher in the completed pages of a job, in the order in which they completed. */
interface Position {
  sent: number
  after: Pick<JobRow, 'ended_number' | 'id'> | undefined
}

interface DocumentPage {
  documents: JsonText[]
  rows: number
  last: Position['after']
}

const firstDocuments = 100
const pollIntervalMs = 1000

/** The status of one job, read once for all of its watchers in this process. */
class JobFeed {
  /** Times that the status was read from the store. */
  reads = 0
  readonly #job: WatchedJob
  readonly #clock: Clock
  readonly #abandoned = new AbortController()
  #watchers = 0
  #poll: Promise<ParentStatus> | undefined
  #nextSnapshot: Promise<ParentStatus> | undefined
  #lastSnapshot: Promise<unknown> = Promise.resolve()

  constructor(job: WatchedJob, clock: Clock) {
    this.#job = job
    this.#clock = clock
  }

  join(): void {
    this.#watchers += 1
  }

  /** True if that was the last watcher: the feed has ended, and nothing polls any more. */
  leave(): boolean {
    this.#watchers -= 1
    if (this.#watchers === 0) this.#abandoned.abort()
    return this.#watchers === 0
  }

  /**
   * The status with the first documents. Watchers that ask while one read is under way share the next one, because a read has to
   * begin after each of them has asked.
   */
  snapshot(): Promise<ParentStatus> {
    this.#nextSnapshot ??= this.#lastSnapshot.then(() => {
      this.#nextSnapshot = undefined
      this.reads += 1
      const read = this.#job.status(firstDocuments)
      this.#lastSnapshot = read.catch(() => undefined)
      return read
    })
    return this.#nextSnapshot
  }

  /** The status a moment from now. Rejects if the last watcher leaves before. */
  nextStatus(): Promise<ParentStatus> {
    this.#poll ??= this.#clock
      .sleep(pollIntervalMs, this.#abandoned.signal)
      .then(() => {
        this.reads += 1
        return this.#job.status(0)
      })
      .finally(() => {
        this.#poll = undefined
      })
    return this.#poll
  }
}

const rowsPerPage = 10
/** Pages of documents in memory for other watchers of their jobs, which read at about the same speed. */
const maxPages = 16

/** Pages of documents, read once for all watchers that have the same position. */
class SharedPages {
  reads = 0
  readonly #needs: FeedDeps
  readonly #pages = new LRUCache<string, Promise<DocumentPage>>({ max: maxPages })

  constructor(deps: FeedDeps) {
    this.#needs = deps
  }

  read(jobId: string, { sent, after }: Position, completed: number): Promise<DocumentPage> {
    const limit = Math.min(rowsPerPage, completed - sent)
    // A page that completes later comes after all others, so rows after a position never change.
    const name = `${jobId} ${after?.ended_number} ${after?.id} ${limit}`
    const shared = this.#pages.get(name)
    if (shared) return shared
    this.reads += 1
    const page = loadPage(this.#needs, { parentId: jobId, after, limit })
    this.#pages.set(name, page)
    page.catch(() => this.#pages.delete(name))
    return page
  }

  forget(jobId: string): void {
    for (const name of [...this.#pages.keys()]) if (name.startsWith(jobId)) this.#pages.delete(name)
  }
}

async function loadPage(
  { store, queue }: FeedDeps,
  which: { parentId: string; after: Position['after']; limit: number },
): Promise<DocumentPage> {
  const rows = await nextCompleted(store.query, which)
  const documents: JsonText[] = []
  for (const row of rows) {
    const document = await childDocument(queue, row)
    if (document !== undefined) documents.push(document)
  }
  const last = rows.at(-1)
  return {
    documents,
    rows: rows.length,
    last: last && { ended_number: last.ended_number, id: last.id },
  }
}

/** What a watcher of a crawl or a batch receives. */
export type ParentEvent =
  /** How it stands. */
  | { type: 'catchup'; status: ParentStatus }
  | { type: 'document'; document: JsonText }
  /** It has ended, as the status says: the last word. */
  | { type: 'done'; status: ParentStatus }

/** Watches crawls and batches. All watchers of a job share one poll of the store, which ends with the last of them. */
export function createJobWatch(deps: FeedDeps) {
  const feeds = new Map<string, JobFeed>()
  const pages = new SharedPages(deps)
  let endedReads = 0

  function join(job: WatchedJob, signal: AbortSignal): { feed: JobFeed; leave: () => void } {
    const feed = feeds.get(job.id) ?? new JobFeed(job, deps.clock)
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

/**
 * A job from now to its end: how it stands, each document once, and that it is done. What has ended already tells its
 * documents before its status, since a client leaves when it hears of an end. Clients take "done" for "completed", so they
 * hear of another end before that.
 */
async function* eventsOf(
  jobId: string,
  { feed, pages }: { feed: JobFeed; pages: SharedPages },
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
