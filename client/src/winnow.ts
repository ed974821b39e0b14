import { apiPath } from './api-path.ts'
import { findBrowser, interact, openBrowser, stopInteract } from './browser-calls.ts'
import type { BrowserSession, SessionEnd } from './browser-session.ts'
import { maxWorkMs, read, work, workTimeout } from './call-defaults.ts'
import { type AgentJob, DataJob, type ExtractJob, startData } from './data-job.ts'
import { readEvents, type ServerEvent } from './event-stream.ts'
import type * as methods from './method-types.ts'
import { createOperator, type Operator } from './operator.ts'
import { PagesJob, type PagesResult, type ReadOptions, startPages } from './pages-job.ts'
import type { RetryPolicy } from './retry-policy.ts'
import { type StartOptions, startAndWait } from './start-job.ts'
import {
  type Call,
  type CallOptions,
  createTransport,
  type Transport,
  type WinnowOptions,
} from './transport.ts'
import type * as api from './types.ts'
import { type Upload, uploadForm } from './upload.ts'

const askTimeoutMs = 90_000

/** Client for a Winnow service. */
export class Winnow {
  readonly operator: Operator
  readonly #transport: Transport

  constructor(options: WinnowOptions = {}) {
    this.#transport = createTransport(options)
    this.operator = createOperator(this.#transport)
  }

  get baseUrl(): string {
    return this.#transport.baseUrl
  }

  /** Scrapes one page and returns the requested formats. Default: Markdown. */
  async scrape(
    url: string,
    options: methods.ScrapeCallOptions = {},
    call: CallOptions = {},
  ): Promise<api.Document> {
    return (await work<api.PostScrapeResponse>(this.#transport, '/v2/scrape', { ...options, url }, call)).data
  }

  /** Returns the result of an earlier scrape, by the `scrapeId` in its metadata. */
  async scrapeResult(scrapeId: string, call: CallOptions = {}): Promise<api.Document> {
    return (
      await read<api.GetScrapeByIdResponse>(
        this.#transport,
        apiPath('/v2/scrape/{scrapeId}', { scrapeId }),
        {},
        call,
      )
    ).data
  }

  /** Parses one file and returns the requested formats. */
  async parse(
    file: Upload,
    options: api.ParseOptions = {},
    call: CallOptions = {},
  ): Promise<api.ParsedDocument> {
    const response = await this.#transport.call(
      {
        ...{ method: 'POST', path: '/v2/parse', retry: 'unpaid' },
        form: uploadForm(file, options),
        timeoutMs: workTimeout(options.timeout ?? maxWorkMs),
      },
      call,
    )
    return (response as api.PostParseResponse).data
  }

  async search(
    query: string,
    options: methods.SearchOptions = {},
    call: CallOptions = {},
  ): Promise<methods.SearchResult> {
    const response = await work<api.PostSearchResponse>(
      this.#transport,
      '/v2/search',
      { ...options, query },
      call,
    )
    const { success: _, data, ...rest } = response
    return { ...rest, ...data }
  }

  /** Lists the pages of a site, without their content. */
  async map(
    url: string,
    options: methods.MapOptions = {},
    call: CallOptions = {},
  ): Promise<methods.MapResult> {
    const { success: _, ...result } = await work<api.PostMapResponse>(
      this.#transport,
      '/v2/map',
      { ...options, url },
      call,
    )
    return result
  }

  async startCrawl(
    url: string,
    options: methods.CrawlOptions = {},
    start: StartOptions = {},
  ): Promise<PagesJob> {
    return startPages(this.#transport, 'crawl', { ...options, url }, start)
  }

  async startBatch(
    urls: readonly string[],
    options: methods.BatchOptions = {},
    start: StartOptions = {},
  ): Promise<PagesJob> {
    return startPages(this.#transport, 'batch', { ...options, urls }, start)
  }

  /** Starts a crawl and waits for all its pages. For large crawls, use `for await` with the job of `startCrawl`. */
  async crawl(
    url: string,
    options: methods.CrawlOptions = {},
    call: StartOptions & ReadOptions = {},
  ): Promise<PagesResult> {
    return startAndWait((start) => this.startCrawl(url, options, start), call)
  }

  /** Starts a batch and waits for all its pages. */
  async batch(
    urls: readonly string[],
    options: methods.BatchOptions = {},
    call: StartOptions & ReadOptions = {},
  ): Promise<PagesResult> {
    return startAndWait((start) => this.startBatch(urls, options, start), call)
  }

  /** Returns a crawl that was started earlier. Makes no request until the job is read. */
  crawlJob(id: string): PagesJob {
    return new PagesJob(this.#transport, 'crawl', id)
  }

  batchJob(id: string): PagesJob {
    return new PagesJob(this.#transport, 'batch', id)
  }

  async startExtract(
    urls: readonly string[],
    options: methods.ExtractOptions = {},
    start: StartOptions = {},
  ): Promise<ExtractJob> {
    // Without URLs, the service searches for pages.
    const body = { ...options, ...(urls.length === 0 ? {} : { urls }) }
    return startData<api.ExtractStatus>(this.#transport, 'extract', body, start)
  }

  extractJob(id: string): ExtractJob {
    return new DataJob<api.ExtractStatus>(this.#transport, 'extract', id)
  }

  /** Extracts values that match a schema from several pages. Throws a JobFailedError if the job fails. */
  async extract(
    urls: readonly string[],
    options: methods.ExtractOptions = {},
    call: StartOptions = {},
  ): Promise<api.ExtractStatus> {
    return startAndWait((start) => this.startExtract(urls, options, start), call)
  }

  async startAgent(
    prompt: string,
    options: methods.AgentOptions = {},
    start: StartOptions = {},
  ): Promise<AgentJob> {
    const body = { ...options, prompt }
    return startData<api.AgentStatus>(this.#transport, 'agent', body, start)
  }

  agentJob(id: string): AgentJob {
    return new DataJob<api.AgentStatus>(this.#transport, 'agent', id)
  }

  /** Finds pages for a task and extracts data from them. Throws a JobFailedError if the job fails. */
  async agent(
    prompt: string,
    options: methods.AgentOptions = {},
    call: StartOptions = {},
  ): Promise<api.AgentStatus> {
    return startAndWait((start) => this.startAgent(prompt, options, start), call)
  }

  /** Asks the support agent why a call did not return the expected result, or how to use the service. */
  async ask(
    question: string,
    options: methods.QuestionOptions = {},
    call: CallOptions = {},
  ): Promise<api.SupportAnswer> {
    const body = { ...options, question }
    const path = '/v2/support/ask'
    const request = { method: 'POST', path, body, retry: 'unpaid', timeoutMs: askTimeoutMs } as const
    return (await this.#transport.call(request, call)) as api.SupportAnswer
  }

  /**
   * Runs code or a prompt in a browser on the page of an earlier scrape. The client never retries code that may have
   * started.
   */
  interact(
    scrapeId: string,
    options: methods.InteractOptions,
    call: CallOptions = {},
  ): Promise<api.InteractResult> {
    return interact(this.#transport, scrapeId, options, call)
  }

  /** Closes the browser of a scrape. */
  stopInteract(scrapeId: string, call: CallOptions = {}): Promise<SessionEnd> {
    return stopInteract(this.#transport, scrapeId, call)
  }

  openBrowser(options: methods.OpenBrowserOptions = {}, call: CallOptions = {}): Promise<BrowserSession> {
    return openBrowser(this.#transport, options, call)
  }

  /** Returns a browser session that is already open. */
  browserSession(id: string, call: CallOptions = {}): Promise<BrowserSession> {
    return findBrowser(this.#transport, id, call)
  }

  /** Lists browser sessions, newest first. */
  async listBrowsers(
    options: { status?: 'active' | 'destroyed' } = {},
    call: CallOptions = {},
  ): Promise<api.Session[]> {
    return (await read<api.GetBrowserResponse>(this.#transport, '/v2/browser', { ...options }, call)).sessions
  }

  /** Returns the features of this installation, and the reasons why features are not available. */
  async capabilities(call: CallOptions = {}): Promise<methods.Capabilities> {
    const { success: _, ...rest } = await read<api.GetCapabilitiesResponse>(
      this.#transport,
      '/v2/capabilities',
      {},
      call,
    )
    return rest
  }

  /** Returns a page of the team's calls in the last 24 hours, newest first. */
  async activity(query: methods.ActivityQuery = {}, call: CallOptions = {}): Promise<methods.ActivityPage> {
    const response = await read<api.GetTeamActivityResponse>(
      this.#transport,
      '/v2/team/activity',
      { ...query },
      call,
    )
    const { success: _, ...page } = response
    return page
  }

  /** Returns credits and calls of the team for each of the last days, oldest first. */
  async usage(query: { days?: number } = {}, call: CallOptions = {}): Promise<methods.UsageDay[]> {
    return (await read<api.GetTeamUsageResponse>(this.#transport, '/v2/team/usage', { ...query }, call)).data
  }

  /** Returns the remaining credits of the team. */
  async credits(call: CallOptions = {}): Promise<api.GetTeamCreditUsageResponse['data']> {
    return (await read<api.GetTeamCreditUsageResponse>(this.#transport, '/v2/team/credit-usage', {}, call))
      .data
  }

  /** Returns the team and the key of this client. */
  async team(call: CallOptions = {}): Promise<methods.TeamInfo> {
    return (await read<api.GetTeamMeResponse>(this.#transport, '/v2/team/me', {}, call)).data
  }

  /** Yields new events of the team's jobs. Ends when the connection closes. */
  async *events(call: CallOptions = {}): AsyncGenerator<ServerEvent, void, void> {
    const path = '/v2/team/events'
    const response = await this.#transport.open({ method: 'GET', path, retry: 'always' }, call)
    if (response.body) yield* readEvents(response.body)
  }

  /**
   * Makes any other API call. `retry` sets when it may be retried; the default depends on the method. `repeatable` is
   * the older name of `retry`.
   */
  async request(
    { repeatable, ...call }: Omit<Call, 'retry'> & { retry?: RetryPolicy; repeatable?: RetryPolicy },
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    const retry = repeatable ?? (call.method === 'GET' ? 'always' : 'unstarted')
    return this.#transport.call({ retry, ...call }, options)
  }
}
