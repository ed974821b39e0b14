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
/** Result of code in a session. If the code failed, `error` and `exitCode` are set. */
export type ExecuteResult = Omit<PostBrowserExecuteResponse, 'success'>
export type SessionStatus = Omit<GetBrowserByIdResponse, 'success'>
export type SessionEnd = Omit<DeleteBrowserByIdResponse, 'success'>

interface SessionInfo {
  id: string
  cdpUrl: string
  liveViewUrl: string
  interactiveLiveViewUrl: string
  expiresAt?: string
}

const defaultCodeSeconds = 30

/** Browser session in the service. `await using` closes it. */
export class BrowserSession {
  readonly id: string
  /**
   * WebSocket URL for the DevTools protocol, for Playwright and Puppeteer. Any client with this URL can control the
   * browser.
   */
  readonly cdpUrl: string
  /** URL of a page that shows the browser; empty if the session is not streamed. */
  readonly liveViewUrl: string
  /** URL of a page that shows and controls the browser. */
  readonly interactiveLiveViewUrl: string
  readonly expiresAt: string | undefined
  readonly #transport: Transport

  constructor(transport: Transport, info: SessionInfo) {
    this.#transport = transport
    this.id = info.id
    this.cdpUrl = info.cdpUrl
    this.liveViewUrl = info.liveViewUrl
    this.interactiveLiveViewUrl = info.interactiveLiveViewUrl
    this.expiresAt = info.expiresAt
  }

  /** Runs code with `page`, `context` and `browser`. The client never retries code that may have started. */
  async execute(code: string, options: ExecuteOptions = {}, call: CallOptions = {}): Promise<ExecuteResult> {
    const response = await this.#transport.call(
      {
        method: 'POST',
        path: `${this.#path()}/execute`,
        body: { ...options, code },
        retry: 'unstarted',
        timeoutMs: workTimeout((options.timeout ?? defaultCodeSeconds) * 1000),
      },
      call,
    )
    const { success: _, ...result } = response as PostBrowserExecuteResponse
    return result
  }

  async status(call: CallOptions = {}): Promise<SessionStatus> {
    const response = await read<GetBrowserByIdResponse>(this.#transport, this.#path(), {}, call)
    const { success: _, ...status } = response
    return status
  }

  /** Closes the session and returns its cost. Idempotent. */
  async close(call: CallOptions = {}): Promise<SessionEnd> {
    const response = await this.#transport.call(
      { method: 'DELETE', path: this.#path(), retry: 'always' },
      call,
    )
    const { success: _, ...sessionEnd } = response as DeleteBrowserByIdResponse
    return sessionEnd
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #path(): string {
    return apiPath('/v2/browser/{id}', { id: this.id })
  }
}
