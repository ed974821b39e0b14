import type { Clock } from '../../base/clock.ts'
import type { JsonText } from '../../base/json-text.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { JobRow } from '../../store/jobs.ts'
import { nextCompleted } from '../../store/parent-jobs.ts'
import type { Store } from '../../store/schema.ts'
import { childDocument, type ParentStatus } from '../parent-job.ts'

export interface FeedNeeds {
  store: Store
  clock: Clock
  queue: Pick<Queue, 'resultOf'>
}

export interface WatchedJob {
  id: string
  /** Reads the status anew, with the first of its documents. */
  status: (limit: number) => Promise<ParentStatus>
}

/** Position of a watcher in the completed pages of a job, in the order in which they completed. */
export interface Position {
  sent: number
  after: Pick<JobRow, 'ended_number' | 'id'> | undefined
}

export interface DocumentPage {
  documents: JsonText[]
  rows: number
  last: Position['after']
}

const firstDocuments = 100
const pollIntervalMs = 1000

/** The status of one job, read once for all of its watchers in this process. */
export class JobFeed {
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
export class SharedPages {
  reads = 0
  readonly #needs: FeedNeeds
  readonly #pages = new Map<string, Promise<DocumentPage>>()

  constructor(needs: FeedNeeds) {
    this.#needs = needs
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
    const [oldest] = this.#pages.keys()
    if (this.#pages.size > maxPages && oldest !== undefined) this.#pages.delete(oldest)
    return page
  }

  forget(jobId: string): void {
    for (const name of this.#pages.keys()) if (name.startsWith(jobId)) this.#pages.delete(name)
  }
}

async function loadPage(
  { store, queue }: FeedNeeds,
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
