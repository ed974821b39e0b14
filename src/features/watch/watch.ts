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
  status: (limit: number) => Promise<ParentStatus>
}

interface Position {
  sent: number
  after: Pick<JobRow, 'ended_number' | 'id'> | undefined
}

type DocumentPage = Awaited<ReturnType<typeof loadPage>>

const firstDocuments = 100
const pollIntervalMs = 1000

type JobPoller = ReturnType<typeof createJobPoller>

/** All watchers of a job in this process share the reads of its status. */
function createJobPoller(job: WatchedJob, clock: Clock) {
  const noWatchers = new AbortController()
  let watchers = 0
  let reads = 0
  let poll: Promise<ParentStatus> | undefined
  let nextSnapshot: Promise<ParentStatus> | undefined
  let lastSnapshot: Promise<unknown> = Promise.resolve()
  const read = (limit: number) => {
    reads += 1
    return job.status(limit)
  }
  const readLater = async () => {
    await clock.sleep(pollIntervalMs, noWatchers.signal)
    return read(0)
  }
  return {
    reads: () => reads,
    addWatcher(): void {
      watchers += 1
    },
    removeWatcher(): boolean {
      watchers -= 1
      if (watchers === 0) noWatchers.abort()
      return watchers === 0
    },
    /** The read starts after the call, so that the status is current. Calls during a read share the next read. */
    snapshot(): Promise<ParentStatus> {
      nextSnapshot ??= lastSnapshot.then(() => {
        nextSnapshot = undefined
        const status = read(firstDocuments)
        lastSnapshot = status.catch(() => undefined)
        return status
      })
      return nextSnapshot
    },
    /** Returns the status after the poll interval. Rejects if the last watcher leaves before. */
    nextStatus(): Promise<ParentStatus> {
      poll ??= readLater().finally(() => {
        poll = undefined
      })
      return poll
    },
  }
}

const rowsPerPage = 10
/** Few pages are enough, because watchers of a job read at about the same speed. */
const maxPages = 16

type DocumentPageCache = ReturnType<typeof createDocumentPageCache>

function createDocumentPageCache(deps: WatchDeps) {
  const pages = new LRUCache<string, Promise<DocumentPage>>({ max: maxPages })
  let reads = 0
  return {
    reads: () => reads,
    read(jobId: string, { sent, after }: Position, completed: number): Promise<DocumentPage> {
      const limit = Math.min(rowsPerPage, completed - sent)
      // Children that complete later are sorted after all others, so the rows after a position never change.
      const cacheKey = `${jobId} ${after?.ended_number} ${after?.id} ${limit}`
      const shared = pages.get(cacheKey)
      if (shared) return shared
      reads += 1
      const page = loadPage(deps, { parentId: jobId, after, limit })
      pages.set(cacheKey, page)
      page.catch(() => pages.delete(cacheKey))
      return page
    },
    evict(jobId: string): void {
      for (const cacheKey of [...pages.keys()]) if (cacheKey.startsWith(jobId)) pages.delete(cacheKey)
    },
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
  const pages = createDocumentPageCache(deps)
  let endedReads = 0

  function join(job: WatchedJob, signal: AbortSignal): { poller: JobPoller; leave: () => void } {
    const poller = pollers.get(job.id) ?? createJobPoller(job, deps.clock)
    pollers.set(job.id, poller)
    poller.addWatcher()
    let hasLeft = false
    const leave = () => {
      if (hasLeft) return
      hasLeft = true
      if (!poller.removeWatcher()) return
      pollers.delete(job.id)
      endedReads += poller.reads()
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
    reads: () =>
      [...pollers.values()].reduce((sum, poller) => sum + poller.reads(), endedReads + pages.reads()),
    watchedJobs: () => pollers.size,
  }
}

/** Clients disconnect at `done` and treat it as completed, so `catchup` precedes any other end. */
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
