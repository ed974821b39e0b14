import { apiPath } from './api-path.ts'
import { JobFailedError } from './errors.ts'
import { cancelJob, jobFailed, type Started, type StartOptions, startOnce } from './start-job.ts'
import type { CallOptions, Transport } from './transport.ts'
import type { Document, GetBatchScrapeErrorsResponse, GetCrawlErrorsResponse, JobStatus } from './types.ts'
import { pacing, readPatiently } from './watch-job.ts'

export type PagesJobKind = 'crawl' | 'batch'

/** How a crawl or batch stands, without its pages. */
export type JobProgress = Omit<JobStatus, 'success' | 'data' | 'next'>

/** A crawl or batch that has ended, with all its pages. */
export interface PagesResult extends JobProgress {
  id: string
  data: Document[]
}

export type DownloadFormat = 'jsonl' | 'csv' | 'zip'

/** Pages that failed. Of a crawl also what was skipped, and a summary. */
export type PagesErrors = Omit<GetBatchScrapeErrorsResponse, 'success'> &
  Partial<Pick<GetCrawlErrorsResponse, 'skipped' | 'summary'>>

export interface ReadOptions extends CallOptions {
  /** Pages to leave out at the start, as those that an earlier reader has. */
  skip?: number | undefined
  /** Most pages per answer of the service; it also ends an answer at 10 MB. Default: 100. */
  pageSize?: number | undefined
}

const folders = { crawl: '/v2/crawl', batch: '/v2/batch/scrape' }
/** Behind every page of a job, so that a status comes without any. */
const behindAll = 1_000_000_000

/** A crawl or batch: read its pages as they come, or wait for all of them. */
export class PagesJob implements AsyncIterable<Document> {
  readonly id: string
  readonly kind: PagesJobKind
  /** Only where this object started it. */
  readonly started: Started | undefined
  readonly #transport: Transport
  #isCancelledHere = false

  constructor(transport: Transport, kind: PagesJobKind, id: string, started?: Started) {
    this.#transport = transport
    this.kind = kind
    this.id = id
    this.started = started
  }

  /** The pages from the first on, each as soon as it is there. Holds one answer of the service at a time. */
  [Symbol.asyncIterator](): AsyncGenerator<Document, void, void> {
    return this.pages()
  }

  /**
   * As the iteration, with options. It outlives restarts of the service and lost connections of up to a minute.
   * Throws a JobFailedError after the last page of a job that failed, or that somebody else cancelled.
   */
  async *pages(options: ReadOptions = {}): AsyncGenerator<Document, void, void> {
    const { pageSize = 100, skip = 0, ...call } = options
    const pace = pacing()
    for (let read = skip; ; ) {
      const status = await readPatiently(() => this.#status(read, pageSize, call), call.signal)
      read += status.data.length
      // A page whose text has expired keeps its place in the list.
      for (const page of status.data) if (page !== null) yield page
      if (status.data.length > 0 && read < status.completed) continue
      if (status.status !== 'scraping') return this.#checkEnd(status)
      await pace.wait(status.data.length > 0, call.signal)
    }
  }

  async progress(options: CallOptions = {}): Promise<JobProgress> {
    return progressOf(await this.#status(behindAll, 1, options))
  }

  /** All pages and how the job ended, in memory. If the job failed, `status` says so, and `data` has the pages read so far. */
  async wait(options: ReadOptions = {}): Promise<PagesResult> {
    const data: Document[] = []
    try {
      for await (const page of this.pages(options)) data.push(page)
    } catch (thrown) {
      if (!(thrown instanceof JobFailedError)) throw thrown
    }
    const progress = await readPatiently(() => this.progress(options), options.signal)
    return { id: this.id, ...progress, data }
  }

  /** What was scraped stays readable. */
  async cancel(options: CallOptions = {}): Promise<void> {
    this.#isCancelledHere = true
    await cancelJob(this.#transport, this.#path(), options)
  }

  /** Which pages failed, and why. */
  async errors(options: CallOptions = {}): Promise<PagesErrors> {
    const path = `${this.#path()}/errors`
    const answer = await this.#transport.call({ method: 'GET', path, repeatable: 'always' }, options)
    const { success: _, ...errors } = answer as GetCrawlErrorsResponse
    return errors
  }

  /** Scrapes the pages that failed once more, as a batch of its own. */
  async retry(options: StartOptions = {}): Promise<PagesJob> {
    const call = { method: 'POST', path: `${this.#path()}/retry` } as const
    const { id, started } = await startOnce(this.#transport, call, options)
    return new PagesJob(this.#transport, 'batch', id, started)
  }

  /** The pages that are there as one file: a line of JSON per page, a table, or a Markdown file per page. */
  async download(
    format: DownloadFormat = 'jsonl',
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const path = `${this.#path()}/download`
    const response = await this.#transport.open(
      { method: 'GET', path, query: { format }, repeatable: 'always' },
      options,
    )
    return response.body ?? new Blob([]).stream()
  }

  #path(): string {
    return apiPath(`${folders[this.kind]}/{id}`, { id: this.id })
  }

  async #status(skip: number, limit: number, options: CallOptions): Promise<JobStatus> {
    const call = { method: 'GET', path: this.#path(), query: { skip, limit }, repeatable: 'always' } as const
    return (await this.#transport.call(call, options)) as JobStatus
  }

  #checkEnd({ status, error, warning }: JobStatus): void {
    if (status === 'completed' || (status === 'cancelled' && this.#isCancelledHere)) return
    throw jobFailed(this.id, status === 'cancelled' ? 'cancelled' : 'failed', { message: error, warning })
  }
}

function progressOf({ success: _, data: __, next: ___, ...progress }: JobStatus): JobProgress {
  return progress
}

export async function startPages(
  transport: Transport,
  kind: PagesJobKind,
  body: object,
  options: StartOptions,
): Promise<PagesJob> {
  const { id, started } = await startOnce(transport, { method: 'POST', path: folders[kind], body }, options)
  return new PagesJob(transport, kind, id, started)
}
