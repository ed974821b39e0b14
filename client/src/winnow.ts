import { apiPath } from './api-path.ts'
import { findBrowser, interact, openBrowser, stopInteract } from './browser-calls.ts'
import type { BrowserSession, SessionEnd } from './browser-session.ts'
import { longestWorkMs, read, work, workTimeout } from './call-defaults.ts'
import { type AgentJob, DataJob, type ExtractJob, startData } from './data-job.ts'
import { readEvents, type ServerEvent } from './event-stream.ts'
import type * as methods from './method-types.ts'
import { createOperator, type Operator } from './operator.ts'
import { PagesJob, type PagesResult, type ReadOptions, startPages } from './pages-job.ts'
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

const questionMs = 90_000

/** A Winnow service. */
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

  /** One page in the formats asked for; Markdown by default. */
  async scrape(
    url: string,
    options: methods.ScrapeCallOptions = {},
    call: CallOptions = {},
  ): Promise<api.Document> {
    return (await work<api.PostScrapeResponse>(this.#transport, '/v2/scrape', { ...options, url }, call)).data
  }

  /** The result of an earlier scrape, by the `scrapeId` in its metadata. */
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

  /** One file in the formats asked for. */
  async parse(
    file: Upload,
    options: api.ParseOptions = {},
    call: CallOptions = {},
  ): Promise<api.ParsedDocument> {
    const answer = await this.#transport.call(
      {
        ...{ method: 'POST', path: '/v2/parse', repeatable: 'unpaid' },
        form: uploadForm(file, options),
        timeoutMs: workTimeout(options.timeout ?? longestWorkMs),
      },
      call,
    )
    return (answer as api.PostParseResponse).data
  }

  async search(
    query: string,
    options: methods.SearchOptions = {},
    call: CallOptions = {},
  ): Promise<methods.SearchResult> {
    const answer = await work<api.PostSearchResponse>(
      this.#transport,
      '/v2/search',
      { ...options, query },
      call,
    )
    const { success: _, data, ...rest } = answer
    return { ...rest, ...data }
  }

  /** The pages of a site, without their content. */
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

  /** Starts a crawl and waits for all its pages. Read large ones with `for await` over startCrawl. */
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

  /** A crawl that was started before; nothing is asked until it is read. */
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
    // Without any, the service looks for pages itself.
    const body = { ...options, ...(urls.length === 0 ? {} : { urls }) }
    return startData<api.ExtractStatus>(this.#transport, 'extract', body, start)
  }

  extractJob(id: string): ExtractJob {
    return new DataJob<api.ExtractStatus>(this.#transport, 'extract', id)
  }

  /** Values in the shape of a schema from several pages. Throws a JobFailedError where it fails. */
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

  /** Finds pages for a task and reads what they state. Throws a JobFailedError where it fails. */
  async agent(
    prompt: string,
    options: methods.AgentOptions = {},
    call: StartOptions = {},
  ): Promise<api.AgentStatus> {
    return startAndWait((start) => this.startAgent(prompt, options, start), call)
  }

  /** Asks the support agent why a call did not bring what was expected, or how something is done. */
  async ask(
    question: string,
    options: methods.QuestionOptions = {},
    call: CallOptions = {},
  ): Promise<api.SupportAnswer> {
    const body = { ...options, question }
    const path = '/v2/support/ask'
    const asked = { method: 'POST', path, body, repeatable: 'unpaid', timeoutMs: questionMs } as const
    return (await this.#transport.call(asked, call)) as api.SupportAnswer
  }

  /** Runs code or a prompt in a browser on the page of an earlier scrape. It is never run twice by itself. */
  interact(
    scrapeId: string,
    options: methods.InteractOptions,
    call: CallOptions = {},
  ): Promise<api.InteractResult> {
    return interact(this.#transport, scrapeId, options, call)
  }

  /** Ends the browser of a scrape. */
  stopInteract(scrapeId: string, call: CallOptions = {}): Promise<SessionEnd> {
    return stopInteract(this.#transport, scrapeId, call)
  }

  openBrowser(options: methods.OpenBrowserOptions = {}, call: CallOptions = {}): Promise<BrowserSession> {
    return openBrowser(this.#transport, options, call)
  }

  /** A session that is open already. */
  browserSession(id: string, call: CallOptions = {}): Promise<BrowserSession> {
    return findBrowser(this.#transport, id, call)
  }

  /** Newest first. */
  async listBrowsers(
    options: { status?: 'active' | 'destroyed' } = {},
    call: CallOptions = {},
  ): Promise<api.Session[]> {
    return (await read<api.GetBrowserResponse>(this.#transport, '/v2/browser', { ...options }, call)).sessions
  }

  /** What works on this installation, and why the rest does not. */
  async capabilities(call: CallOptions = {}): Promise<methods.Capabilities> {
    const { success: _, ...rest } = await read<api.GetCapabilitiesResponse>(
      this.#transport,
      '/v2/capabilities',
      {},
      call,
    )
    return rest
  }

  /** Calls of the team in the last 24 hours, newest first, by pages. */
  async activity(query: methods.ActivityQuery = {}, call: CallOptions = {}): Promise<methods.ActivityPage> {
    const answer = await read<api.GetTeamActivityResponse>(
      this.#transport,
      '/v2/team/activity',
      { ...query },
      call,
    )
    const { success: _, ...page } = answer
    return page
  }

  /** Credits and calls of the team on each of the last days, oldest first. */
  async usage(query: { days?: number } = {}, call: CallOptions = {}): Promise<methods.UsageDay[]> {
    return (await read<api.GetTeamUsageResponse>(this.#transport, '/v2/team/usage', { ...query }, call)).data
  }

  /** Credits that the team has left. */
  async credits(call: CallOptions = {}): Promise<api.GetTeamCreditUsageResponse['data']> {
    return (await read<api.GetTeamCreditUsageResponse>(this.#transport, '/v2/team/credit-usage', {}, call))
      .data
  }

  /** The team and the key of this client. */
  async team(call: CallOptions = {}): Promise<methods.TeamFacts> {
    return (await read<api.GetTeamMeResponse>(this.#transport, '/v2/team/me', {}, call)).data
  }

  /** What happens to the jobs of the team, from now on. Ends with the connection. */
  async *events(call: CallOptions = {}): AsyncGenerator<ServerEvent, void, void> {
    const path = '/v2/team/events'
    const response = await this.#transport.open({ method: 'GET', path, repeatable: 'always' }, call)
    if (response.body) yield* readEvents(response.body)
  }

  /** Any other call of the API. `repeatable` says when it may be made again; by default as its method allows. */
  async request(
    call: Omit<Call, 'repeatable'> & Partial<Call>,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    const repeatable = call.method === 'GET' ? 'always' : 'unstarted'
    return this.#transport.call({ repeatable, ...call }, options)
  }
}
