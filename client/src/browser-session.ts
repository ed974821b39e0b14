import { apiPath } from './api-path.ts'
import { read, workTimeout } from './call-defaults.ts'
import type { CallOptions, Transport } from './transport.ts'
import type {
  DeleteBrowserByIdResponse,
  ExecuteRequest,
  GetBrowserByIdResponse,
  PostBrowserExecuteResponse,
} from './types.ts'

export type ExecuteOptions = Omit<ExecuteRequest, 'code'>
/** What code in a session came to. If the code failed, `error` and `exitCode` say so. */
export type ExecuteResult = Omit<PostBrowserExecuteResponse, 'success'>
export type SessionStatus = Omit<GetBrowserByIdResponse, 'success'>
export type SessionEnd = Omit<DeleteBrowserByIdResponse, 'success'>

interface SessionFacts {
  id: string
  cdpUrl: string
  liveViewUrl: string
  interactiveLiveViewUrl: string
  expiresAt?: string
}

const defaultCodeSeconds = 30

/** A browser of your own in the service. `await using` closes it. */
export class BrowserSession {
  readonly id: string
  /** WebSocket of the DevTools protocol, for Playwright and Puppeteer. Anyone who has it can use the browser. */
  readonly cdpUrl: string
  /** Page to watch the browser; empty if the session is not streamed. */
  readonly liveViewUrl: string
  /** Page to watch and control the browser. */
  readonly interactiveLiveViewUrl: string
  readonly expiresAt: string | undefined
  readonly #transport: Transport

  constructor(transport: Transport, facts: SessionFacts) {
    this.#transport = transport
    this.id = facts.id
    this.cdpUrl = facts.cdpUrl
    this.liveViewUrl = facts.liveViewUrl
    this.interactiveLiveViewUrl = facts.interactiveLiveViewUrl
    this.expiresAt = facts.expiresAt
  }

  /** Runs code with `page`, `context` and `browser`. It is never run twice by itself. */
  async execute(code: string, options: ExecuteOptions = {}, call: CallOptions = {}): Promise<ExecuteResult> {
    const answer = await this.#transport.call(
      {
        method: 'POST',
        path: `${this.#path()}/execute`,
        body: { ...options, code },
        repeatable: 'unstarted',
        timeoutMs: workTimeout((options.timeout ?? defaultCodeSeconds) * 1000),
      },
      call,
    )
    const { success: _, ...result } = answer as PostBrowserExecuteResponse
    return result
  }

  async status(call: CallOptions = {}): Promise<SessionStatus> {
    const answer = await read<GetBrowserByIdResponse>(this.#transport, this.#path(), {}, call)
    const { success: _, ...status } = answer
    return status
  }

  /** Answers what it cost, however often it is called. */
  async close(call: CallOptions = {}): Promise<SessionEnd> {
    const answer = await this.#transport.call(
      { method: 'DELETE', path: this.#path(), repeatable: 'always' },
      call,
    )
    const { success: _, ...end } = answer as DeleteBrowserByIdResponse
    return end
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #path(): string {
    return apiPath('/v2/browser/{id}', { id: this.id })
  }
}
