import { apiPath } from './api-path.ts'
import { JobFailedError } from './errors.ts'
import {
  cancelJob,
  createJobFailedError,
  type StartOptions,
  type StartResponse,
  startJobIdempotent,
} from './start-job.ts'
import type { CallOptions, Transport } from './transport.ts'
import type { Document, GetBatchScrapeErrorsResponse, GetCrawlErrorsResponse, JobStatus } from './types.ts'
import { createPollDelay, readWithReconnect } from './watch-job.ts'

export type PagesJobKind = 'crawl' | 'batch'

/** Status of a crawl or batch, without its pages. */
export type JobProgress = Omit<JobStatus, 'success' | 'data' | 'next'>

/** Final status of a crawl or batch, with all its pages. */
export interface PagesResult extends JobProgress {
  id: string
  data: Document[]
}

export type DownloadFormat = 'jsonl' | 'csv' | 'zip'

/** Failed pages. For a crawl, also the skipped URLs and a summary. */
export type PagesErrors = Omit<GetBatchScrapeErrorsResponse, 'success'> &
  Partial<Pick<GetCrawlErrorsResponse, 'skipped' | 'summary'>>

export interface ReadOptions extends CallOptions {
  /** Number of pages to skip at the start, for example pages that were read earlier. */
  skip?: number | undefined
  /** Maximum number of pages per response. The service also limits a response to 10 MB. Default: 100. */
  pageSize?: number | undefined
}

const basePaths = { crawl: '/v2/crawl', batch: '/v2/batch/scrape' }
/** Offset beyond the last page of any job, so that a status response contains no pages. */
const offsetBeyondEnd = 1_000_000_000

/** Crawl or batch job. Callers iterate over its pages as they become available, or wait for all of them. */
export class PagesJob implements AsyncIterable<Document> {
  readonly id: string
  readonly kind: PagesJobKind
  /** Response of the service to the start; undefined if this object did not start the job. */
  readonly started: StartResponse | undefined
  readonly #transport: Transport
  #isCancelledHere = false

  constructor(transport: Transport, kind: PagesJobKind, id: string, started?: StartResponse) {
    this.#transport = transport
    this.kind = kind
    this.id = id
    this.started = started
  }

  /** Yields all pages as they become available. Holds only one response of the service in memory at a time. */
  [Symbol.asyncIterator](): AsyncGenerator<Document, void, void> {
    return this.pages()
  }

  /**
   * Yields the pages like the iterator, with options. Retries for up to one minute when the service restarts or the
   * connection breaks. Throws a JobFailedError after the last page if the job failed or another client cancelled it.
   */
  async *pages(options: ReadOptions = {}): AsyncGenerator<Document, void, void> {
    const { pageSize = 100, skip = 0, ...call } = options
    const pollDelay = createPollDelay()
    for (let offset = skip; ; ) {
      const status = await readWithReconnect(() => this.#status(offset, pageSize, call), call.signal)
      offset += status.data.length
      // A page whose text has expired is null, so that the offsets of later pages do not change.
      for (const page of status.data) if (page !== null) yield page
      if (status.data.length > 0 && offset < status.completed) continue
      if (status.status !== 'scraping') return this.#throwIfFailed(status)
      await pollDelay.wait(status.data.length > 0, call.signal)
    }
  }

  async progress(options: CallOptions = {}): Promise<JobProgress> {
    return toProgress(await this.#status(offsetBeyondEnd, 1, options))
  }

  /**
   * Returns all pages and the final status, in memory. If the job failed, `data` contains the pages that were read
   * before.
   */
  async wait(options: ReadOptions = {}): Promise<PagesResult> {
    const data: Document[] = []
    try {
      for await (const page of this.pages(options)) data.push(page)
    } catch (thrown) {
      if (!(thrown instanceof JobFailedError)) throw thrown
    }
    const progress = await readWithReconnect(() => this.progress(options), options.signal)
    return { id: this.id, ...progress, data }
  }

  /** Cancels the job. Pages that were already scraped stay readable. */
  async cancel(options: CallOptions = {}): Promise<void> {
    this.#isCancelledHere = true
    await cancelJob(this.#transport, this.#path(), options)
  }

  /** Returns the failed pages and their errors. */
  async errors(options: CallOptions = {}): Promise<PagesErrors> {
    const path = `${this.#path()}/errors`
    const response = await this.#transport.call({ method: 'GET', path, retry: 'always' }, options)
    const { success: _, ...errors } = response as GetCrawlErrorsResponse
    return errors
  }

  /** Scrapes the failed pages again, as a new batch. */
  async retry(options: StartOptions = {}): Promise<PagesJob> {
    const call = { method: 'POST', path: `${this.#path()}/retry` } as const
    const { id, started } = await startJobIdempotent(this.#transport, call, options)
    return new PagesJob(this.#transport, 'batch', id, started)
  }

  /** Downloads the scraped pages as one file: JSON lines, CSV, or a ZIP file with one Markdown file per page. */
  async download(
    format: DownloadFormat = 'jsonl',
    options: CallOptions = {},
  ): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const path = `${this.#path()}/download`
    const response = await this.#transport.open(
      { method: 'GET', path, query: { format }, retry: 'always' },
      options,
    )
    return response.body ?? new Blob([]).stream()
  }

  #path(): string {
    return apiPath(`${basePaths[this.kind]}/{id}`, { id: this.id })
  }

  async #status(skip: number, limit: number, options: CallOptions): Promise<JobStatus> {
    const call = { method: 'GET', path: this.#path(), query: { skip, limit }, retry: 'always' } as const
    return (await this.#transport.call(call, options)) as JobStatus
  }

  #throwIfFailed({ status, error, warning }: JobStatus): void {
    if (status === 'completed' || (status === 'cancelled' && this.#isCancelledHere)) return
    throw createJobFailedError(this.id, status === 'cancelled' ? 'cancelled' : 'failed', {
      message: error,
      warning,
    })
  }
}

function toProgress({ success: _, data: __, next: ___, ...progress }: JobStatus): JobProgress {
  return progress
}

export async function startPages(
  transport: Transport,
  kind: PagesJobKind,
  body: object,
  options: StartOptions,
): Promise<PagesJob> {
  const { id, started } = await startJobIdempotent(
    transport,
    { method: 'POST', path: basePaths[kind], body },
    options,
  )
  return new PagesJob(transport, kind, id, started)
}
