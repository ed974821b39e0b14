import type { Readable, Writable } from 'node:stream'
import { streamLines, tooLong } from './stream-lines.ts'
import { bearer, checkedBaseUrl } from './transport.ts'

export interface McpBridgeOptions {
  /** Of the service, without `/mcp`. */
  baseUrl: string
  apiKey?: string | undefined
  stdin: Readable
  stdout: Writable
  /** Where the bridge reports faults: the standard output belongs to the protocol. Default: nowhere. */
  stderr?: Writable
  /** How long requests may run after the input has ended. Default: 310 seconds. */
  maxLastWaitMs?: number
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

/** Characters of one message: a file in base64 is the largest that is meant. */
const maxMessageLength = 64 * 1024 * 1024
/** How long requests may run after the input has ended: a little more than the service takes for any of them. */
const maxLastWaitMs = 310_000
const versionKey = 'io.modelcontextprotocol/protocolVersion'

/**
 * Joins a client that speaks the model context protocol over standard input and output to the service's `/mcp`: a line
 * in is a request to the service, each message of its answer is a line out. Ends when the input ends and every request
 * is answered.
 */
export async function runMcpBridge(options: McpBridgeOptions): Promise<void> {
  const bridge = new Bridge(options)
  const running = new Set<Promise<void>>()
  // A client that is gone reads no answers: what runs for it ends.
  options.stdout.on('error', bridge.end).on('close', bridge.end)
  options.stdin.on('error', bridge.end)
  try {
    for await (const line of streamLines(options.stdin, maxMessageLength)) {
      if (typeof line === 'string' && line.trim() === '') continue
      const sent = bridge.take(line)
      running.add(sent)
      // The order of notifications is kept by sending the first message before the next line is read.
      sent.finally(() => running.delete(sent))
      if (bridge.isOpening) await sent
    }
  } catch {
    // The input broke off.
    bridge.end()
  }
  const timer = setTimeout(bridge.end, options.maxLastWaitMs ?? maxLastWaitMs)
  await Promise.all(running)
  clearTimeout(timer)
}

class Bridge {
  readonly #options: McpBridgeOptions
  readonly #address: string
  readonly #authorization: Record<string, string>
  readonly #running = new Map<unknown, AbortController>()
  #session: string | undefined
  #version: string | undefined
  /** The handshake is under way: what comes next needs what it brings. */
  isOpening = false

  constructor(options: McpBridgeOptions) {
    this.#options = options
    // Checked here, because what fetch says of an address or a header that it refuses would show the key.
    this.#address = `${checkedBaseUrl(options.baseUrl)}/mcp`
    this.#authorization = bearer(options.apiKey)
  }

  /** Ends all requests. */
  readonly end = (): void => {
    for (const controller of this.#running.values()) controller.abort()
  }

  async take(line: string | typeof tooLong): Promise<void> {
    const message = line === tooLong ? undefined : parsed(line)
    if (message === undefined || line === tooLong) {
      const why = line === tooLong ? 'A message is longer than 64 MB.' : 'The line is not valid JSON.'
      await this.#write({ jsonrpc: '2.0', id: null, error: { code: -32700, message: why } })
      return
    }
    const [first] = [message].flat()
    this.isOpening = first?.method === 'initialize'
    const id = first?.id ?? undefined
    const cancelled = first?.method === 'notifications/cancelled' ? first.params?.requestId : undefined
    const controller = new AbortController()
    // A message without an id is ended with the others too.
    const key = id ?? controller
    this.#running.set(key, controller)
    try {
      await this.#post(line, first, controller.signal)
    } catch (thrown) {
      if (!controller.signal.aborted) await this.#fail(id, thrown)
    } finally {
      this.isOpening = false
      if (this.#running.get(key) === controller) this.#running.delete(key)
      // The connection of the request is the surest way to end it.
      if (cancelled !== undefined) this.#running.get(cancelled)?.abort()
    }
  }

  async #post(body: string, message: Message | undefined, signal: AbortSignal): Promise<void> {
    const response = await fetch(this.#address, {
      method: 'POST',
      // A key is for the service that was named, not for a server that it redirects to.
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
    const type = response.headers.get('content-type') ?? ''
    if (type.includes('text/event-stream') && response.body) {
      for await (const data of eventsOf(response.body)) await this.#receive(data)
      return
    }
    const text = await textOf(response)
    if (text === '') return
    if (type.includes('json') && text.includes('"jsonrpc"')) await this.#receive(text)
    else if (!response.ok) throw new Error(refusalIn(text, response.status))
  }

  /** What the protocol repeats of a message in headers, by its revision. */
  #protocolHeaders(message: Message | undefined): Record<string, string> {
    const { method, params } = message ?? {}
    const modern = params?._meta?.[versionKey]
    const version = typeof modern === 'string' ? modern : method === 'initialize' ? undefined : this.#version
    const name = params?.name ?? params?.uri
    return {
      ...(version === undefined ? {} : { 'mcp-protocol-version': headerValue(version) }),
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      ...(typeof modern === 'string' && method !== undefined
        ? { 'mcp-method': headerValue(String(method)) }
        : {}),
      ...(typeof modern === 'string' && name !== undefined ? { 'mcp-name': headerValue(String(name)) } : {}),
    }
  }

  async #receive(text: string): Promise<void> {
    const message = parsed(text)
    for (const one of message === undefined ? [] : [message].flat()) {
      if (typeof one !== 'object' || one === null) continue
      const version = one.result?.protocolVersion
      if (typeof version === 'string') this.#version = version
      await this.#write(one)
    }
  }

  async #fail(id: Id | undefined, thrown: unknown): Promise<void> {
    const message = told(thrown, this.#options.baseUrl)
    this.#options.stderr?.write(`winnow mcp: ${message}\n`)
    if (id !== undefined) await this.#write({ jsonrpc: '2.0', id, error: { code: -32603, message } })
  }

  /** Resolves when the client has read enough of the output, so that unread answers do not fill the memory. */
  async #write(message: object): Promise<void> {
    const { stdout } = this.#options
    if (stdout.destroyed || stdout.write(`${JSON.stringify(message)}\n`)) return
    await new Promise<void>((resolve) => {
      const go = () => {
        for (const event of ['drain', 'close', 'error']) stdout.off(event, go)
        resolve()
      }
      for (const event of ['drain', 'close', 'error']) stdout.on(event, go)
    })
  }
}

/** The data of server-sent events. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = []
  let length = 0
  for await (const line of streamLines(body, maxMessageLength)) {
    if (line === tooLong || length > maxMessageLength) throw new Error(largeAnswer)
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

const largeAnswer = 'The service sent a message of more than 64 MB.'

async function textOf(response: Response): Promise<string> {
  const lines: string[] = []
  let length = 0
  if (!response.body) return ''
  for await (const line of streamLines(response.body, maxMessageLength)) {
    length += line === tooLong ? Number.POSITIVE_INFINITY : line.length + 1
    if (line === tooLong || length > maxMessageLength) throw new Error(largeAnswer)
    lines.push(line)
  }
  return lines.join('\n')
}

function parsed(text: string): Message | Message[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Message | Message[]) : undefined
  } catch {
    return undefined
  }
}

/** What the service said in its refusal. */
function refusalIn(text: string, status: number): string {
  const { code, error } = (parsed(text) ?? {}) as { code?: unknown; error?: unknown }
  return typeof error === 'string' ? `${code ?? status}: ${error}` : `The service answered ${status}.`
}

function told(thrown: unknown, baseUrl: string): string {
  if (!(thrown instanceof Error)) return String(thrown)
  const isUnreachable = thrown instanceof TypeError && thrown.message === 'fetch failed'
  if (!isUnreachable) return thrown.message
  return `The service at ${baseUrl} cannot be reached. Is it running, and is WINNOW_URL right?`
}

/** As the protocol writes what a header cannot carry. */
function headerValue(text: string): string {
  return /^[\x21-\x7e]+$/.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
