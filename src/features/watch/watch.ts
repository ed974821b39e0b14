import { addAbortListener } from 'node:events'
import { LRUCache } from 'lru-cache'
import type { Queue } from '../../jobs/queue.ts'
import type { Clock } from '../../platform/clock.ts'
import type { JsonText } from '../../platform/json/json.ts'
import type { JobRow } from '../../store/jobs/jobs.ts'
import { listNextCompleted } from '../../store/jobs/parents.ts'
import type { Deps } from '../needs.ts'
import { childDocument, type ParentStatus } from '../parent-status.ts'

interface WatchDeps extends Pick<Deps, 'store' | 'clock'> {
  queue: Pick<Queue, 'checkedResultOf'>
}

interface WatchedJob {
  id: string
  /** Reads the current status, with at most `limit` documents. */
  status: (limit: number) => Promise<ParentStatus>
}

interface Position {
  sent: number
  after: Pick<JobRow, 'ended_number' | 'id'> | undefined
}

type DocumentPage = Awaited<ReturnType<typeof loadPage>>

const firstDocuments = 100
const pollIntervalMs = 1000

/** All watchers of a job in this process share the reads of its status. */
class JobPoller {
  reads = 0
  readonly #job: WatchedJob
  readonly #clock: Clock
  readonly #noWatchers = new AbortController()
  #watchers = 0
  #poll: Promise<ParentStatus> | undefined
  #nextSnapshot: Promise<ParentStatus> | undefined
  #lastSnapshot: Promise<unknown> = Promise.resolve()

  constructor(job: WatchedJob, clock: Clock) {
    this.#job = job
    this.#clock = clock
  }

  addWatcher(): void {
    this.#watchers += 1
  }

  /** Returns true if it was the last watcher, after which polling stops. */
  removeWatcher(): boolean {
    this.#watchers -= 1
    if (this.#watchers === 0) this.#noWatchers.abort()
    return this.#watchers === 0
  }

  /** The read starts after the call, so that the status is current. Calls during a read share the next read. */
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

  /** Returns the status after the poll interval. Rejects if the last watcher leaves before. */
  nextStatus(): Promise<ParentStatus> {
    const readStatus = async () => {
      await this.#clock.sleep(pollIntervalMs, this.#noWatchers.signal)
      this.reads += 1
      return this.#job.status(0)
    }
    this.#poll ??= readStatus().finally(() => {
      this.#poll = undefined
    })
    return this.#poll
  }
}

const rowsPerPage = 10
/** Few pages are enough, because watchers of a job read at about the same speed. */
const maxPages = 16

class DocumentPageCache {
  reads = 0
  readonly #deps: WatchDeps
  readonly #pages = new LRUCache<string, Promise<DocumentPage>>({ max: maxPages })

  constructor(deps: WatchDeps) {
    this.#deps = deps
  }

  read(jobId: string, { sent, after }: Position, completed: number): Promise<DocumentPage> {
    const limit = Math.min(rowsPerPage, completed - sent)
    // Children that complete later are sorted after all others, so the rows after a position never change.
    const cacheKey = `${jobId} ${after?.ended_number} ${after?.id} ${limit}`
    const shared = this.#pages.get(cacheKey)
    if (shared) return shared
    this.reads += 1
    const page = loadPage(this.#deps, { parentId: jobId, after, limit })
    this.#pages.set(cacheKey, page)
    page.catch(() => this.#pages.delete(cacheKey))
    return page
  }

  evict(jobId: string): void {
    for (const cacheKey of [...this.#pages.keys()])
      if (cacheKey.startsWith(jobId)) this.#pages.delete(cacheKey)
  }
}

async function loadPage(
  { store, queue }: WatchDeps,
  range: { parentId: string; after: Position['after']; limit: number },
) {
  const rows = await listNextCompleted(store.query, range)
  const documents: JsonText[] = []
  for (const row of rows) {
    const document = await childDocument(queue, row)
    if (document !== undefined) documents.push(document)
  }
  const last = rows.at(-1)
  return { documents, rows: rows.length, last: last && { ended_number: last.ended_number, id: last.id } }
}

/** `catchup` has the current status, and `done` the final one. */
export type ParentEvent =
  | { type: 'catchup'; status: ParentStatus }
  | { type: 'document'; document: JsonText }
  | { type: 'done'; status: ParentStatus }

export function createJobWatch(deps: WatchDeps) {
  const pollers = new Map<string, JobPoller>()
  const pages = new DocumentPageCache(deps)
  let endedReads = 0

  function join(job: WatchedJob, signal: AbortSignal): { poller: JobPoller; leave: () => void } {
    const poller = pollers.get(job.id) ?? new JobPoller(job, deps.clock)
    pollers.set(job.id, poller)
    poller.addWatcher()
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      if (!poller.removeWatcher()) return
      pollers.delete(job.id)
      endedReads += poller.reads
      pages.evict(job.id)
    }
    // If the client disconnects before the first byte, the `finally` block of the generator below never runs.
    addAbortListener(signal, leave)
    return { poller, leave }
  }

  return {
    async *watch(job: WatchedJob, signal: AbortSignal): AsyncGenerator<ParentEvent> {
      const { poller, leave } = join(job, signal)
      try {
        yield* streamEvents(job.id, { poller, pages }, signal)
      } finally {
        leave()
      }
    },
    /** Number of store reads for watchers so far. */
    reads: () => [...pollers.values()].reduce((sum, poller) => sum + poller.reads, endedReads + pages.reads),
    watchedJobs: () => pollers.size,
  }
}

/**
 * Yields the status of a job, each document once, and the end. An ended job sends its documents first, because clients
 * disconnect at the end. They treat `done` as completed, so a `catchup` event precedes any other end.
 */
async function* streamEvents(
  jobId: string,
  { poller, pages }: { poller: JobPoller; pages: DocumentPageCache },
  signal: AbortSignal,
): AsyncGenerator<ParentEvent> {
  const position: Position = { sent: 0, after: undefined }
  const first = await poller.snapshot()
  if (first.status === 'scraping') {
    position.sent = first.documents.length
    position.after = first.lastDocument
    yield { type: 'catchup', status: first }
  }
  for (let status: ParentStatus | undefined = first; status && !signal.aborted; ) {
    // The status is read before the documents. Documents that complete in between are sent in the next round.
    while (position.sent < status.completed && !signal.aborted) {
      const page = await pages.read(jobId, position, status.completed)
      if (page.rows === 0) break
      position.sent += page.rows
      position.after = page.last
      for (const document of page.documents) yield { type: 'document', document }
    }
    if (status.status !== 'scraping') {
      const last = status === first ? first : await poller.snapshot()
      if (last.status !== 'completed') yield { type: 'catchup', status: last }
      yield { type: 'done', status: last }
      return
    }
    status = await raceAbort(poller.nextStatus(), signal)
  }
}

async function raceAbort<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  const aborted = Promise.withResolvers<undefined>()
  const listener = addAbortListener(signal, () => aborted.resolve(undefined))
  // A poll that ends because its last watcher has left is not an error.
  work.catch(() => undefined)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    listener[Symbol.dispose]()
  }
}
