import type { Readable, Writable } from 'node:stream'
import { streamLines, tooLong } from './stream-lines.ts'
import { authorizationHeader, normalizeBaseUrl } from './transport.ts'

export interface McpBridgeOptions {
  /** Base URL of the service, without `/mcp`. */
  baseUrl: string
  apiKey?: string | undefined
  stdin: Readable
  stdout: Writable
  /** Stream for error messages, because the protocol uses the standard output. Default: none. */
  stderr?: Writable
  /** Maximum time for requests to finish after the input has ended. Default: 310 seconds. */
  drainTimeoutMs?: number
}

type Id = string | number

interface Message {
  jsonrpc: '2.0'
  id?: Id | null
  method?: string
  params?: {
    requestId?: Id
    protocolVersion?: string
    name?: string
    uri?: string
    _meta?: Record<string, unknown>
  }
  result?: { protocolVersion?: string }
}

/** Maximum number of characters per message, enough for a file in base64. */
const maxMessageLength = 64 * 1024 * 1024
/**
 * Maximum time for requests to finish after the input has ended: slightly more than the longest request of the service.
 */
const drainTimeoutMs = 310_000
const versionKey = 'io.modelcontextprotocol/protocolVersion'

/**
 * Connects a client that uses the Model Context Protocol over standard input and output to `/mcp` of the service. Each
 * input line becomes a request, and each message of its response an output line. Resolves when the input has ended and
 * all requests have finished.
 */
export async function runMcpBridge(options: McpBridgeOptions): Promise<void> {
  const bridge = new Bridge(options)
  const inFlight = new Set<Promise<void>>()
  // A client that has disconnected cannot receive responses, so its requests are aborted.
  options.stdout.on('error', bridge.abortAll).on('close', bridge.abortAll)
  options.stdin.on('error', bridge.abortAll)
  try {
    for await (const line of streamLines(options.stdin, maxMessageLength)) {
      if (typeof line === 'string' && line.trim() === '') continue
      // `forward` sends the request before it returns, so messages are sent in the order of the input lines.
      const forwarding = bridge.forward(line)
      inFlight.add(forwarding)
      forwarding.finally(() => inFlight.delete(forwarding))
      if (bridge.isInitializing) await forwarding
    }
  } catch {
    // Reading the input failed.
    bridge.abortAll()
  }
  const timer = setTimeout(bridge.abortAll, options.drainTimeoutMs ?? drainTimeoutMs)
  await Promise.all(inFlight)
  clearTimeout(timer)
}

class Bridge {
  readonly #options: McpBridgeOptions
  readonly #url: string
  readonly #authorization: Record<string, string>
  readonly #inFlight = new Map<unknown, AbortController>()
  #session: string | undefined
  #version: string | undefined
  /** True during the handshake. Later messages need the session and the version that it returns. */
  isInitializing = false

  constructor(options: McpBridgeOptions) {
    this.#options = options
    // Validated here, because an error of `fetch` for an invalid URL or header would contain the key.
    this.#url = `${normalizeBaseUrl(options.baseUrl)}/mcp`
    this.#authorization = authorizationHeader(options.apiKey)
  }

  /** Aborts all requests. */
  readonly abortAll = (): void => {
    for (const controller of this.#inFlight.values()) controller.abort()
  }

  async forward(line: string | typeof tooLong): Promise<void> {
    const message = line === tooLong ? undefined : parseMessage(line)
    if (message === undefined || line === tooLong) {
      const reason = line === tooLong ? 'A message is longer than 64 MB.' : 'The line is not valid JSON.'
      await this.#write({ jsonrpc: '2.0', id: null, error: { code: -32700, message: reason } })
      return
    }
    const [first] = [message].flat()
    this.isInitializing = first?.method === 'initialize'
    const id = first?.id ?? undefined
    const cancelled = first?.method === 'notifications/cancelled' ? first.params?.requestId : undefined
    const controller = new AbortController()
    // The controller is the key of a message without an id, so that `abortAll` also aborts it.
    const key = id ?? controller
    this.#inFlight.set(key, controller)
    try {
      await this.#post(line, first, controller.signal)
    } catch (thrown) {
      if (!controller.signal.aborted) await this.#fail(id, thrown)
    } finally {
      this.isInitializing = false
      if (this.#inFlight.get(key) === controller) this.#inFlight.delete(key)
      // Closing the connection is the most reliable way to cancel the request.
      if (cancelled !== undefined) this.#inFlight.get(cancelled)?.abort()
    }
  }

  async #post(body: string, message: Message | undefined, signal: AbortSignal): Promise<void> {
    const response = await fetch(this.#url, {
      method: 'POST',
      // Redirects are not followed, because the key must not be sent to another server.
      redirect: 'error',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...this.#authorization,
        ...this.#protocolHeaders(message),
      },
      body,
      signal,
    })
    this.#session = response.headers.get('mcp-session-id') ?? this.#session
    const contentType = response.headers.get('content-type') ?? ''
    if (contentType.includes('text/event-stream') && response.body) {
      for await (const data of readEventData(response.body)) await this.#receive(data)
      return
    }
    const text = await readText(response)
    if (text === '') return
    if (contentType.includes('json') && text.includes('"jsonrpc"')) await this.#receive(text)
    else if (!response.ok) throw new Error(errorMessage(text, response.status))
  }

  /** Returns the headers that repeat parts of the message, as the protocol revision requires. */
  #protocolHeaders(message: Message | undefined): Record<string, string> {
    const { method, params } = message ?? {}
    const metaVersion = params?._meta?.[versionKey]
    const version =
      typeof metaVersion === 'string' ? metaVersion : method === 'initialize' ? undefined : this.#version
    const name = params?.name ?? params?.uri
    return {
      ...(version === undefined ? {} : { 'mcp-protocol-version': encodeHeaderValue(version) }),
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      ...(typeof metaVersion === 'string' && method !== undefined
        ? { 'mcp-method': encodeHeaderValue(String(method)) }
        : {}),
      ...(typeof metaVersion === 'string' && name !== undefined
        ? { 'mcp-name': encodeHeaderValue(String(name)) }
        : {}),
    }
  }

  async #receive(text: string): Promise<void> {
    const message = parseMessage(text)
    for (const item of message === undefined ? [] : [message].flat()) {
      if (typeof item !== 'object' || item === null) continue
      const version = item.result?.protocolVersion
      if (typeof version === 'string') this.#version = version
      await this.#write(item)
    }
  }

  async #fail(id: Id | undefined, thrown: unknown): Promise<void> {
    const message = toMessage(thrown, this.#options.baseUrl)
    this.#options.stderr?.write(`winnow mcp: ${message}\n`)
    if (id !== undefined) await this.#write({ jsonrpc: '2.0', id, error: { code: -32603, message } })
  }

  /** Resolves when the client has read enough of the output, so that unread responses do not fill the memory. */
  async #write(message: object): Promise<void> {
    const { stdout } = this.#options
    if (stdout.destroyed || stdout.write(`${JSON.stringify(message)}\n`)) return
    await new Promise<void>((resolve) => {
      const resume = () => {
        for (const event of ['drain', 'close', 'error']) stdout.off(event, resume)
        resolve()
      }
      for (const event of ['drain', 'close', 'error']) stdout.on(event, resume)
    })
  }
}

/** Yields the data of server-sent events. */
async function* readEventData(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = []
  let length = 0
  for await (const line of streamLines(body, maxMessageLength)) {
    if (line === tooLong || length > maxMessageLength) throw new Error(tooLargeMessage)
    if (line.startsWith('data:')) {
      data.push(line.slice(5).replace(/^ /, ''))
      length += line.length
    }
    if (line !== '') continue
    if (data.length > 0) yield data.join('\n')
    data = []
    length = 0
  }
  if (data.length > 0) yield data.join('\n')
}

const tooLargeMessage = 'The service sent a message of more than 64 MB.'

async function readText(response: Response): Promise<string> {
  const lines: string[] = []
  let length = 0
  if (!response.body) return ''
  for await (const line of streamLines(response.body, maxMessageLength)) {
    length += line === tooLong ? Number.POSITIVE_INFINITY : line.length + 1
    if (line === tooLong || length > maxMessageLength) throw new Error(tooLargeMessage)
    lines.push(line)
  }
  return lines.join('\n')
}

function parseMessage(text: string): Message | Message[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Message | Message[]) : undefined
  } catch {
    return undefined
  }
}

/** Returns the message of an error response. */
function errorMessage(text: string, status: number): string {
  const { code, error } = (parseMessage(text) ?? {}) as { code?: unknown; error?: unknown }
  return typeof error === 'string' ? `${code ?? status}: ${error}` : `The service answered ${status}.`
}

function toMessage(thrown: unknown, baseUrl: string): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const isUnreachable = thrown instanceof TypeError && thrown.message === 'fetch failed'
  if (!isUnreachable) return thrown.message
  return `The service at ${baseUrl} cannot be reached. Is it running, and is WINNOW_URL right?`
}

/** Encodes text for a header. The protocol uses base64 for characters that headers do not permit. */
function encodeHeaderValue(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
