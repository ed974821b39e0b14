import type { Readable, Writable } from 'node:stream'

export interface McpBridgeOptions {
  /** Of the service, without `/mcp`. */
  baseUrl: string
  apiKey?: string | undefined
  stdin: Readable
  stdout: Writable
  /** Where the bridge reports faults: the standard output belongs to the protocol. Default: nowhere. */
  stderr?: Writable
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

/** Bytes of one message: a file in base64 is the largest that is meant. */
const longestLine = 64 * 1024 * 1024
const versionKey = 'io.modelcontextprotocol/protocolVersion'

/**
 * Joins a client that speaks the model context protocol over standard input and output to the service's `/mcp`: a line
 * in is a request to the service, each message of its answer is a line out. Ends when the input ends and every request
 * is answered.
 */
export async function runMcpBridge(options: McpBridgeOptions): Promise<void> {
  const bridge = new Bridge(options)
  const running = new Set<Promise<void>>()
  for await (const line of linesOf(options.stdin)) {
    const sent = bridge.take(line)
    running.add(sent)
    // The order of notifications is kept by sending the first message before the next line is read.
    sent.finally(() => running.delete(sent))
    if (bridge.isOpening) await sent
  }
  await Promise.all(running)
}

class Bridge {
  readonly #options: McpBridgeOptions
  readonly #running = new Map<Id, AbortController>()
  #session: string | undefined
  #version: string | undefined
  /** The handshake is under way: what comes next needs what it brings. */
  isOpening = false

  constructor(options: McpBridgeOptions) {
    this.#options = options
  }

  async take(line: string): Promise<void> {
    const message = parsed(line)
    if (message === undefined) {
      this.#write({
        jsonrpc: '2.0',
        id: null,
        error: { code: -32700, message: 'The line is not valid JSON.' },
      })
      return
    }
    const [first] = [message].flat()
    this.isOpening = first?.method === 'initialize'
    const id = first?.id ?? undefined
    const cancelled = first?.method === 'notifications/cancelled' ? first.params?.requestId : undefined
    const controller = new AbortController()
    if (id !== undefined) this.#running.set(id, controller)
    try {
      await this.#post(line, first, controller.signal)
    } catch (thrown) {
      if (!controller.signal.aborted) this.#fail(id, thrown)
    } finally {
      this.isOpening = false
      if (id !== undefined) this.#running.delete(id)
      // The connection of the request is the surest way to end it.
      if (cancelled !== undefined) this.#running.get(cancelled)?.abort()
    }
  }

  async #post(body: string, message: Message | undefined, signal: AbortSignal): Promise<void> {
    const { baseUrl, apiKey } = this.#options
    const response = await fetch(new URL('/mcp', baseUrl), {
      method: 'POST',
      // A key is for the service that was named, not for a server that it redirects to.
      redirect: 'error',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}),
        ...this.#protocolHeaders(message),
      },
      body,
      signal,
    })
    this.#session = response.headers.get('mcp-session-id') ?? this.#session
    const type = response.headers.get('content-type') ?? ''
    if (type.includes('text/event-stream') && response.body) {
      for await (const data of eventsOf(response.body)) this.#receive(data)
      return
    }
    const text = await response.text()
    if (text === '') return
    if (type.includes('json') && text.includes('"jsonrpc"')) this.#receive(text)
    else if (!response.ok) throw new Error(refusalIn(text, response.status))
  }

  /** What the protocol repeats of a message in headers, by its revision. */
  #protocolHeaders(message: Message | undefined): Record<string, string> {
    const { method, params } = message ?? {}
    const modern = params?._meta?.[versionKey]
    const version = typeof modern === 'string' ? modern : method === 'initialize' ? undefined : this.#version
    const name = params?.name ?? params?.uri
    return {
      ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
      ...(this.#session === undefined ? {} : { 'mcp-session-id': this.#session }),
      ...(typeof modern === 'string' && method !== undefined ? { 'mcp-method': method } : {}),
      ...(typeof modern === 'string' && name !== undefined ? { 'mcp-name': headerValue(name) } : {}),
    }
  }

  #receive(text: string): void {
    const message = parsed(text)
    if (message === undefined) return
    for (const one of [message].flat()) {
      if (one.result?.protocolVersion !== undefined) this.#version = one.result.protocolVersion
      this.#write(one)
    }
  }

  #fail(id: Id | undefined, thrown: unknown): void {
    const message = told(thrown, this.#options.baseUrl)
    this.#options.stderr?.write(`winnow mcp: ${message}\n`)
    if (id !== undefined) this.#write({ jsonrpc: '2.0', id, error: { code: -32603, message } })
  }

  #write(message: object): void {
    this.#options.stdout.write(`${JSON.stringify(message)}\n`)
  }
}

/** The lines of a stream; one that never ends is refused before it fills the memory. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest: string[] = []
  let size = 0
  for await (const chunk of stream) {
    const [first = '', ...more] = decoder.decode(chunk as Uint8Array, { stream: true }).split('\n')
    rest.push(first)
    size += first.length
    if (size > longestLine) throw new Error('A message is longer than 64 MB.')
    for (const next of more) {
      const line = rest.join('').trim()
      if (line !== '') yield line
      rest = [next]
      size = next.length
    }
  }
  const line = rest.join('').trim()
  if (line !== '') yield line
}

/** The data of server-sent events. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let data: string[] = []
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''))
      if (line !== '') continue
      if (data.length > 0) yield data.join('\n')
      data = []
    }
  }
  if (data.length > 0) yield data.join('\n')
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
